package org.lampyris.samplers.program;

import java.util.Optional;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;

/** The distributions by their names, as a program writes them. */
public final class Distributions {
  private Distributions() {}

  /** Returns a normal distribution. */
  public static Density normal(Term mean, Term sd) {
    return new Normal(1, mean, sd);
  }

  /** Returns a normal distribution about a known mean. */
  public static Density normal(double mean, Term sd) {
    return new Normal(1, v -> mean, sd);
  }

  /** Returns a vector of independent normal elements. */
  public static Density normal(int dimension, double mean, double sd) {
    return new Normal(dimension, v -> mean, v -> sd);
  }

  /** Returns the distribution of a sign, of log-odds η. */
  public static Density bernoulli(Term eta) {
    return new Bernoulli(eta);
  }

  /**
   * Returns the density of an observed value with the likelihood of a family, up to a constant of
   * the value: {@code family(FamilySpec.of("robust").with("df", 4.0).with("scale", 1.0), w.dot())}.
   * Its derivatives have the bounds that the family has.
   *
   * @param spec a family by its name or its class, with its parameters given
   * @param eta its linear predictor
   * @throws UserException (usage) if there is no such family, or it samples parameters of its own
   */
  public static Density family(FamilySpec spec, Term eta) {
    return FamilyDensity.of(spec, eta);
  }

  /** Returns the distribution of 1, else 0. */
  public static Density coin(double probability) {
    return coin(v -> probability);
  }

  /** Returns the distribution of 1, else 0. */
  public static Density coin(Term probability) {
    return new Coin(probability);
  }

  /** Returns whether a distribution is of 0 and 1. */
  public static boolean isCoin(Distribution distribution) {
    return distribution instanceof Coin;
  }

  /** Returns whether a distribution is of −1 and 1. */
  public static boolean isSign(Distribution distribution) {
    return distribution instanceof Bernoulli;
  }

  /** Returns a beta distribution. */
  public static Density beta(double a, double b) {
    return new Continuous(Continuous.Law.BETA, v -> a, v -> b);
  }

  /** Returns a gamma distribution; the second parameter is a rate. */
  public static Density gamma(double shape, double rate) {
    return new Continuous(Continuous.Law.GAMMA, v -> shape, v -> rate);
  }

  /**
   * Returns the shape and the rate of a gamma distribution; empty if it is another one.
   *
   * @param given what they follow from
   */
  public static Optional<double[]> asGamma(Distribution distribution, Given given) {
    return distribution instanceof Continuous gamma && gamma.law() == Continuous.Law.GAMMA
        ? Optional.of(new double[] {gamma.a().at(given), gamma.b().at(given)})
        : Optional.empty();
  }

  /**
   * Returns the mean and the sd of each element of a normal distribution; empty if it is another
   * one.
   *
   * @param given what they follow from
   */
  public static Optional<double[]> asNormal(Distribution distribution, Given given) {
    return distribution instanceof Normal normal
        ? Optional.of(new double[] {normal.mean().at(given), normal.sd().at(given)})
        : Optional.empty();
  }

  /** Returns the distribution of 1/x for a gamma variable x of this shape and rate. */
  public static Density inverseGamma(double shape, double scale) {
    return new Continuous(Continuous.Law.INVERSE_GAMMA, v -> shape, v -> scale);
  }
}
