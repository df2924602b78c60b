package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/** The contract of bounds that hold in a ball about the mode and depend on one predictor. */
public abstract class LocalBoundContract extends LowerBoundContract {
  private static final double RADIUS = 2.5;

  /** Further from η̂ than any θ of the contract in the ball takes a row. */
  private static final double FAR = 25;

  /** Returns the bound in a ball. */
  protected abstract LowerBound in(LaplaceApproximation laplace, double radius);

  /** Returns the model. */
  protected abstract Model of(int columns);

  /** Returns a label that the model accepts. */
  protected abstract double response(RandomGenerator random);

  /** Returns how far off, relatively, curvatures and gaps may be. */
  protected double tolerance() {
    return 1e-13;
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

  @Override
  protected final LowerBound bound(int columns) {
    return in(laplace(columns), RADIUS);
  }

  @Override
  protected final Model model(int columns) {
    return of(columns);
  }

  @Override
  protected final Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(in(laplace, RADIUS));
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(37, ROWS, COLUMNS, this::response);
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
  protected final double excess(double etaHat, double y, double r) {
    LaplaceApproximation laplace =
        new LaplaceApproximation(new double[] {etaHat}, new double[] {r * r});
    return in(laplace, 1).anchorsAt(row(y), new double[] {etaHat}).get(0, 1);
  }

  /**
   * Holds the bound against lines of η̂, y, r, D to 25 digits, D rounded, η, the gap with the
   * rounded D, and its derivative.
   */
  protected final void assertReferences(String file) {
    for (String[] f : Fixture.read(getClass(), file)) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      String where = String.join(", ", f);
      assertEquals(v[3], excess(v[0], v[1], v[2]), tolerance() * v[3], where);
      LowerBound bound = in(laplace(1), RADIUS);
      Anchors anchors = Anchors.constant(v[0], v[4]);
      double delta = v[5] - v[0];
      double bent = 0.5 * v[4] * delta * delta;
      double gap = bound.gap(row(v[1]), 0, new double[] {v[5]}, anchors);
      assertEquals(v[6], gap, tolerance() * Math.abs(v[6]) + 2e-2 * tolerance() * bent, where);
      double[] slope = new double[1];
      assertEquals(gap, bound.gapGradient(row(v[1]), 0, new double[] {v[5]}, anchors, slope));
      double slopeTerm = Math.abs(v[4] * delta);
      assertEquals(
          v[7], slope[0], tolerance() * Math.abs(v[7]) + 2e-2 * tolerance() * slopeTerm, where);
    }
  }

  /** With less curvature the bound would not hold in the ball, for half of it, or for 1 % less. */
  @Test
  protected void theCurvatureIsTheLeastThatHolds() {
    RandomGenerator random = RandomBlocks.random(5);
    LowerBound bound = in(laplace(1), RADIUS);
    for (int i = 0; i < 50; i++) {
      double etaHat = 2 * random.nextGaussian();
      DataBlock row = row(response(random));
      double r = Math.exp(3 * random.nextDouble() - 2);
      double excess = excess(etaHat, row.response(0), r);
      double least = Double.POSITIVE_INFINITY;
      double leastWithLess = Double.POSITIVE_INFINITY;
      for (int k = -400; k <= 400; k++) {
        double[] eta = {etaHat + k * r / 400};
        Anchors less = Anchors.constant(etaHat, 0.99 * excess);
        least = Math.min(least, bound.gapAt(row, 0, eta, Anchors.constant(etaHat, excess)));
        leastWithLess = Math.min(leastWithLess, bound.gapAt(row, 0, eta, less));
      }
      String where = "eta " + etaHat + ", r " + r + ", D " + excess;
      assertTrue(least >= -1e-13, where + ": " + least);
      assertTrue(excess < 1e-3 * r || leastWithLess < 0, where + ": " + leastWithLess);
    }
  }

  /**
   * Returns labels as far out as doubles go, or nearly so; those of the contract unless it says.
   */
  protected double[] extremes() {
    RandomGenerator random = RandomBlocks.random(6);
    return random.doubles(8).map(u -> response(random)).toArray();
  }

  /** A gap is 0 where rounding makes it negative. */
  @Test
  void roundingIsNoFault() {
    for (double y : extremes()) {
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
