/**
 * Metropolis–Hastings that is exact: by all rows, with delayed acceptance, and by an estimate of
 * the likelihood.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.metropolis;
