/** Transition kernels for θ, and what they tell of a step. */
@NullMarked
package org.lampyris.samplers.kernel;

import org.jspecify.annotations.NullMarked;
