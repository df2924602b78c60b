/** Transition kernels for θ, and what they tell of a step. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.kernel;
