package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/** How many passes over a tall table the mode takes, to a hundredth of a posterior sd. */
class MapPassesTest {
  private static final int ROWS = 200_000;
  private static final int BLOCK_ROWS = 4096;
  private static final int D = 21;
  private static final double TOLERANCE = 1e-2;

  /** Blocks of the first 20,480 rows. */
  private static final int SAMPLED = 5;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1209);

  /** Draws a response given its linear predictor. */
  private interface Response {
    double draw(double eta);
  }

  private List<DataBlock> rows(double intercept, double effect, Response response) {
    double[] theta = new double[D];
    for (int j = 0; j < D; j++) {
      theta[j] = j == 0 ? intercept : effect * random.nextGaussian();
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < ROWS; from += BLOCK_ROWS) {
      int n = Math.min(BLOCK_ROWS, ROWS - from);
      double[] x = new double[n * D];
      double[] y = new double[n];
      for (int row = 0; row < n; row++) {
        // Any two columns have the correlation ½.
        double shared = random.nextGaussian();
        double eta = 0;
        for (int j = 0; j < D; j++) {
          x[row * D + j] = j == 0 ? 1 : (shared + random.nextGaussian()) * Math.sqrt(0.5);
          eta += theta[j] * x[row * D + j];
        }
        y[row] = response.draw(eta);
      }
      blocks.add(new DenseBlock(blocks.size(), D, x, y, null));
    }
    return blocks;
  }

  private static MapFit fit(List<DataBlock> blocks, Model model, double tolerance) {
    int sampled = blocks.subList(0, SAMPLED).stream().mapToInt(DataBlock::rows).sum();
    return new MapFinder(
            ProductPrior.parse(Collections.nCopies(D, "normal(0, 2.5)")),
            Collections.nCopies(D, "x"),
            tolerance,
            100)
        .find(
            Objective.of(blocks, model, 1),
            Objective.of(blocks.subList(0, SAMPLED), model, (double) ROWS / sampled),
            pass -> {});
  }

  private static void assertFound(List<DataBlock> blocks, Model model, int passes) {
    MapFit quick = fit(blocks, model, TOLERANCE);
    MapFit exact = fit(blocks, model, 1e-9);
    assertEquals(passes, quick.passes());
    for (int j = 0; j < D; j++) {
      double inSd = Math.abs(quick.theta()[j] - exact.theta()[j]) / exact.sd(j);
      assertTrue(inSd <= TOLERANCE, "coefficient " + j + " is off by " + inSd + " sd");
      assertEquals(1, quick.sd(j) / exact.sd(j), TOLERANCE);
    }
  }

  @Test
  void correlatedColumnsAndAHundredthOfPositives() {
    List<DataBlock> blocks =
        rows(-5.5, 0.3, eta -> random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1);
    assertFound(blocks, new LinearModel(new LogisticLikelihood(), D), 3);
  }

  @Test
  void residualsThatAreSkewedAndHeavyTailed() {
    List<DataBlock> blocks =
        rows(
            3,
            2,
            eta ->
                eta
                    + (random.nextInt(5) == 0
                        ? -60 * Math.log(1 - random.nextDouble())
                        : 10 * random.nextGaussian() - 5));
    assertFound(blocks, new LinearModel(new RobustFamily.RobustLikelihood(4, 14.5), D), 2);
  }
}
