package org.lampyris.samplers.mode;

/**
 * Findings of one pass over the data on the way to the mode.
 *
 * @param pass the number of the pass over the data, from 1
 * @param logPosterior the log posterior at the point evaluated, natural log, with the prior's
 *     normalising constant
 * @param gradientNorm the Euclidean norm of its gradient, over the coefficients that are free to
 *     move
 * @param decrement the length of the Newton step from this point, in posterior standard deviations
 * @param stepLength the share of the previous point's Newton step that led here, 1 for a full step;
 *     0 at the starting point
 * @param accepted whether the point was taken; if not, a shorter step is tried next
 */
public record NewtonPass(
    int pass,
    double logPosterior,
    double gradientNorm,
    double decrement,
    double stepLength,
    boolean accepted) {}
