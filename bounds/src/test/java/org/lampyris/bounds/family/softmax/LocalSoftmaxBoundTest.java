package org.lampyris.bounds.family.softmax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class LocalSoftmaxBoundTest {
  private static final int NONE = SoftmaxModel.NO_REFERENCE;

  private static LaplaceApproximation laplace(int dimension, double scale) {
    double[] covariance = new double[dimension * dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        covariance[i * dimension + j] = scale * ((i == j ? 0.3 : 0) + 0.1 / (1 + Math.abs(i - j)));
      }
    }
    return new LaplaceApproximation(new double[dimension], covariance);
  }

  private abstract static class Contract extends LowerBoundContract {
    private static final double RADIUS = 2.5;

    abstract SoftmaxModel softmax(int columns);

    /** How wide the posterior is: with a wide one most rows have A, with a narrow one none. */
    abstract double scale();

    private LaplaceApproximation laplace(int columns) {
      return LocalSoftmaxBoundTest.laplace(softmax(columns).dimension(), scale());
    }

    @Override
    protected LowerBound bound(int columns) {
      return new LocalSoftmaxBound(softmax(columns), laplace(columns), RADIUS);
    }

    @Override
    protected Optional<LowerBound> about(LaplaceApproximation laplace) {
      return Optional.of(new LocalSoftmaxBound(softmax(COLUMNS), laplace, RADIUS));
    }

    @Override
    protected Model model(int columns) {
      return softmax(columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      int classes = softmax(1).classes();
      return RandomBlocks.withOffset(35, ROWS, COLUMNS, random -> random.nextInt(classes));
    }

    /** Also where two classes' predictors come apart most. */
    @Override
    protected List<double[]> worstPoints(
        LowerBound bound, LaplaceApproximation laplace, DataBlock block, int row) {
      List<double[]> points = new ArrayList<>(super.worstPoints(bound, laplace, block, row));
      int d = bound.dimension();
      Region region = bound.region().orElseThrow();
      for (int k = 0; k < bound.functionals(); k++) {
        for (int l = 0; l < k; l++) {
          double[] theta = laplace.mode().clone();
          for (int i = 0; i < d; i++) {
            theta[i] += bound.functional(block, row, k, laplace.covariance(), i * d);
            theta[i] -= bound.functional(block, row, l, laplace.covariance(), i * d);
          }
          double share = (1 - 1e-8) * region.radius() / region.distance(theta);
          points.add(region.onRay(theta, share));
          points.add(region.onRay(theta, -share));
        }
      }
      // Of sds that fall to 10⁻¹² of the first, rounding of θ takes some out.
      points.removeIf(theta -> !region.holds(theta));
      return points;
    }

    /** Into the ball, up to its edge. */
    @Override
    protected void restrict(double[] theta, double[] tightAt) {
      intoBall(laplace(COLUMNS), RADIUS, theta, tightAt);
    }

    /** Tight at anything; every other row has the curvature that holds everywhere. */
    @Override
    protected Anchors someAnchors(RandomGenerator random, int rows) {
      int width = bound(1).anchorWidth();
      double[] values = RandomBlocks.normal(random, rows * width, 1);
      for (int row = 0; row < rows; row++) {
        values[row * width + width - 1] =
            row % 2 == 0 ? BohningBound.EVERYWHERE : 2 * (Math.exp(35) - 36) / (35 * 35) - 1;
      }
      return Anchors.perRow(values, width);
    }

    @Test
    void thereIsAnUpperBound() {
      assertTrue(bound(COLUMNS).upperAnchorsAt(blocks().get(0), reference()).isPresent());
    }
  }

  @Nested
  class ThreeClasses extends Contract {
    @Override
    SoftmaxModel softmax(int columns) {
      return new SoftmaxModel(columns, 3, NONE);
    }

    @Override
    double scale() {
      return 0.1;
    }
  }

  @Nested
  class FourClassesWithAReference extends Contract {
    @Override
    SoftmaxModel softmax(int columns) {
      return new SoftmaxModel(columns, 4, 2);
    }

    @Override
    double scale() {
      return 1;
    }
  }

  private static DataBlock row(double y) {
    return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
  }

  /** With a posterior such that r is given: all predictors are independent, of variance r²/2. */
  private static LocalSoftmaxBound inRange(SoftmaxModel model, double[] mode, double r) {
    int d = model.dimension();
    double[] covariance = new double[d * d];
    for (int i = 0; i < d; i++) {
      covariance[i * d + i] = 0.5 * r * r;
    }
    return new LocalSoftmaxBound(model, new LaplaceApproximation(mode, covariance), 1);
  }

  /** η̂ of three classes, r, D, D rounded, η, the gap with it, and its derivatives. */
  @Test
  void curvatureGapAndSlopesAgreeWithReferences() {
    SoftmaxModel model = new SoftmaxModel(1, 3, NONE);
    for (double[] v : Fixture.numbers(LocalSoftmaxBoundTest.class, "local-softmax-gap.csv")) {
      String where = Arrays.toString(v);
      double[] mode = {v[0], v[1], v[2]};
      LocalSoftmaxBound bound = inRange(model, mode, v[3]);
      double found = bound.anchorsAt(row(0), mode).get(0, 3);
      assertTrue(found == BohningBound.EVERYWHERE || Math.abs(found - v[4]) <= 1e-13 * v[4], where);
      Anchors anchors = Anchors.constant(v[0], v[1], v[2], v[5]);
      double[] gradient = new double[3];
      double[] eta = {v[6], v[7], v[8]};
      double gap = bound.gapGradient(row(1), 0, eta, anchors, gradient);
      double range = Math.abs(v[6] - v[0]) + Math.abs(v[7] - v[1]) + Math.abs(v[8] - v[2]);
      assertEquals(v[9], gap, 1e-11 * v[9] + 1e-15 * v[5] * range * range, where);
      assertEquals(gap, bound.gap(row(2), 0, eta, anchors), where);
      for (int k = 0; k < 3; k++) {
        assertEquals(v[10 + k], gradient[k], 1e-10 * Math.abs(v[10 + k]) + 1e-15 * range, where);
      }
    }
  }

  /** Of a class that is hardly ever seen, whose predictor grows, hardly less would do. */
  @Test
  void theCurvatureIsTheLeastThatHoldsOfARareClass() {
    SoftmaxModel model = new SoftmaxModel(1, 3, 0);
    double[] mode = {-16, -17};
    for (double r : new double[] {1e-3, 0.1, 1, 4}) {
      LocalSoftmaxBound bound = inRange(model, mode, r);
      double excess = bound.anchorsAt(row(0), mode).get(0, 2);
      double[] edge = {-16 + r * (1 - 1e-9), -17};
      Anchors full = Anchors.constant(-16, -17, excess);
      assertTrue(bound.gap(row(0), 0, edge, full) >= 0, "r " + r);
      Anchors less = Anchors.constant(-16, -17, 0.999 * excess);
      assertTrue(bound.gap(row(0), 0, edge, less) < 0, "r " + r);
    }
  }

  @Test
  void rowsWhereBohningsBoundIsTheTighterOneHaveThat() {
    SoftmaxModel model = new SoftmaxModel(1, 3, NONE);
    double[] even = new double[3];
    Anchors wide = inRange(model, even, 5).anchorsAt(row(0), even);
    assertEquals(BohningBound.EVERYWHERE, wide.get(0, 3));
    Anchors narrow = inRange(model, even, 0.01).anchorsAt(row(0), even);
    assertEquals(0.01 / 3, narrow.get(0, 3), 1e-5);
    double[] apart = {900, 0, 0};
    LocalSoftmaxBound far = inRange(model, apart, 1e5);
    assertEquals(BohningBound.EVERYWHERE, far.anchorsAt(row(0), apart).get(0, 3));
  }

  @Test
  void thereIsNoUntunedFormAndARadiusMustBePositive() {
    SoftmaxModel model = new SoftmaxModel(2, 3, 0);
    LaplaceApproximation laplace = laplace(4, 1);
    assertTrue(new LocalSoftmaxBound(model, laplace, 1).untuned(0).isEmpty());
    assertThrows(IllegalArgumentException.class, () -> new LocalSoftmaxBound(model, laplace, 0));
  }
}
