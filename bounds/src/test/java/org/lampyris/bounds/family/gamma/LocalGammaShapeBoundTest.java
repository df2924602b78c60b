package org.lampyris.bounds.family.gamma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.lowerbound.LowerBoundContract;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.Model;

class LocalGammaShapeBoundTest extends LowerBoundContract {
  private static final double RADIUS = 2.5;

  private static LaplaceApproximation laplace(int dimension) {
    double[] covariance = new double[dimension * dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        covariance[i * dimension + j] = (i == j ? 0.06 : 0) + 0.02 / (1 + Math.abs(i - j));
      }
    }
    return new LaplaceApproximation(new double[dimension], covariance);
  }

  @Override
  protected LowerBound bound(int columns) {
    return new LocalGammaShapeBound(laplace(columns + 1), RADIUS);
  }

  @Override
  protected Model model(int columns) {
    return new DispersedModel(new GammaShapeLikelihood(), columns);
  }

  @Override
  protected Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(new LocalGammaShapeBound(laplace, RADIUS));
  }

  /** The edges where η and τ go furthest, each way, and where they go both. */
  @Override
  protected List<double[]> worstPoints(
      LowerBound bound, LaplaceApproximation laplace, DataBlock block, int row) {
    List<double[]> points = new ArrayList<>(super.worstPoints(bound, laplace, block, row));
    int d = bound.dimension();
    Region region = bound.region().orElseThrow();
    for (double share : new double[] {-3, -1, -0.3, 0.3, 1, 3}) {
      double[] theta = laplace.mode().clone();
      for (int i = 0; i < d; i++) {
        theta[i] += bound.functional(block, row, 0, laplace.covariance(), i * d);
        theta[i] += share * bound.functional(block, row, 1, laplace.covariance(), i * d);
      }
      double edge = (1 - 1e-8) * region.radius() / region.distance(theta);
      points.add(region.onRay(theta, edge));
      points.add(region.onRay(theta, -edge));
    }
    return points;
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(38, ROWS, COLUMNS, random -> Math.exp(random.nextGaussian()));
  }

  /** Into the ball, up to its edge. */
  @Override
  protected void restrict(double[] theta, double[] tightAt) {
    double distance = LaplaceApproximation.norm(laplace(theta.length).difference(tightAt, theta));
    if (distance > RADIUS) {
      double shrink = (1 - 1e-12) * RADIUS / distance;
      Arrays.setAll(theta, j -> tightAt[j] + shrink * (theta[j] - tightAt[j]));
    }
  }

  /** Tight elsewhere in η, and so with more curvature than any θ of the ball asks for. */
  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    double[] values = new double[4 * rows];
    DataBlock block = blocks().get(0);
    double tau = reference()[COLUMNS];
    for (int row = 0; row < rows; row++) {
      double eta = row == 0 ? 0 : random.nextGaussian();
      double[] anchor =
          anchor(eta, tau, block.response(row), 25, RADIUS * laplace(COLUMNS + 1).sd(COLUMNS));
      System.arraycopy(anchor, 0, values, 4 * row, 4);
    }
    return Anchors.perRow(values, 4);
  }

  private static DataBlock row(double y) {
    return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
  }

  /** Returns the anchor of a row where |u| ≤ r and |v| ≤ s. */
  private static double[] anchor(double eta, double tau, double y, double r, double s) {
    double[] mode = {eta, tau};
    LaplaceApproximation laplace =
        new LaplaceApproximation(mode, new double[] {r * r, 0, 0, s * s});
    Anchors anchors = new LocalGammaShapeBound(laplace, 1).anchorsAt(row(y), mode);
    return new double[] {
      anchors.get(0, 0), anchors.get(0, 1), anchors.get(0, 2), anchors.get(0, 3)
    };
  }

  /** η̂, τ̂, y, r, s, D, C, both rounded, η, τ, the gap, and its derivatives. */
  @Test
  void anchorGapAndSlopesAgreeWithReferences() {
    LowerBound bound = bound(1);
    for (double[] v :
        Fixture.numbers(LocalGammaShapeBoundTest.class, "local-gamma-shape-gap.csv")) {
      String where = Arrays.toString(v);
      double[] found = anchor(v[0], v[1], v[2], v[3], v[4]);
      assertEquals(v[5], found[2], 1e-12 * v[5], where);
      assertEquals(v[6], found[3], 1e-12 * v[6], where);
      Anchors anchors = Anchors.constant(v[0], v[1], v[5], v[6]);
      double[] gradient = new double[2];
      double[] theta = {v[7], v[8]};
      double u = v[7] - v[0];
      double w = v[8] - v[1];
      double terms = v[5] * u * u + v[6] * w * w;
      double gap = bound.gapGradient(row(v[2]), 0, theta, anchors, gradient);
      assertEquals(v[9], gap, 1e-12 * terms + 2e-14, where);
      assertEquals(
          v[10], gradient[0], 1e-12 * (v[5] * Math.abs(u) + Math.abs(v[10])) + 1e-14 * v[5], where);
      assertEquals(
          v[11], gradient[1], 1e-12 * (v[6] * Math.abs(w) + Math.abs(v[11])) + 2e-14, where);
    }
  }

  /** On the whole box, and not with half of either. */
  @Test
  void theBoundHoldsOnTheWholeBoxAndHalfOfItDoesNot() {
    LowerBound bound = bound(1);
    int heldByHalf = 0;
    int tried = 0;
    for (double tau : new double[] {-2, 0, 1.5, 5}) {
      for (double y : new double[] {0.01, 0.4, 1, 3, 20}) {
        for (double r : new double[] {0.01, 0.3, 2}) {
          for (double s : new double[] {0.003, 0.1, 0.8}) {
            double[] at = anchor(0, tau, y, r, s);
            Anchors half = Anchors.constant(0, tau, 0.5 * at[2], 0.5 * at[3]);
            double least = Double.POSITIVE_INFINITY;
            for (int i = -20; i <= 20; i++) {
              for (int j = -20; j <= 20; j++) {
                double[] theta = {i * r / 20, tau + j * s / 20};
                double gap = bound.gap(row(y), 0, theta, Anchors.constant(at));
                assertTrue(gap >= 0, "tau " + tau + ", y " + y + ": " + gap);
                least = Math.min(least, bound.gap(row(y), 0, theta, half));
              }
            }
            tried++;
            heldByHalf += least >= 0 ? 1 : 0;
          }
        }
      }
    }
    assertTrue(heldByHalf < tried / 2, heldByHalf + " of " + tried);
  }

  @Test
  void thereIsNoUntunedFormAndARadiusMustBePositive() {
    assertTrue(bound(3).untuned(0).isEmpty());
    assertThrows(IllegalArgumentException.class, () -> new LocalGammaShapeBound(laplace(3), 0));
  }
}
