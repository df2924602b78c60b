package org.lampyris.samplers.run;

import org.lampyris.bounds.laplace.Ball;

/**
 * What the coefficients are confined to.
 *
 * @param ball the ball
 * @param remedy what to do where the posterior reaches its edge
 */
public record Confinement(Ball ball, String remedy) {}
