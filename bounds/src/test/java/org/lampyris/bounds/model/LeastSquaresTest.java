package org.lampyris.bounds.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class LeastSquaresTest {
  private static final int D = 4;

  private static DataBlock few(DataBlock block, double... about) {
    double[] sums = new double[LeastSquares.length(block.columns())];
    LeastSquares.add(block, about, sums);
    return LeastSquares.rows(block.columns(), about, sums);
  }

  /** Values, gradients and Hessians, near and far, for every layout, with weights and offsets. */
  @Test
  void fewRowsHaveTheLikelihoodOfAll() {
    GaussianScaleModel model = new GaussianScaleModel(D);
    LinearModel known = new LinearModel(new GaussianFamily.GaussianLikelihood(0.4), D);
    for (DataBlock block : RandomBlocks.withOffset(47, 200, D, r -> 50 + 3 * r.nextGaussian())) {
      DataBlock few = few(block, 49, 0.2, -0.3, 0.1);
      assertEquals(D + 1, few.rows());
      for (double scale : new double[] {0, 0.1, 5}) {
        for (double tau : new double[] {-2, 0, 3}) {
          double[] theta = RandomBlocks.normal(RandomBlocks.random(4), D + 1, scale);
          theta[0] += 50;
          theta[D] = tau;
          assertSame(model, block, few, theta);
          assertSame(known, block, few, Arrays.copyOf(theta, D));
        }
      }
    }
  }

  private static void assertSame(Model model, DataBlock all, DataBlock few, double[] theta) {
    int d = theta.length;
    double[] expected = new double[d];
    double[] gradient = new double[d];
    double[] expectedHessian = new double[d * d];
    double[] hessian = new double[d * d];
    double value = model.addHessians(all, theta, expected, expectedHessian);
    double tolerance = 1e-12 * (1 + Math.abs(value));
    assertEquals(value, model.addHessians(few, theta, gradient, hessian), tolerance);
    assertArrayEquals(expected, gradient, 100 * tolerance);
    assertArrayEquals(expectedHessian, hessian, 100 * tolerance);
  }

  /** A column twice, and one of zeros: the products have no inverse. */
  @Test
  void columnsMayDependOnOneAnother() {
    double[] x = {1, 2, 2, 0, 1, -1, -1, 0, 1, 0.5, 0.5, 0, 1, 3, 3, 0, 1, 1, 1, 0, 1, 4, 4, 0};
    DataBlock block =
        new DenseBlock(0, D, x, new double[] {3, -1, 2, 5, 1, 9}, new double[] {1, 2, 1, 1, 3, 1});
    double[] theta = {0.3, 0.4, 1.5, 7, 0.2};
    assertSame(new GaussianScaleModel(D), block, few(block, 0, 1, 0.5, 0), theta);
  }

  @Test
  void blocksAddUp() {
    List<DataBlock> blocks = RandomBlocks.withOffset(48, 50, D, r -> r.nextGaussian());
    double[] about = {0.1, 0.2, 0.3, 0.4};
    double[] sums = new double[LeastSquares.length(D)];
    LeastSquares.add(blocks.get(0), about, sums);
    LeastSquares.add(blocks.get(1), about, sums);
    DataBlock few = LeastSquares.rows(D, about, sums);
    GaussianScaleModel model = new GaussianScaleModel(D);
    double[] theta = {1, -1, 0.5, 0.2, 0.7};
    double[] all = new double[1];
    double[] found = new double[1];
    model.addLogLikelihoods(blocks.get(0), new double[][] {theta}, all);
    model.addLogLikelihoods(blocks.get(1), new double[][] {theta}, all);
    model.addLogLikelihoods(few, new double[][] {theta}, found);
    assertEquals(all[0], found[0], 1e-11);
  }
}
