package org.lampyris.bounds.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.rows.DataBlock;

/** What passes and kernels rely on, for every model. */
public abstract class ModelContract {

  protected static final int COLUMNS = 6;
  protected static final int ROWS = 40;

  private final RandomGenerator random = RandomBlocks.random(30);

  /** Returns the model for rows of the given number of columns. */
  protected abstract Model model(int columns);

  /** Returns blocks with the same rows in every layout, with responses the model accepts. */
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(31, ROWS, COLUMNS, random -> random.nextBoolean() ? 1 : -1);
  }

  /** Returns four θ to evaluate at. */
  protected double[][] thetas(Model model) {
    int d = model.dimension();
    return new double[][] {
      new double[d],
      RandomBlocks.normal(random, d, 0.3),
      RandomBlocks.normal(random, d, 3),
      RandomBlocks.normal(random, d, 100)
    };
  }

  @Test
  void allWaysToEvaluateARowAgree() {
    Model model = model(COLUMNS);
    int d = model.dimension();
    for (DataBlock block : blocks()) {
      for (double[] theta : thetas(model)) {
        for (int row = 0; row < ROWS; row++) {
          double[] gradient = new double[d];
          double[] again = new double[d];
          double expected = model.logLikelihood(block, row, theta);
          assertEquals(expected, model.addGradient(block, row, theta, gradient));
          assertEquals(expected, model.addHessian(block, row, theta, again, new double[d * d]));
          assertArrayEquals(gradient, again);
        }
      }
    }
  }

  @Test
  void passesOverABlockAreSumsOverItsRows() {
    Model model = model(COLUMNS);
    int d = model.dimension();
    for (DataBlock block : blocks()) {
      double[][] thetas = thetas(model);
      double[] values = {1, 1, 1, 1};
      double[] valuesToo = {1, 1, 1, 1};
      double[][] gradients = new double[4][d];
      model.addLogLikelihoods(block, thetas, values);
      model.addGradients(block, thetas, valuesToo, gradients);
      // Questions are answered together, with gradients if one of them asks for it.
      assertArrayEquals(values, valuesToo);
      for (int k = 0; k < 4; k++) {
        double[] gradient = new double[d];
        double[] hessian = new double[d * d];
        double sum = 1;
        for (int row = 0; row < ROWS; row++) {
          sum += model.addHessian(block, row, thetas[k], gradient, hessian);
        }
        double tolerance = 1e-12 * (1 + Math.abs(sum));
        assertEquals(sum, values[k], tolerance);
        assertEquals(sum, valuesToo[k], tolerance);
        assertArrayEquals(gradient, gradients[k], tolerance);
        double[] gradientToo = new double[d];
        double[] hessianToo = new double[d * d];
        double atOnce = model.addHessians(block, thetas[k], gradientToo, hessianToo);
        assertEquals(sum - 1, atOnce, tolerance);
        assertArrayEquals(gradient, gradientToo, tolerance);
        assertArrayEquals(hessian, hessianToo, tolerance, "and nothing above the diagonal");
      }
    }
  }

  @Test
  void gradientAndHessianAgreeWithDifferences() {
    Model model = model(COLUMNS);
    int d = model.dimension();
    for (DataBlock block : blocks()) {
      for (double[] theta : thetas(model)) {
        for (int row = 0; row < ROWS; row++) {
          int r = row;
          double[] gradient = new double[d];
          double[] hessian = new double[d * d];
          model.addHessian(block, row, theta, gradient, hessian);
          for (int i = 0; i < d; i++) {
            int at = i;
            double slope =
                Differences.central(t -> model.logLikelihood(block, r, t), theta, i, 1e-3);
            assertEquals(slope, gradient[i], 1e-8 * (1 + Math.abs(slope)));
            for (int j = 0; j <= i; j++) {
              double curvature =
                  Differences.central(t -> gradient(model, block, r, t)[at], theta, j, 1e-3);
              assertEquals(curvature, hessian[i * d + j], 1e-8 * (1 + Math.abs(curvature)));
            }
          }
        }
      }
    }
  }

  /** Of a quadratic, central differences are exact but for rounding. */
  @Test
  void theGradientOfTheTaylorPolynomialAgreesWithDifferences() {
    Model model = model(COLUMNS);
    int d = model.dimension();
    double[] center = RandomBlocks.normal(random, d, 0.3);
    double[] theta = RandomBlocks.normal(random, d, 0.5);
    for (DataBlock block : blocks()) {
      for (int row = 0; row < ROWS; row++) {
        int r = row;
        double[] gradient = new double[d];
        model.addTaylorGradient(block, row, center, theta, gradient);
        for (int i = 0; i < d; i++) {
          double slope =
              Differences.central(t -> model.taylor(block, r, 2, center, t), theta, i, 1e-3);
          assertEquals(slope, gradient[i], 1e-8 * (1 + Math.abs(slope)));
        }
      }
    }
  }

  @Test
  void aWeightMultipliesTheRow() {
    Model model = model(COLUMNS);
    DataBlock plain = blocks().get(0);
    DataBlock weighted = blocks().get(2);
    double[] theta = thetas(model)[2];
    for (int row = 0; row < ROWS; row++) {
      double w = weighted.weight(row);
      double expected = w * model.logLikelihood(plain, row, theta);
      assertEquals(expected, model.logLikelihood(weighted, row, theta), 1e-15 * Math.abs(expected));
      double[] g = gradient(model, plain, row, theta);
      double[] gw = gradient(model, weighted, row, theta);
      for (int j = 0; j < g.length; j++) {
        // What cancels in the row may cancel otherwise in its multiple.
        assertEquals(w * g[j], gw[j], 1e-14 * (1 + Math.abs(gw[j])));
      }
    }
  }

  private static double[] gradient(Model model, DataBlock block, int row, double[] theta) {
    double[] gradient = new double[model.dimension()];
    model.addGradient(block, row, theta, gradient);
    return gradient;
  }

  /**
   * Products to 10⁻⁶ of the largest element of the Hessian, which is what differences of gradients
   * allow, and the diagonal to rounding.
   */
  @Test
  void productsAndTheDiagonalAreThoseOfTheHessian() {
    Model model = model(COLUMNS);
    int d = model.dimension();
    int count = 3;
    double[] vectors = RandomBlocks.normal(random, d * count, 1);
    for (DataBlock block : blocks()) {
      double[][] thetas = thetas(model);
      for (double[] theta : List.of(thetas[0], thetas[1])) {
        double[] gradient = new double[d];
        double[] hessian = new double[d * d];
        double value = model.addHessians(block, theta, gradient, hessian);
        double[] again = new double[d];
        double[] diagonal = new double[d];
        double[] products = new double[d * count];
        assertEquals(
            value, model.addDiagonals(block, theta, again, diagonal), 1e-12 * Math.abs(value));
        model.addHessianProducts(block, theta, count, vectors, products);
        double largest = 0;
        for (double element : hessian) {
          largest = Math.max(largest, Math.abs(element));
        }
        for (int i = 0; i < d; i++) {
          assertEquals(gradient[i], again[i], 1e-10 * (1 + Math.abs(gradient[i])));
          assertEquals(hessian[i * d + i], diagonal[i], 1e-6 * largest);
          for (int k = 0; k < count; k++) {
            double product = 0;
            for (int j = 0; j < d; j++) {
              double element = hessian[Math.max(i, j) * d + Math.min(i, j)];
              product += element * vectors[j * count + k];
            }
            assertEquals(product, products[i * count + k], 1e-6 * largest);
          }
        }
      }
    }
  }
}
