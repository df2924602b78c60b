/**
 * Coefficients whose prior has sampled scales (random effects, smooths, sparse priors), drawn by
 * any algorithm of coefficients.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.scales;
