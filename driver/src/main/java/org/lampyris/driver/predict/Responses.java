package org.lampyris.driver.predict;

import java.util.function.DoubleSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ChengBetaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.TSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.lampyris.bounds.family.Response;

/** Draws responses from their distributions. */
public final class Responses {
  /** Above this mean, a Poisson number is drawn as a rounded normal: sd 10⁻⁴ of the mean. */
  private static final double LARGE = 1e8;

  /** More trials are halved: the library's sampler costs about √trials, halving log trials. */
  private static final int HALVED = 1 << 12;

  private Responses() {}

  /**
   * Draws a response.
   *
   * @param trials number of trials in which successes are counted: a whole number
   * @return +∞ if the mean of a count or of a positive number is: it has left the range of numbers
   */
  static double draw(Response of, double trials, UniformRandomProvider rng) {
    return sampler(of, trials, rng).getAsDouble();
  }

  /** Returns a sampler of independent responses, each as {@link #draw} would give it. */
  public static DoubleSupplier sampler(Response of, double trials, UniformRandomProvider rng) {
    if (of instanceof Response.Trials one) {
      return binomial(trials, one.probability(), rng);
    }
    if (of instanceof Response.Normal normal) {
      ZigguratSampler.NormalizedGaussian z = ZigguratSampler.NormalizedGaussian.of(rng);
      return () -> normal.mean() + normal.sd() * z.sample();
    }
    if (of instanceof Response.Student t) {
      TSampler standard = TSampler.of(rng, t.df());
      return () -> t.location() + t.scale() * standard.sample();
    }
    if (of instanceof Response.AsymmetricLaplace one) {
      ZigguratSampler.Exponential e = ZigguratSampler.Exponential.of(rng);
      double q = one.quantile();
      return () -> one.location() + one.scale() * (e.sample() / q - e.sample() / (1 - q));
    }
    if (of instanceof Response.Gamma gamma) {
      return gamma(gamma.mean(), gamma.shape(), rng);
    }
    if (of instanceof Response.Poisson poisson) {
      return poisson(poisson.mean(), rng);
    }
    if (of instanceof Response.NegativeBinomial negative) {
      return count(negative.mean(), negative.shape(), rng);
    }
    if (of instanceof Response.Zeros zeros) {
      return zeros(zeros, rng);
    }
    if (of instanceof Response.Time time) {
      DoubleSupplier error = error(time.residual(), rng);
      return () -> Math.exp(time.location() + time.scale() * error.getAsDouble());
    }
    Response.Beta beta = (Response.Beta) of;
    double a = beta.mean() * beta.phi();
    double b = (1 - beta.mean()) * beta.phi();
    return a > 0 && b > 0 ? ChengBetaSampler.of(rng, a, b)::sample : beta::mean;
  }

  /**
   * Returns a sampler of counts with zeros of their own. A count comes in clusters, whose number is
   * Poisson: of one event each, or of a logarithmic number if there is a shape. The first of a
   * Poisson process that has one by time λ comes at −log(1 − u(1 − e^−λ)); what comes after it is a
   * count of the same kind. Source: Quenouille (1949), for the clusters.
   */
  private static DoubleSupplier zeros(Response.Zeros of, UniformRandomProvider rng) {
    double rate = of.rate();
    DoubleSupplier count =
        of.hurdle()
            ? () -> {
              double first = -Math.log1p(rng.nextDouble() * Math.expm1(-rate));
              double rest = rate > 0 ? Math.max(0, 1 - first / rate) : 0;
              double size = cluster(of.mean() / (of.mean() + of.shape()), rng);
              return size + count(rest * of.mean(), rest * of.shape(), rng).getAsDouble();
            }
            : count(of.mean(), of.shape(), rng);
    return () -> rng.nextDouble() < of.zero() ? 0 : count.getAsDouble();
  }

  /** Returns a sampler of counts of a mean and a shape, +∞ for Poisson ones. */
  private static DoubleSupplier count(double mean, double shape, UniformRandomProvider rng) {
    if (!(shape < Double.POSITIVE_INFINITY)) {
      return poisson(mean, rng);
    }
    DoubleSupplier rate = gamma(mean, shape, rng);
    return () -> poisson(rate.getAsDouble(), rng).getAsDouble();
  }

  /**
   * Draws from P(k) ∝ pᵏ/k, k = 1, 2, …. Source: Kemp (1981), algorithm LK; Devroye (1986), chapter
   * X, section 5.
   */
  private static double cluster(double p, UniformRandomProvider rng) {
    double v = rng.nextDouble();
    if (!(v < p)) {
      return 1;
    }
    double q = -Math.expm1(rng.nextDouble() * Math.log1p(-p));
    return v <= q * q ? Math.floor(1 + Math.log(v) / Math.log(q)) : v < q ? 2 : 1;
  }

  /** Returns a sampler of the standard distribution of a logarithm of times. */
  private static DoubleSupplier error(Response.Time.Residual of, UniformRandomProvider rng) {
    ZigguratSampler.Exponential one = ZigguratSampler.Exponential.of(rng);
    return switch (of) {
      case EXTREME -> () -> Math.log(one.sample());
      case NORMAL -> ZigguratSampler.NormalizedGaussian.of(rng)::sample;
      case LOGISTIC ->
          () -> {
            double odds = one.sample();
            return Math.log(odds / one.sample());
          };
    };
  }

  private static DoubleSupplier binomial(double trials, double p, UniformRandomProvider rng) {
    if (!(p > 0 && p < 1)) {
      return () -> p * trials;
    }
    if (trials == 1) {
      return () -> rng.nextDouble() < p ? 1 : 0;
    }
    return trials > HALVED
        ? () -> halved(trials, p, rng)
        : BinomialDistribution.of((int) trials, p).createSampler(rng)::sample;
  }

  /**
   * Draws a number of successes of many trials. The i-th smallest of n uniform numbers is Beta(i, n
   * + 1 − i), and given it the numbers on either side of it are uniform again. Exact. Cost O(log
   * trials). Source: Devroye (1986), chapter X, section 4.4, after Relles (1972).
   */
  private static double halved(double trials, double probability, UniformRandomProvider rng) {
    double n = trials;
    double p = probability;
    double successes = 0;
    while (n > HALVED && p > 0 && p < 1) {
      double i = Math.floor(n / 2);
      double below = gamma(i, i, rng).getAsDouble();
      double middle = below / (below + gamma(n + 1 - i, n + 1 - i, rng).getAsDouble());
      if (middle <= p) {
        successes += i;
        n -= i;
        p = Math.min(1, (p - middle) / (1 - middle));
      } else {
        n = i - 1;
        p /= middle;
      }
    }
    return successes + binomial(n, p, rng).getAsDouble();
  }

  private static DoubleSupplier gamma(double mean, double shape, UniformRandomProvider rng) {
    double scale = mean / shape;
    if (!(scale > 0) || mean == Double.POSITIVE_INFINITY) {
      return () -> mean;
    }
    if (scale < Double.POSITIVE_INFINITY) {
      return AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, scale)::sample;
    }
    SharedStateContinuousSampler one = AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, 1);
    return () -> one.sample() / shape * mean;
  }

  private static DoubleSupplier poisson(double mean, UniformRandomProvider rng) {
    if (mean == Double.POSITIVE_INFINITY) {
      return () -> mean;
    }
    if (mean > LARGE) {
      ZigguratSampler.NormalizedGaussian z = ZigguratSampler.NormalizedGaussian.of(rng);
      return () -> Math.rint(mean + Math.sqrt(mean) * z.sample());
    }
    return mean > 0 ? PoissonSampler.of(rng, mean)::sample : () -> 0;
  }

  /** Draws a class from the probabilities of one draw. */
  public static int draw(double[][] probabilities, int draw, UniformRandomProvider rng) {
    double u = rng.nextDouble();
    int k = 0;
    for (; k < probabilities.length - 1; k++) {
      u -= probabilities[k][draw];
      if (u < 0) {
        break;
      }
    }
    return k;
  }
}
