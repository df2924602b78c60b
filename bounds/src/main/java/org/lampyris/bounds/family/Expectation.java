package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.function.DoubleUnaryOperator;

/** What a row's response is expected to be, given its linear predictors and θ. */
@FunctionalInterface
public interface Expectation extends Serializable {
  /** A function that can be sent. */
  @FunctionalInterface
  interface InverseLink extends DoubleUnaryOperator, Serializable {}

  /**
   * Writes E[y | η, θ]: one number, for two classes the probability of the second, or the
   * probability of every class.
   *
   * @param eta η, offsets included, one for each of the model's predictors. Not modified.
   * @param theta θ as it is reported. Not modified.
   * @param out is as long as there are classes, or 1. Modified.
   */
  void write(double[] eta, double[] theta, double[] out);

  /** Returns E[y | η] = g⁻¹(η) of a model of one linear predictor. */
  static Expectation of(InverseLink inverse) {
    return (eta, theta, out) -> out[0] = inverse.applyAsDouble(eta[0]);
  }
}
