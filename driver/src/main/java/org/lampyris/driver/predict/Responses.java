package org.lampyris.driver.predict;

import java.util.function.DoubleSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ChengBetaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.TSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.lampyris.bounds.family.Response;

/** Draws responses from their distributions. */
public final class Responses {
  /** Of larger means a Poisson number is drawn as a normal one, rounded: sd 10⁻⁴ of the mean. */
  private static final double LARGE = 1e8;

  private Responses() {}

  /**
   * Draws a response.
   *
   * @param trials of how many trials successes are counted
   * @return NaN where the distribution has no finite mean
   */
  static double draw(Response of, int trials, UniformRandomProvider rng) {
    return sampler(of, trials, rng).getAsDouble();
  }

  /**
   * Returns a sampler of independent responses.
   *
   * @param trials number of trials in which successes are counted; 1 for most families
   * @return a source of responses; NaN where the distribution has no finite mean
   */
  public static DoubleSupplier sampler(Response of, int trials, UniformRandomProvider rng) {
    if (of instanceof Response.Trials one) {
      return trials == 1
          ? () -> rng.nextDouble() < one.probability() ? 1 : 0
          : BinomialDistribution.of(trials, one.probability()).createSampler(rng)::sample;
    }
    if (of instanceof Response.Normal normal) {
      ZigguratSampler.NormalizedGaussian z = ZigguratSampler.NormalizedGaussian.of(rng);
      return () -> normal.mean() + normal.sd() * z.sample();
    }
    if (of instanceof Response.Student t) {
      TSampler standard = TSampler.of(rng, t.df());
      return () -> t.location() + t.scale() * standard.sample();
    }
    if (of instanceof Response.Gamma gamma) {
      return gamma(gamma.mean(), gamma.shape(), rng);
    }
    if (of instanceof Response.Poisson poisson) {
      return poisson(poisson.mean(), rng);
    }
    if (of instanceof Response.NegativeBinomial negative) {
      DoubleSupplier mean = gamma(negative.mean(), negative.shape(), rng);
      return () -> poisson(mean.getAsDouble(), rng).getAsDouble();
    }
    Response.Beta beta = (Response.Beta) of;
    double a = beta.mean() * beta.phi();
    double b = (1 - beta.mean()) * beta.phi();
    return a > 0 && b > 0 ? ChengBetaSampler.of(rng, a, b)::sample : beta::mean;
  }

  private static DoubleSupplier gamma(double mean, double shape, UniformRandomProvider rng) {
    double scale = mean / shape;
    if (!(scale > 0)) {
      return () -> mean;
    }
    return scale < Double.POSITIVE_INFINITY
        ? AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, scale)::sample
        : () -> Double.NaN;
  }

  private static DoubleSupplier poisson(double mean, UniformRandomProvider rng) {
    if (!(mean < Double.POSITIVE_INFINITY)) {
      return () -> Double.NaN;
    }
    if (mean > LARGE) {
      ZigguratSampler.NormalizedGaussian z = ZigguratSampler.NormalizedGaussian.of(rng);
      return () -> Math.rint(mean + Math.sqrt(mean) * z.sample());
    }
    return mean > 0 ? PoissonSampler.of(rng, mean)::sample : () -> 0;
  }

  /** Draws a class by the probabilities of all, of which one draw is asked for. */
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
