/** Tuning of kernels in the warm-up. */
@NullMarked
package org.lampyris.samplers.adaptation;

import org.jspecify.annotations.NullMarked;
