package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;

class QuadratureTest {
  /** 24 × 24 cells of width ½ and ¼ from (−1, 2); all of the mass in the first two of a row. */
  private static Quadrature grid() {
    double[] probability = new double[24 * 24];
    probability[0] = 0.75;
    probability[1] = 0.25;
    return new Quadrature(new double[] {-1, 2}, new double[] {0.5, 0.25}, probability);
  }

  private static ChainTrace chain(double[]... thetas) {
    ChainTrace chain = new ChainTrace(1);
    for (double[] theta : thetas) {
      chain.add(theta, 0, new ChainTrace.Iteration(new StepInfo(1, 1, false), 0));
    }
    return chain;
  }

  @Test
  void itIsHalfTheSumOfDifferencesAndOfWhatIsOutside() {
    double[] first = {-0.9, 2.1};
    double[] second = {-0.6, 2.4};
    double[] far = {-0.9, 1.9};
    Quadrature grid = grid();
    assertEquals(0, grid.totalVariation(List.of(chain(first, first), chain(first, second))), 1e-15);
    assertEquals(0.25, grid.totalVariation(List.of(chain(first, second))), 1e-15);
    // ½ (|¾ − ½| + |¼ − 0| + ½)
    assertEquals(0.5, grid.totalVariation(List.of(chain(first, far))), 1e-15);
  }

  /** The mean absolute deviation of a binomial share, by its normal approximation. */
  @Test
  void exactDrawsAreOffByTheirNoise() {
    Random random = new Random(3);
    double[] distances = new double[400];
    Arrays.setAll(
        distances,
        k -> {
          double[][] thetas = new double[300][];
          Arrays.setAll(
              thetas,
              i ->
                  random.nextDouble() < 0.75 ? new double[] {-0.9, 2.1} : new double[] {-0.9, 2.4});
          return grid().totalVariation(List.of(chain(thetas)));
        });
    double mean = Arrays.stream(distances).average().orElseThrow();
    assertEquals(grid().ofExactDraws(300), mean, 0.002);
  }
}
