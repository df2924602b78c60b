package org.lampyris.experiments.pictures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.numeric.StableMath;

/** Estimates that are unbiased: of likelihoods by half of the rows, of means by growing ones. */
class HalfBrightTest {
  /** All brightness of four rows: mean and variance of the estimate and of its logarithm. */
  @Test
  void theEstimateIsUnbiased() {
    double[] signed = HalfBright.rows(4);
    for (double theta : new double[] {-1.3, 0.4, 2}) {
      double mean = 0;
      double log = 0;
      double square = 0;
      for (int z = 0; z < 16; z++) {
        double value = 0;
        for (int n = 0; n < 4; n++) {
          value += HalfBright.logFactor(signed[n] * theta, (z >> n & 1) == 1);
        }
        mean += Math.exp(value) / 16;
        log += value / 16;
        square += value * value / 16;
      }
      double likelihood = Arrays.stream(signed).map(s -> StableMath.logSigmoid(s * theta)).sum();
      assertEquals(Math.exp(likelihood), mean, 1e-13);
      assertEquals(square - log * log, HalfBright.variance(signed, theta), 1e-9 * square);
    }
  }

  /** 300,000 steps with two rows are worth some 10,000 draws. */
  @Test
  void withTwoRowsItsChainHasThePosterior() {
    double[] signed = HalfBright.rows(2);
    double[] moments = HalfBright.moments(signed);
    double[] draws = HalfBright.chain(signed, 2.4 * moments[1], 300_000, 2);
    double mean = Arrays.stream(draws).average().orElseThrow();
    double variance =
        Arrays.stream(draws).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    assertEquals(moments[0], mean, 0.03 * moments[1]);
    assertEquals(1, variance / moments[1] / moments[1], 0.05);
  }

  /** |z| below 4 for chains that begin exactly, a false alarm in 5,000 runs; others are biased. */
  @Test
  void pathsAreUnbiasedIfTheirChainsAre() {
    List<double[]> rows =
        new PosteriorPaths(4_000)
            .files()
            .getOrDefault("paths.csv", "")
            .lines()
            .skip(1)
            .map(line -> line.split(",", -1))
            .map(cells -> Arrays.stream(cells).mapToDouble(Double::parseDouble).toArray())
            .toList();
    assertEquals(6, rows.size());
    for (double[] row : rows) {
      assertTrue(row[1] == 1 ? Math.abs(row[3]) < 4 : row[3] < -10, () -> Arrays.toString(row));
      assertTrue(row[6] - row[6] * 0.01 < 1, "cheaper than a chain on all rows");
    }
    // Σ_t n_t·P(T ≥ t): 16·Σ 2^(t/2), for α = ½.
    double cost = 0;
    for (int t = 0; t <= 8; t++) {
      cost += 16 * Math.pow(2, 0.5 * t);
    }
    assertEquals(cost / 4096, rows.get(1)[6], 0.1 * cost / 4096);
  }
}
