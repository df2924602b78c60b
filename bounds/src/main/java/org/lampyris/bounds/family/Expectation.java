package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** Expected response of a row, given its linear predictors and θ. */
@FunctionalInterface
public interface Expectation extends Serializable {
  /** A function that can be sent. */
  @FunctionalInterface
  interface InverseLink extends DoubleUnaryOperator, Serializable {}

  /** Variance of a response, given its expectation and θ. */
  @FunctionalInterface
  interface Variance extends Serializable {
    /** Variance m(1 − m) of an indicator of a class, or of one trial's share. */
    Variance OF_TRIAL = (mean, theta) -> mean * (1 - mean);

    /**
     * Returns Var(y | η, θ); +∞ if it does not exist.
     *
     * @param mean E[y | η, θ]
     * @param theta θ as it is reported, {@linkplain #ofRow of the row}. Not modified.
     */
    double of(double mean, double[] theta);
  }

  /**
   * Writes E[y | η, θ]: one number, for two classes the probability of the second, or the
   * probability of every class.
   *
   * @param eta η, offsets included, one for each of the model's predictors. Not modified.
   * @param theta θ as it is reported. Not modified.
   * @param out is as long as there are classes, or 1. Modified.
   */
  void write(double[] eta, double[] theta, double[] out);

  /**
   * Returns what {@link #variance} and {@link #response} take for θ in a row: θ, but for a
   * parameter with a linear predictor of its own the parameter's value in the row alone.
   *
   * @param eta η, one for each of the model's predictors. Not modified.
   * @param theta θ as it is reported. Not modified.
   */
  default double[] ofRow(double[] eta, double[] theta) {
    return theta;
  }

  /** Returns Var(y | η, θ) of a row of weight 1, given E[y | η, θ]; NaN if unknown. */
  default double variance(double mean, double[] theta) {
    return Double.NaN;
  }

  /**
   * Returns the distribution of a numeric response, given E[y | η, θ]; empty if unknown. Classes
   * are described by their probabilities instead.
   */
  default Optional<Response> response(double mean, double[] theta) {
    return Optional.empty();
  }

  /** Returns the same expectation of a response whose variance is known. */
  default Expectation with(Variance variance) {
    Expectation mean = this;
    return new Expectation() {
      @Override
      public void write(double[] eta, double[] theta, double[] out) {
        mean.write(eta, theta, out);
      }

      @Override
      public double[] ofRow(double[] eta, double[] theta) {
        return mean.ofRow(eta, theta);
      }

      @Override
      public double variance(double expected, double[] theta) {
        return variance.of(expected, theta);
      }
    };
  }

  /** Returns the same expectation of a response whose variance and distribution are known. */
  default Expectation with(Variance variance, Response.Of distribution) {
    Expectation known = with(variance);
    return new Expectation() {
      @Override
      public void write(double[] eta, double[] theta, double[] out) {
        known.write(eta, theta, out);
      }

      @Override
      public double[] ofRow(double[] eta, double[] theta) {
        return known.ofRow(eta, theta);
      }

      @Override
      public double variance(double mean, double[] theta) {
        return known.variance(mean, theta);
      }

      @Override
      public Optional<Response> response(double mean, double[] theta) {
        return Optional.of(distribution.given(mean, theta));
      }
    };
  }

  /** Returns E[y | η] = g⁻¹(η) of a model of one linear predictor. */
  static Expectation of(InverseLink inverse) {
    return (eta, theta, out) -> out[0] = inverse.applyAsDouble(eta[0]);
  }

  /** Returns P(y = 1 | η) = g⁻¹(η), the expectation of a trial with two outcomes. */
  static Expectation ofTrial(InverseLink inverse) {
    return of(inverse).with(Variance.OF_TRIAL, Response.Of.TRIALS);
  }
}
