/**
 * Models with random effects: coefficients, covariances, and the effects of the levels of grouping
 * factors.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.multilevel;
