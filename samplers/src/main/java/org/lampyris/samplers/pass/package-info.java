/**
 * Σ_n log L_n(θ) and its gradient over all rows, for all chains in one pass: the way of every
 * algorithm that leaves no row out.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.pass;
