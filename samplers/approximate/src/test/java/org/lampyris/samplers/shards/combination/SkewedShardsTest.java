package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.Registry;

/**
 * Gamma subposteriors of four shards, shapes a_s and rates b_s: the product is Gamma(Σ(a_s − 1) +
 * 1, Σ b_s).
 */
class SkewedShardsTest {
  private static final double[] SHAPES = {4, 5, 6, 7};
  private static final double[] RATES = {1, 1.5, 1.5, 2};
  private static final long SEED = 21;

  /** The largest error of P(X ≤ q) over quantiles q of the exact product. */
  static double error(double[][] draws) {
    GammaDistribution exact =
        GammaDistribution.of(
            Arrays.stream(SHAPES).map(a -> a - 1).sum() + 1, 1 / Arrays.stream(RATES).sum());
    double largest = 0;
    for (double p : new double[] {0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98}) {
      double q = exact.inverseCumulativeProbability(p);
      double share = Arrays.stream(draws).filter(x -> x[0] <= q).count() / (double) draws.length;
      largest = Math.max(largest, Math.abs(share - p));
    }
    return largest;
  }

  /**
   * Of 20,000 draws, probabilities have a standard error of 0.0035; those of the chains more, for
   * they are autocorrelated. Kernels and bandwidths do the rest.
   */
  @ParameterizedTest
  @CsvSource({
    "consensus, 0.15, 1",
    "gaussian-product, 0.15, 1",
    "kernel-product, 0, 0.03",
    "semiparametric, 0, 0.03",
    "weierstrass, 0, 0.03"
  })
  void errorOfProbabilities(String name, double least, double most) {
    Subposteriors draws =
        Shards.draws(
            SHAPES.length,
            4,
            5000,
            s -> Shards.gamma(SHAPES[s], RATES[s], Shards.rng(SEED, 1 + s)));
    Combination.Combined combined =
        Registry.of(Combination.class).named(name).combine(draws, Shards.setting(SEED, null));
    double error = error(Shards.pooled(combined));
    assertTrue(error >= least && error <= most, () -> name + " " + error);
  }
}
