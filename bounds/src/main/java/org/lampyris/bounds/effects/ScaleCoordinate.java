package org.lampyris.bounds.effects;

import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Prior of an element of φ, the coordinates of a {@link ScaleGroup}. The elements of a group are
 * independent a priori.
 */
public sealed interface ScaleCoordinate {
  /**
   * φ is the logarithm of a scale.
   *
   * @param scale the prior of the scale, without negative values
   */
  record LogScale(UnivariatePrior scale) implements ScaleCoordinate {}

  /**
   * tanh φ = 2B − 1 with B ~ Beta(shape, shape): a canonical partial correlation under LKJ. Source:
   * Lewandowski, Kurowicka and Joe (2009), section 2.4.
   */
  record PartialCorrelation(double shape) implements ScaleCoordinate {}

  /** e^2φ ~ inverse gamma(shape, rate): the slab of a regularised horseshoe. */
  record LogSlab(double shape, double rate) implements ScaleCoordinate {}
}
