/**
 * θ-kernels: proposals with their decisions, on any log-density, and their adaptation in warm-up.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.kernel;
