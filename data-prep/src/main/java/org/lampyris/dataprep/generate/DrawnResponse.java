package org.lampyris.dataprep.generate;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** The families that tables are generated of, with their own parameters: how a label follows η. */
public enum DrawnResponse {
  /** 1 with probability σ(η). */
  LOGISTIC,
  /** 1 with probability Φ(η). */
  PROBIT,
  /** 1 with probability 1 − exp(−e^η). */
  CLOGLOG,
  /** 1 with probability ½ + arctan(η)/π. */
  CAUCHIT,
  /** Successes of {@value #TRIALS} trials. */
  BINOMIAL,
  /** η with noise of standard deviation 1. */
  GAUSSIAN,
  /** η with noise of scale 1 and 4 degrees of freedom. */
  ROBUST,
  /** η, the median, with Laplace noise of sigma 1: of mean size 2. */
  ASYMMETRIC_LAPLACE,
  /** A count of mean e^η. */
  POISSON,
  /** A count of mean e^η and shape {@value #SHAPE}. */
  NEGATIVE_BINOMIAL,
  /** Above 0, of mean e^η and shape {@value #SHAPE}. */
  GAMMA,
  /** A share of mean σ(η) and precision {@value #PRECISION}. */
  BETA,
  /** A Poisson count of mean e^η, or 0 with probability {@value #ZEROS}. */
  ZERO_INFLATED_POISSON,
  /** A Poisson count above 0, or 0 with probability {@value #ZEROS}. */
  HURDLE_POISSON,
  /** A count of mean e^η and shape {@value #SHAPE}, or 0 with probability {@value #ZEROS}. */
  ZERO_INFLATED_NEGATIVE_BINOMIAL,
  /** Such a count above 0, or 0 with probability {@value #ZEROS}. */
  HURDLE_NEGATIVE_BINOMIAL,
  /** A Weibull time of scale {@value #TIME_SCALE}, or −1 times when it is censored. */
  WEIBULL,
  /** A lognormal time, likewise. */
  LOGNORMAL,
  /** A loglogistic time, likewise. */
  LOGLOGISTIC,
  /** An exponential time, of scale 1, likewise. */
  EXPONENTIAL,
  /** 0 to 3: between which cut points η and logistic noise fall. */
  ORDINAL;

  static final int TRIALS = 10;
  private static final double SHAPE = 2;
  private static final double PRECISION = 10;
  private static final double ZEROS = 0.3;
  private static final double TIME_SCALE = 0.5;

  /** The mean time until observation ends. */
  private static final double OBSERVED = 3;

  private static final double[] CUTS = {-1, 0.5, 2};

  /** Returns the names. */
  static List<String> keys() {
    return Arrays.stream(values()).map(DrawnResponse::key).toList();
  }

  /** Returns the response of a name. */
  static DrawnResponse of(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether labels are whole numbers. */
  boolean isWhole() {
    return this != GAUSSIAN
        && !isQuantile()
        && this != ROBUST
        && this != GAMMA
        && this != BETA
        && !isTime();
  }

  private boolean isQuantile() {
    return this == ASYMMETRIC_LAPLACE;
  }

  /** Returns whether labels are times: censored ones have the sign −. */
  boolean isTime() {
    return this == WEIBULL || this == LOGNORMAL || this == LOGLOGISTIC || this == EXPONENTIAL;
  }

  /**
   * Returns the further estimated parameters on the reported scale, besides the columns'
   * coefficients.
   */
  Map<String, Double> own(double intercept) {
    Map<String, Double> own = new LinkedHashMap<>();
    switch (this) {
      case GAUSSIAN, ASYMMETRIC_LAPLACE -> own.put("sigma", 1.0);
      case NEGATIVE_BINOMIAL, GAMMA -> own.put("shape", SHAPE);
      case BETA -> own.put("phi", PRECISION);
      case ZERO_INFLATED_POISSON -> own.put("zi", ZEROS);
      case HURDLE_POISSON -> own.put("hu", ZEROS);
      case ZERO_INFLATED_NEGATIVE_BINOMIAL, HURDLE_NEGATIVE_BINOMIAL -> {
        own.put(this == HURDLE_NEGATIVE_BINOMIAL ? "hu" : "zi", ZEROS);
        own.put("shape", SHAPE);
      }
      case ROBUST -> own.put("scale", 1.0);
      case WEIBULL, LOGNORMAL, LOGLOGISTIC -> own.put("scale", TIME_SCALE);
      case ORDINAL -> {
        for (int k = 0; k < CUTS.length; k++) {
          own.put("Intercept[" + (k + 1) + "]", CUTS[k] - intercept);
        }
      }
      default -> {
        // There is nothing.
      }
    }
    return own;
  }

  /** Returns the parameter that may depend on features: the first of {@link #own}. */
  Optional<String> modelled() {
    return this == ORDINAL || isQuantile()
        ? Optional.empty()
        : own(0).keySet().stream().findFirst();
  }

  /** Returns the value of {@link #modelled}; NaN if there is none. */
  double parameter() {
    return modelled().map(name -> own(0).get(name)).orElse(Double.NaN);
  }

  private boolean isShare() {
    return this == ZERO_INFLATED_POISSON
        || this == HURDLE_POISSON
        || this == ZERO_INFLATED_NEGATIVE_BINOMIAL
        || this == HURDLE_NEGATIVE_BINOMIAL;
  }

  /** Returns the logarithm of {@link #parameter}, or the log-odds of a share. */
  double linked() {
    double value = parameter();
    return isShare() ? Math.log(value / (1 - value)) : Math.log(value);
  }

  /** Returns the parameter of a row by its linear predictor. */
  double parameter(double predictor) {
    return isShare() ? sigmoid(predictor) : Math.exp(predictor);
  }

  /**
   * Draws a label.
   *
   * @param own the row's {@link #modelled} parameter
   */
  double draw(double eta, double own, UniformRandomProvider rng) {
    return switch (this) {
      case LOGISTIC -> rng.nextDouble() < sigmoid(eta) ? 1 : 0;
      case PROBIT -> normal(rng) < eta ? 1 : 0;
      case CLOGLOG -> rng.nextDouble() < -Math.expm1(-Math.exp(eta)) ? 1 : 0;
      case CAUCHIT -> rng.nextDouble() < Math.atan2(1, -eta) / Math.PI ? 1 : 0;
      case BINOMIAL -> {
        double p = sigmoid(eta);
        int successes = 0;
        for (int i = 0; i < TRIALS; i++) {
          successes += rng.nextDouble() < p ? 1 : 0;
        }
        yield successes;
      }
      case GAUSSIAN -> eta + own * normal(rng);
      case ASYMMETRIC_LAPLACE -> {
        double above = exponential(rng);
        yield eta + 2 * (above - exponential(rng));
      }
      case POISSON -> count(Math.exp(eta), rng);
      case ROBUST -> eta + own * normal(rng) / Math.sqrt(gamma(2, 0.5, rng));
      case NEGATIVE_BINOMIAL -> overdispersed(eta, own, rng);
      case ZERO_INFLATED_NEGATIVE_BINOMIAL ->
          rng.nextDouble() < own ? 0 : overdispersed(eta, SHAPE, rng);
      case HURDLE_NEGATIVE_BINOMIAL -> rng.nextDouble() < own ? 0 : above(eta, rng);
      case GAMMA -> Math.max(Double.MIN_NORMAL, gamma(own, Math.exp(eta) / own, rng));
      case BETA -> {
        double x = gamma(own * sigmoid(eta), 1, rng);
        double y = gamma(own * sigmoid(-eta), 1, rng);
        yield Math.min(Math.nextDown(1.0), Math.max(Double.MIN_NORMAL, x / (x + y)));
      }
      case ZERO_INFLATED_POISSON -> rng.nextDouble() < own ? 0 : count(Math.exp(eta), rng);
      case HURDLE_POISSON -> {
        double rate = Math.exp(eta);
        // The first event, given that there is one, and those after it.
        double first = -Math.log1p(rng.nextDouble() * Math.expm1(-rate));
        yield rng.nextDouble() < own ? 0 : 1 + count(Math.max(0, rate - first), rng);
      }
      case WEIBULL -> time(eta + own * Math.log(exponential(rng)), rng);
      case LOGNORMAL -> time(eta + own * normal(rng), rng);
      case LOGLOGISTIC -> {
        double odds = exponential(rng);
        yield time(eta + own * Math.log(odds / exponential(rng)), rng);
      }
      case EXPONENTIAL -> time(eta + Math.log(exponential(rng)), rng);
      case ORDINAL -> {
        double u = rng.nextDouble();
        double latent = eta + Math.log(u / (1 - u));
        yield Arrays.stream(CUTS).filter(cut -> latent > cut).count();
      }
    };
  }

  static double sigmoid(double eta) {
    double e = Math.exp(-Math.abs(eta));
    return eta >= 0 ? 1 / (1 + e) : e / (1 + e);
  }

  private static double time(double logarithm, UniformRandomProvider rng) {
    double time = Math.max(Double.MIN_NORMAL, Math.exp(logarithm));
    double observed = Math.max(Double.MIN_NORMAL, OBSERVED * exponential(rng));
    return time <= observed ? time : -observed;
  }

  private static double exponential(UniformRandomProvider rng) {
    return ZigguratSampler.Exponential.of(rng).sample();
  }

  private static double normal(UniformRandomProvider rng) {
    return ZigguratSampler.NormalizedGaussian.of(rng).sample();
  }

  private static double gamma(double shape, double scale, UniformRandomProvider rng) {
    return AhrensDieterMarsagliaTsangGammaSampler.of(
            rng, Math.max(Double.MIN_NORMAL, shape), Math.max(Double.MIN_NORMAL, scale))
        .sample();
  }

  private static double overdispersed(double eta, double shape, UniformRandomProvider rng) {
    return count(gamma(shape, Math.exp(eta) / shape, rng), rng);
  }

  /** Draws a count above 0: by its probabilities, from 1 on, or by rejection if 0 is rare. */
  private static double above(double eta, UniformRandomProvider rng) {
    double mean = Math.exp(eta);
    double log = -SHAPE * Math.log1p(mean / SHAPE);
    double k = 0;
    while (log < -5 && k == 0) {
      k = overdispersed(eta, SHAPE, rng);
    }
    if (k > 0) {
      return k;
    }
    double share = mean / (SHAPE + mean);
    double rest = -Math.expm1(log) * rng.nextDouble();
    double p = Math.exp(log) * SHAPE * share;
    for (k = 1; rest >= p && p > 0; k++) {
      rest -= p;
      p *= (k + SHAPE) / (k + 1) * share;
    }
    return k;
  }

  private static double count(double mean, UniformRandomProvider rng) {
    // What a sampler of counts takes.
    return PoissonSampler.of(rng, Math.min(1e9, Math.max(1e-12, mean))).sample();
  }
}
