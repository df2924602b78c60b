/** How long runs should take on clusters that are not at hand. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.simulate;
