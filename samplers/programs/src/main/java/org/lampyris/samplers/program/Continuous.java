package org.lampyris.samplers.program;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;

/**
 * Distributions of two positive parameters a and b on a part of the line, by commons-statistics.
 *
 * @param law which one
 */
record Continuous(Law law, Term a, Term b) implements Density {
  enum Law {
    /** ∝ x^(a−1) (1 − x)^(b−1) on (0, 1). */
    BETA,
    /** ∝ x^(a−1) e^(−bx) on x &gt; 0; b is a rate. */
    GAMMA,
    /** ∝ x^(−a−1) e^(−b/x) on x &gt; 0: 1/x has the gamma distribution of rate b. */
    INVERSE_GAMMA
  }

  @Override
  public List<Term> parameters() {
    return List.of(a, b);
  }

  private ContinuousDistribution of(Given given) {
    return law == Law.BETA
        ? BetaDistribution.of(a.at(given), b.at(given))
        : GammaDistribution.of(a.at(given), 1 / b.at(given));
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    double value = x[at];
    if (!(value > 0) || (law == Law.BETA && value >= 1)) {
      return Double.NEGATIVE_INFINITY;
    }
    return law == Law.INVERSE_GAMMA
        ? of(given).logDensity(1 / value) - 2 * Math.log(value)
        : of(given).logDensity(value);
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    double drawn = of(given).createSampler(rng).sample();
    out[at] = law == Law.INVERSE_GAMMA ? 1 / drawn : drawn;
  }
}
