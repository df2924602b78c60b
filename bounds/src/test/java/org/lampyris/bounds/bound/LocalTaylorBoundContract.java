package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/** The contract of a {@link LocalTaylorBound} of one likelihood. */
public abstract class LocalTaylorBoundContract extends LowerBoundContract {
  private static final double STEP = 1e-5;

  private static final double RADIUS = 2.5;

  /** Further from η̂ than any θ of the contract in the ball takes a row. */
  private static final double FAR = 25;

  private final Likelihood likelihood;
  private final ToDoubleFunction<RandomGenerator> response;
  private final double[] labels;
  private final double[] extremes;

  /**
   * Takes a family.
   *
   * @param response draws a label that the model accepts
   * @param labels of all kinds, small and large
   * @param extremes labels as far out as doubles go, or nearly so
   */
  protected LocalTaylorBoundContract(
      Likelihood likelihood,
      ToDoubleFunction<RandomGenerator> response,
      double[] labels,
      double[] extremes) {
    this.likelihood = likelihood;
    this.response = response;
    this.labels = labels;
    this.extremes = extremes;
  }

  private static LaplaceApproximation laplace(int columns) {
    double[] covariance = new double[columns * columns];
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j < columns; j++) {
        covariance[i * columns + j] = (i == j ? 0.3 : 0) + 0.1 / (1 + Math.abs(i - j));
      }
    }
    return new LaplaceApproximation(new double[columns], covariance);
  }

  private LowerBound in(LaplaceApproximation laplace, double radius) {
    return new LocalTaylorBound(likelihood, laplace, radius);
  }

  @Override
  protected final LowerBound bound(int columns) {
    return in(laplace(columns), RADIUS);
  }

  @Override
  protected final Model model(int columns) {
    return new LinearModel(likelihood, columns);
  }

  @Override
  protected final Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(in(laplace, RADIUS));
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(37, ROWS, COLUMNS, response);
  }

  /** Into the ball, up to its edge. */
  @Override
  protected final void restrict(double[] theta, double[] tightAt) {
    intoBall(laplace(theta.length), RADIUS, theta, tightAt);
  }

  /** Tight at anything, with a curvature that holds far off; of any label of the contract's. */
  @Override
  protected final Anchors someAnchors(RandomGenerator random, int rows) {
    double[] values = new double[2 * rows];
    DataBlock block = blocks().get(0);
    for (int row = 0; row < rows; row++) {
      double eta = row == 0 ? 0 : random.nextGaussian();
      values[2 * row] = eta;
      values[2 * row + 1] = excess(eta, block.response(row), FAR);
    }
    return Anchors.perRow(values, 2);
  }

  /** Returns a row whose only feature is 1. */
  private static DataBlock row(double y) {
    return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
  }

  /** Returns D of a row, for |δ| ≤ r. */
  private double excess(double etaHat, double y, double r) {
    LaplaceApproximation laplace =
        new LaplaceApproximation(new double[] {etaHat}, new double[] {r * r});
    return in(laplace, 1).anchorsAt(row(y), new double[] {etaHat}).get(0, 1);
  }

  /** To first order: a row's D is |log L‴|·r/3 in a small ball. */
  @Test
  void theCurvatureIsTheLeastThatHolds() {
    double sum = 0;
    double sumOfLeast = 0;
    for (double y : labels) {
      for (double eta = -4; eta <= 4; eta += 0.37) {
        double third =
            likelihood.secondDerivative(eta + STEP, y) - likelihood.secondDerivative(eta - STEP, y);
        double least = Math.abs(third) / (2 * STEP) / 3;
        double excess = excess(eta, y, STEP) / STEP;
        assertTrue(excess >= least - 1e-4, excess + " for " + least);
        sum += excess;
        sumOfLeast += least;
      }
    }
    assertEquals(sumOfLeast, sum, slack() * sumOfLeast);
  }

  /** Returns by which share D may be more, on average, than the least. */
  protected double slack() {
    return 1e-3;
  }

  /** A gap is 0 where rounding makes it negative. */
  @Test
  void roundingIsNoFault() {
    for (double y : extremes) {
      for (double etaHat : new double[] {-60, -4, 0, 1.3, 35}) {
        for (double r : new double[] {1e-9, 1e-6, 1e-3, 0.3}) {
          LaplaceApproximation laplace =
              new LaplaceApproximation(new double[] {etaHat}, new double[] {r * r});
          LowerBound bound = in(laplace, 1);
          Anchors anchors = bound.anchorsAt(row(y), laplace.mode());
          for (int k = -20; k <= 20; k++) {
            double gap = bound.gap(row(y), 0, new double[] {etaHat + k * r / 20.001}, anchors);
            assertTrue(gap >= 0, "eta " + etaHat + ", y " + y + ", r " + r + ": " + gap);
          }
        }
      }
    }
  }

  @Test
  void thereIsNoUntunedForm() {
    assertTrue(bound(3).untuned(1.5).isEmpty());
  }

  @Test
  void aRadiusMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> in(laplace(2), 0));
  }
}
