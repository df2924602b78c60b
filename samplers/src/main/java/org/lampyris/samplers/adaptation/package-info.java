/** Tuning of kernels in the warm-up. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.adaptation;
