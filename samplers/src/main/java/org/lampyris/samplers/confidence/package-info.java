/**
 * Metropolis–Hastings decided by concentration bounds on growing batches of rows: approximate, with
 * a bound on how often a decision is wrong. Source: Bardenet, Doucet and Holmes (2014, 2017).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.confidence;
