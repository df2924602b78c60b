/** Tests of the simulation. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.simulate;
