/**
 * Regression with random effects: coefficients, standard deviations and correlations where the
 * chain is, the effects of groups where their rows are.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.effects;
