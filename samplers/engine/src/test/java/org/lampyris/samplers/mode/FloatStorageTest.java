package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;

/** What rounding features to floats does to a posterior. */
class FloatStorageTest {
  private static final int ROWS = 40_000;
  private static final int D = 8;

  /** Columns that are centred or not, and of scales from 10⁻⁶ to 10⁶. */
  private static double feature(int j, double normal) {
    double scale = Math.pow(10, 12.0 * (j - 1) / (D - 2) - 6);
    return j == 0 ? 1 : scale * (normal + j % 3);
  }

  @Test
  void theModeMovesByFarLessThanItsStandardDeviation() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(41);
    double[] x = new double[ROWS * D];
    float[] rounded = new float[x.length];
    double[] y = new double[ROWS];
    for (int row = 0; row < ROWS; row++) {
      double eta = -1;
      for (int j = 0; j < D; j++) {
        double normal = random.nextGaussian();
        x[row * D + j] = feature(j, normal);
        rounded[row * D + j] = (float) x[row * D + j];
        eta += 0.4 * normal;
      }
      y[row] = random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1;
    }
    MapFit doubles = fit(new DenseBlock(0, D, x, y, null));
    MapFit floats = fit(new DenseBlock(0, D, Values.of(rounded), y, null, null));
    double largest = 0;
    for (int j = 0; j < D; j++) {
      double inSd = Math.abs(floats.theta()[j] - doubles.theta()[j]) / doubles.sd(j);
      largest = Math.max(largest, inSd);
      assertTrue(Math.abs(floats.sd(j) / doubles.sd(j) - 1) < 1e-6);
    }
    double moved = largest;
    // Roundings are independent from row to row: about √n of them, 3·10⁻⁸ each, times the slopes.
    assertTrue(moved > 0 && moved < 1e-5, () -> "the mode moved by " + moved + " sd");
  }

  private static MapFit fit(DataBlock block) {
    ProductPrior prior = ProductPrior.parse(Collections.nCopies(D, "flat"));
    List<String> names = Collections.nCopies(D, "x");
    return new MapFinder(prior, names, 1e-9, 100)
        .from(
            new double[D],
            Objective.of(List.of(block), new LinearModel(new LogisticLikelihood(), D), 1),
            pass -> {});
  }
}
