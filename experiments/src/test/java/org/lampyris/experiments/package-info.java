/** Tests of the experiments as a module. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments;
