/**
 * θ-kernels: proposals and their decisions, on a density that may know no rows, and what warm-up
 * adapts of them.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.kernel;
