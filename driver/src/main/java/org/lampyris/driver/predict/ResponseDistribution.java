package org.lampyris.driver.predict;

import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.DiscreteDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Density and distribution function of a response at one value.
 *
 * @param logDensity log p(y), natural log; of a count its log probability
 * @param below P(Y &lt; y)
 * @param atMost P(Y ≤ y)
 */
record ResponseDistribution(double logDensity, double below, double atMost) {
  private static final ResponseDistribution UNKNOWN =
      new ResponseDistribution(Double.NaN, Double.NaN, Double.NaN);

  /**
   * Returns them; NaN if a parameter has left the range of the distribution.
   *
   * @param trials number of trials in which successes are counted
   */
  static ResponseDistribution at(double y, Response of, double trials) {
    try {
      return known(y, of, trials);
    } catch (IllegalArgumentException e) {
      return UNKNOWN; // such as a mean that has overflowed
    }
  }

  private static ResponseDistribution known(double y, Response of, double trials) {
    if (of instanceof Response.Trials one) {
      return discrete(BinomialDistribution.of((int) trials, one.probability()), y);
    }
    if (of instanceof Response.Normal normal) {
      return continuous(NormalDistribution.of(normal.mean(), normal.sd()), y, 1);
    }
    if (of instanceof Response.Student t) {
      double z = (y - t.location()) / t.scale();
      return continuous(TDistribution.of(t.df()), z, t.scale());
    }
    if (of instanceof Response.AsymmetricLaplace one) {
      double q = one.quantile();
      double z = (y - one.location()) / one.scale();
      double by = z < 0 ? q * Math.exp((1 - q) * z) : 1 - (1 - q) * Math.exp(-q * z);
      double density = Math.log(q * (1 - q)) - Math.log(one.scale()) - z * (z < 0 ? q - 1 : q);
      return new ResponseDistribution(density, by, by);
    }
    if (of instanceof Response.Gamma gamma) {
      return continuous(GammaDistribution.of(gamma.shape(), gamma.mean() / gamma.shape()), y, 1);
    }
    if (of instanceof Response.Poisson poisson) {
      return discrete(PoissonDistribution.of(poisson.mean()), y);
    }
    if (of instanceof Response.NegativeBinomial negative) {
      return negative(y, negative.mean(), negative.shape());
    }
    if (of instanceof Response.Zeros zeros) {
      return zeros(y, zeros);
    }
    if (of instanceof Response.Time time) {
      return time(y, time);
    }
    Response.Beta beta = (Response.Beta) of;
    double a = beta.mean() * beta.phi();
    return continuous(BetaDistribution.of(a, beta.phi() - a), y, 1);
  }

  private static ResponseDistribution continuous(
      ContinuousDistribution of, double y, double scale) {
    double below = of.cumulativeProbability(y);
    return new ResponseDistribution(of.logDensity(y) - Math.log(scale), below, below);
  }

  /** The rest 1 − p is spread as the counts are, in a hurdle model those above 0. */
  private static ResponseDistribution zeros(double y, Response.Zeros of) {
    double none = Math.exp(-of.rate());
    double rest = of.hurdle() ? (1 - of.zero()) / -Math.expm1(-of.rate()) : 1 - of.zero();
    double atZero = of.hurdle() ? of.zero() : of.zero() + rest * none;
    if (y == 0) {
      return new ResponseDistribution(Math.log(atZero), 0, atZero);
    }
    ResponseDistribution count = known(y, of.count(), 1);
    double base = of.hurdle() ? of.zero() - rest * none : of.zero();
    return new ResponseDistribution(
        Math.log(rest) + count.logDensity, base + rest * count.below, base + rest * count.atMost);
  }

  private static ResponseDistribution time(double y, Response.Time of) {
    double z = (Math.log(y) - of.location()) / of.scale();
    double by =
        switch (of.residual()) {
          case EXTREME -> -Math.expm1(-Math.exp(z));
          case NORMAL -> NormalDistribution.of(0, 1).cumulativeProbability(z);
          case LOGISTIC -> StableMath.sigmoid(z);
        };
    double density =
        switch (of.residual()) {
          case EXTREME -> z - Math.exp(z);
          case NORMAL -> NormalDistribution.of(0, 1).logDensity(z);
          case LOGISTIC -> z - 2 * StableMath.log1pExp(z);
        };
    return new ResponseDistribution(density - Math.log(of.scale()) - Math.log(y), by, by);
  }

  private static ResponseDistribution discrete(DiscreteDistribution of, double y) {
    if (!(y < Integer.MAX_VALUE)) {
      return UNKNOWN;
    }
    int k = (int) y;
    return new ResponseDistribution(
        of.logProbability(k), of.cumulativeProbability(k - 1), of.cumulativeProbability(k));
  }

  /** With p = shape/(shape + mean): P(Y ≤ y) = I_p(shape, y + 1). */
  private static ResponseDistribution negative(double y, double mean, double shape) {
    double p = shape / (shape + mean);
    double log =
        LogGamma.of(y + shape)
            - LogGamma.of(shape)
            - LogGamma.of(y + 1)
            + shape * Math.log(p)
            + (y == 0 ? 0 : y * Math.log1p(-p));
    return new ResponseDistribution(
        log,
        y == 0 ? 0 : RegularizedBeta.value(p, shape, y),
        RegularizedBeta.value(p, shape, y + 1));
  }
}
