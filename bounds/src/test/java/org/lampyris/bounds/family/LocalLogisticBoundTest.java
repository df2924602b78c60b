package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior.Flat;
import org.lampyris.bounds.rows.DataBlock;

class LocalLogisticBoundTest extends LowerBoundContract {
  private static final double RADIUS = 2.5;
  private static final List<String[]> REFERENCE =
      Fixture.read(LocalLogisticBoundTest.class, "local-logistic-gap.csv");

  private static LaplaceApproximation laplace(int columns) {
    double[] covariance = new double[columns * columns];
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j < columns; j++) {
        covariance[i * columns + j] = (i == j ? 0.5 : 0) + 0.3 / (1 + Math.abs(i - j));
      }
    }
    return new LaplaceApproximation(new double[columns], covariance);
  }

  @Override
  protected LowerBound bound(int columns) {
    return new LocalLogisticBound(laplace(columns), RADIUS);
  }

  @Override
  protected Model model(int columns) {
    return new LinearModel(new LogisticLikelihood(), columns);
  }

  @Override
  protected Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(new LocalLogisticBound(laplace, RADIUS));
  }

  /** Into the ball, up to its edge. */
  @Override
  protected void restrict(double[] theta, double[] tightAt) {
    intoBall(laplace(theta.length), RADIUS, theta, tightAt);
  }

  /** Tight at anything, and therefore with the curvature that holds everywhere. */
  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    double[] values = new double[2 * rows];
    for (int row = 0; row < rows; row++) {
      double eta = row == 0 ? 0 : row == 1 ? 900 : row == 2 ? 1e-9 : 3 * random.nextGaussian();
      values[2 * row] = eta;
      values[2 * row + 1] = LocalLogisticBound.excess(Math.abs(eta), Double.POSITIVE_INFINITY);
    }
    return Anchors.perRow(values, 2);
  }

  @Test
  void excessGapAndSlopeAgreeWithReferences() {
    for (String[] f : REFERENCE) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      String where = String.join(", ", f);
      assertEquals(v[2], LocalLogisticBound.excess(v[0], v[1]), 2e-9 * v[2], where);
      double delta = v[4] - v[0];
      // At the edge of the ball the gap is 0 as the difference of larger terms.
      double terms = Math.abs(delta) * (1 + Math.abs(delta)) + 1e5 * v[3] * delta * delta;
      double gap = LocalLogisticBound.gap(v[4], v[0], v[3], null);
      assertEquals(v[5], gap, 1e-8 * Math.abs(v[5]) + 1e-15 * terms, where);
      double[] slope = new double[1];
      assertEquals(gap, LocalLogisticBound.gap(v[4], v[0], v[3], slope), where);
      double slopeTerms = 1 + Math.abs(delta);
      assertEquals(v[6], slope[0], 1e-8 * Math.abs(v[6]) + 1e-15 * slopeTerms, where);
      if (v[0] > 0) {
        double[] mirrored = new double[1];
        assertEquals(gap, LocalLogisticBound.gap(-v[4], -v[0], v[3], mirrored), where);
        assertEquals(-slope[0], mirrored[0], where);
      }
    }
  }

  @Test
  void inAnInfiniteBallItIsTheBoundOfJaakkolaAndJordan() {
    for (double anchor : new double[] {0, 1e-3, 0.2, 1, -2, 5, -30}) {
      double excess = LocalLogisticBound.excess(Math.abs(anchor), Double.POSITIVE_INFINITY);
      for (double eta = -40; eta < 40; eta += 0.37) {
        double expected = JaakkolaJordanBound.gap(eta, anchor, null);
        double tolerance = 1e-9 * expected + 1e-13;
        assertEquals(expected, LocalLogisticBound.gap(eta, anchor, excess, null), tolerance);
      }
    }
  }

  /** With less curvature the bound would not hold: the least is taken. */
  @Test
  void theCurvatureIsTheLeastThatHolds() {
    for (double xi : new double[] {0.3, 1, 4, 9}) {
      for (double r : new double[] {0.01, 0.2, 0.5, 3, 7}) {
        double excess = LocalLogisticBound.excess(xi, r);
        double e = StableMath.sigmoid(-xi);
        double kappa = 0.999 * (e * (1 - e) + excess);
        double lowest = Double.POSITIVE_INFINITY;
        for (int k = 0; k <= 1000; k++) {
          double x = k * r / 1000;
          double tangent = StableMath.logSigmoid(xi) - e * x - 0.5 * kappa * x * x;
          lowest = Math.min(lowest, StableMath.logSigmoid(xi - x) - tangent);
        }
        assertTrue(lowest < 0, "xi " + xi + ", r " + r + ": " + lowest);
      }
    }
  }

  @Test
  void aSmallerBallMeansASmallerGap() {
    double[] reference = reference();
    for (DataBlock block : blocks()) {
      Anchors wide = new LocalLogisticBound(laplace(COLUMNS), 3).anchorsAt(block, reference);
      Anchors narrow = new LocalLogisticBound(laplace(COLUMNS), 0.3).anchorsAt(block, reference);
      for (int row = 0; row < ROWS; row++) {
        assertTrue(narrow.get(row, 1) <= wide.get(row, 1));
      }
    }
  }

  @Test
  void thePriorIsConfinedToTheBall() {
    Prior prior = ProductPrior.shared(new Flat(), 2);
    double[] mode = {10, 0};
    LaplaceApproximation laplace = new LaplaceApproximation(mode, new double[] {4, 0, 0, 1});
    Prior confined = new LocalLogisticBound(laplace, 3).restricted(prior);
    double none = Double.NEGATIVE_INFINITY;
    assertEquals(0, confined.logDensity(new double[] {15.9, 0}));
    assertEquals(none, confined.logDensity(new double[] {16.1, 0}));
    assertEquals(0, confined.addGradient(new double[] {10, -2.9}, new double[2]));
    assertEquals(none, confined.addGradient(new double[] {10, -3.1}, new double[2]));
    // A corner of the box around the ball.
    assertEquals(none, confined.logDensity(new double[] {15, 2.5}));
  }

  @Test
  void thereIsNoUntunedForm() {
    assertTrue(bound(3).untuned(1.5).isEmpty());
  }

  @Test
  void aRadiusMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> new LocalLogisticBound(laplace(2), 0));
  }
}
