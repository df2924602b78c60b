package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.random.Noise;

/** Linear regressions with a known error: subposteriors and posterior are normal. */
class NormalShardsTest {
  private static final int D = 3;
  private static final int SHARDS = 8;
  private static final int ROWS = 40;
  private static final double PRIOR_PRECISION = 0.1;
  private static final double WIDE = 2;
  private static final long SEED = 20;

  /** Rows (x, y), shard after shard. */
  private static double[][] table(long seed, boolean likeOneAnother) {
    Noise noise = Noise.of(Shards.rng(seed, 0));
    double[][] rows = new double[SHARDS * ROWS][];
    for (int i = 0; i < rows.length; i++) {
      int shard = i / ROWS;
      double[] z = noise.normals(D + 1);
      double mixed = likeOneAnother ? 0 : (shard % 3 - 1) * 0.9;
      double[] x = {
        z[0], z[1] + mixed * z[0], 3 * z[2] + (likeOneAnother ? 0 : shard * 0.4 * z[1])
      };
      double[] row = Arrays.copyOf(x, D + 1);
      row[D] = x[0] - 2 * x[1] + 0.5 * x[2] + 4 * z[D];
      rows[i] = row;
    }
    return rows;
  }

  /** Returns N(P⁻¹ Xᵀy/σ², P⁻¹), P = XᵀX/σ² + share · prior. */
  private static Gaussian posterior(double[][] rows, double share) {
    double[] precision = new double[D * D];
    double[] shift = new double[D];
    for (int j = 0; j < D; j++) {
      precision[j * D + j] = share * PRIOR_PRECISION;
      for (double[] row : rows) {
        shift[j] += row[j] * row[D] / 16;
        for (int k = 0; k < D; k++) {
          precision[j * D + k] += row[j] * row[k] / 16;
        }
      }
    }
    Cholesky factor = Cholesky.scaled(precision, D).orElseThrow();
    return Gaussian.of(factor.solve(shift), factor.inverse());
  }

  private static List<Gaussian> tempered(double[][] rows) {
    return IntStream.range(0, SHARDS)
        .mapToObj(s -> Arrays.copyOfRange(rows, s * ROWS, (s + 1) * ROWS))
        .map(shard -> posterior(shard, 1.0 / SHARDS))
        .toList();
  }

  private static Subposteriors draws(List<Gaussian> shards, int perChain) {
    return Shards.draws(
        shards.size(), 4, perChain, s -> Shards.normal(shards.get(s), Shards.rng(SEED, 1 + s)));
  }

  /** How far draws are from a normal distribution, where that is standard. */
  private record Miss(double mean, double variance, double correlation) {
    static Miss of(double[][] draws, Gaussian exact) {
      Gaussian moments = Gaussian.ofDraws(exact.whitened(draws), "the combination");
      Miss miss = new Miss(0, 0, 0);
      for (int j = 0; j < moments.mean().length; j++) {
        for (int k = 0; k <= j; k++) {
          double entry = moments.covariance()[j * moments.mean().length + k];
          miss =
              new Miss(
                  Math.max(miss.mean, Math.abs(moments.mean()[j])),
                  Math.max(miss.variance, j == k ? Math.abs(entry - 1) : 0),
                  Math.max(miss.correlation, j == k ? 0 : Math.abs(entry)));
        }
      }
      return miss;
    }

    void requireBelow(double mostMean, double mostVariance, double mostCorrelation) {
      assertTrue(
          mean < mostMean && variance < mostVariance && correlation < mostCorrelation,
          this::toString);
    }
  }

  private static Combination named(String name) {
    return Registry.of(Combination.class).named(name);
  }

  /**
   * Tolerances are five standard errors of 10,000 draws, doubled where a tenth of the pairs is what
   * each set is made of.
   */
  @ParameterizedTest
  @CsvSource({
    "consensus, 0.05, 0.07, 0.05",
    "gaussian-product, 0.05, 0.07, 0.05",
    "weierstrass, 0.1, 0.14, 0.1"
  })
  void productOfNormalSubposteriors(String name, double mean, double variance, double correlation) {
    double[][] rows = table(SEED, false);
    double[][] draws = draw(name, tempered(rows), 2500);
    Miss.of(draws, posterior(rows, 1)).requireBelow(mean, variance, correlation);
  }

  /** Kernels widen each subposterior by h² of the average covariance; three shards, to mix well. */
  @Test
  void kernelProductIsThatOfSmoothedSubposteriors() {
    List<Gaussian> shards = tempered(table(SEED, false)).subList(0, 3);
    double[] average = Gaussian.average(shards).covariance();
    int perChain = 5_000;
    double h = WIDE * Math.pow(1.5 * perChain, -1.0 / 7);
    List<Gaussian> smoothed =
        shards.stream()
            .map(
                shard -> {
                  double[] wider = shard.covariance().clone();
                  Arrays.setAll(wider, k -> wider[k] + h * h * average[k]);
                  return Gaussian.of(shard.mean(), wider);
                })
            .toList();
    double[][] draws = draw("kernel-product", shards, perChain, WIDE);
    Miss.of(draws, Gaussian.product(smoothed)).requireBelow(0.1, 0.12, 0.1);
    Miss unsmoothed = Miss.of(draws, Gaussian.product(shards));
    assertTrue(unsmoothed.variance > 0.3, unsmoothed::toString);
  }

  @Test
  void semiparametricProductHasNoBiasWhereNormalFitsAreExact() {
    List<Gaussian> shards = tempered(table(SEED, false)).subList(0, 3);
    double[][] draws = draw("semiparametric", shards, 20_000, WIDE);
    Miss.of(draws, Gaussian.product(shards)).requireBelow(0.1, 0.12, 0.1);
  }

  private static double[][] draw(String name, List<Gaussian> shards, int perChain) {
    return draw(name, shards, perChain, null);
  }

  private static double[][] draw(
      String name, List<Gaussian> shards, int perChain, @Nullable Double bandwidth) {
    return Shards.pooled(
        named(name).combine(draws(shards, perChain), Shards.setting(SEED, bandwidth)));
  }

  @Test
  void scalarWeightsNeedShardsThatAreAlike() {
    double[][] unlike = table(SEED, false);
    Miss off = Miss.of(draw("consensus-scalar", tempered(unlike), 2500), posterior(unlike, 1));
    assertTrue(off.mean > 0.5 && off.variance > 0.3, off::toString);
    double[] one = {2, 1, 0, 1, 3, -1, 0, -1, 4};
    List<Gaussian> proportional =
        IntStream.range(0, SHARDS)
            .mapToObj(
                s ->
                    Gaussian.of(
                        new double[] {s, -s, 0},
                        Arrays.stream(one).map(v -> v * (s + 1)).toArray()))
            .toList();
    Miss.of(draw("consensus-scalar", proportional, 2500), weighted(proportional))
        .requireBelow(0.05, 0.07, 0.05);
  }

  /** Returns the product where covariances are s + 1 times the first: weights 1/(s + 1). */
  private static Gaussian weighted(List<Gaussian> shards) {
    double sum = IntStream.range(0, SHARDS).mapToDouble(s -> 1.0 / (s + 1)).sum();
    double[] mean = new double[D];
    for (int s = 0; s < SHARDS; s++) {
      for (int j = 0; j < D; j++) {
        mean[j] += shards.get(s).mean()[j] / (s + 1) / sum;
      }
    }
    return Gaussian.of(mean, Arrays.stream(shards.get(0).covariance()).map(v -> v / sum).toArray());
  }

  @Test
  void consensusKeepsThePlaceOfDraws() {
    List<Gaussian> alike = List.of(unit(0), unit(2));
    Subposteriors draws = draws(alike, 2000);
    double[][][] out = named("consensus").combine(draws, Shards.setting(SEED, null)).draws();
    for (int c = 0; c < 4; c++) {
      for (int i = 0; i < 2000; i++) {
        double expected = (draws.draws()[0][c][i][0] + draws.draws()[1][c][i][0]) / 2;
        assertEquals(expected, out[c][i][0], 0.1);
      }
    }
  }

  private static Gaussian unit(double mean) {
    return Gaussian.of(new double[] {mean}, new double[] {1});
  }
}
