/** Metropolis–Hastings with an estimate of the log-likelihood in its place, from a few rows. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.estimate;
