package org.lampyris.driver.predict;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ChengBetaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.TSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.lampyris.bounds.family.Response;

/** Draws responses from their distributions. */
final class Responses {
  /** Of larger means a Poisson number is drawn as a normal one, rounded: sd 10⁻⁴ of the mean. */
  private static final double LARGE = 1e8;

  private Responses() {}

  /**
   * Draws a response.
   *
   * @param trials of how many trials successes are counted
   * @return +∞ if the mean of a count or of a positive number is: it has left the range of numbers
   */
  static double draw(Response of, int trials, UniformRandomProvider rng) {
    if (of instanceof Response.Trials one) {
      return trials == 1
          ? rng.nextDouble() < one.probability() ? 1 : 0
          : BinomialDistribution.of(trials, one.probability()).createSampler(rng).sample();
    }
    if (of instanceof Response.Normal normal) {
      return normal.mean() + normal.sd() * ZigguratSampler.NormalizedGaussian.of(rng).sample();
    }
    if (of instanceof Response.Student t) {
      return t.location() + t.scale() * TSampler.of(rng, t.df()).sample();
    }
    if (of instanceof Response.Gamma gamma) {
      return gamma(gamma.mean(), gamma.shape(), rng);
    }
    if (of instanceof Response.Poisson poisson) {
      return poisson(poisson.mean(), rng);
    }
    if (of instanceof Response.NegativeBinomial negative) {
      return poisson(gamma(negative.mean(), negative.shape(), rng), rng);
    }
    Response.Beta beta = (Response.Beta) of;
    double a = beta.mean() * beta.phi();
    double b = (1 - beta.mean()) * beta.phi();
    return a > 0 && b > 0 ? ChengBetaSampler.of(rng, a, b).sample() : beta.mean();
  }

  private static double gamma(double mean, double shape, UniformRandomProvider rng) {
    double scale = mean / shape;
    if (!(scale > 0) || mean == Double.POSITIVE_INFINITY) {
      return mean;
    }
    return scale < Double.POSITIVE_INFINITY
        ? AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, scale).sample()
        : AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, 1).sample() / shape * mean;
  }

  private static double poisson(double mean, UniformRandomProvider rng) {
    if (mean == Double.POSITIVE_INFINITY) {
      return mean;
    }
    if (mean > LARGE) {
      double normal = ZigguratSampler.NormalizedGaussian.of(rng).sample();
      return Math.rint(mean + Math.sqrt(mean) * normal);
    }
    return mean > 0 ? PoissonSampler.of(rng, mean).sample() : 0;
  }

  /** Draws a class by the probabilities of all, of which one draw is asked for. */
  static int draw(double[][] probabilities, int draw, UniformRandomProvider rng) {
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
