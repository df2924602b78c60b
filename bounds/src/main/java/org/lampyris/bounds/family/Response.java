package org.lampyris.bounds.family;

import java.io.Serializable;

/** The distribution of a response, given its linear predictors and θ. */
public sealed interface Response {
  /** Distribution of a response, given its expectation and θ. */
  @FunctionalInterface
  interface Of extends Serializable {
    /** Bernoulli distribution of each trial of a row; most families have one trial. */
    Of TRIALS = (mean, theta) -> new Trials(mean);

    /**
     * Returns the distribution.
     *
     * @param mean E[y | η, θ]
     * @param theta θ as it is reported. Not modified.
     */
    Response given(double mean, double[] theta);
  }

  /** Number of successes in independent trials with this probability. */
  record Trials(double probability) implements Response {}

  /** A normal number. */
  record Normal(double mean, double sd) implements Response {}

  /** location + scale · t, t with df degrees of freedom. */
  record Student(double df, double location, double scale) implements Response {}

  /** A number below location with probability {@code quantile}, asymmetric Laplace. */
  record AsymmetricLaplace(double quantile, double location, double scale) implements Response {}

  /** A gamma number of variance mean² / shape. */
  record Gamma(double mean, double shape) implements Response {}

  /** A Poisson count. */
  record Poisson(double mean) implements Response {}

  /** A count of variance mean + mean² / shape: Poisson, of a mean that is gamma. */
  record NegativeBinomial(double mean, double shape) implements Response {}

  /** A time whose logarithm is location + scale · ε, ε of a standard distribution. */
  record Time(Residual residual, double location, double scale) implements Response {
    /** Distribution of ε. */
    public enum Residual {
      /** The logarithm of a standard exponential number: Weibull times. */
      EXTREME,
      /** Lognormal times. */
      NORMAL,
      /** Loglogistic times. */
      LOGISTIC
    }
  }

  /**
   * A count that is 0 with probability {@code zero}, and otherwise has a mean and a shape, +∞ for a
   * Poisson count, in a hurdle model given that it is not 0.
   */
  record Zeros(double zero, boolean hurdle, double mean, double shape) implements Response {
    /** Returns the distribution of what is not 0 by {@code zero}, in a hurdle model untruncated. */
    public Response count() {
      return shape == Double.POSITIVE_INFINITY
          ? new Poisson(mean)
          : new NegativeBinomial(mean, shape);
    }

    /** Returns −log P(0) of {@link #count}. */
    public double rate() {
      return rate(mean, shape);
    }

    /** Returns −log P(0) of a count with a mean and a shape. */
    static double rate(double mean, double shape) {
      return shape == Double.POSITIVE_INFINITY ? mean : shape * Math.log1p(mean / shape);
    }
  }

  /** A share of variance mean (1 − mean) / (1 + phi). */
  record Beta(double mean, double phi) implements Response {}
}
