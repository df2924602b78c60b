package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior.Flat;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class GaussianScaleBoundTest extends LowerBoundContract {

  private static final double RADIUS = 0.5;

  @Override
  protected LowerBound bound(int columns) {
    return new GaussianScaleModel.Bound(new GaussianScaleModel(columns), 0, RADIUS);
  }

  @Override
  protected Model model(int columns) {
    return new GaussianScaleModel(columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(42, ROWS, COLUMNS, random -> 3 * random.nextGaussian());
  }

  @Override
  protected Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(GaussianScaleModel.Bound.of(new GaussianScaleModel(COLUMNS), laplace));
  }

  /**
   * At the edge of the strip with u = ±2zv: for small R, what is left over is to first order all
   * that the bound takes off there.
   */
  @Override
  protected List<double[]> worstPoints(
      LowerBound bound, LaplaceApproximation laplace, DataBlock block, int row) {
    List<double[]> points = new ArrayList<>();
    Region strip = bound.region().orElseThrow();
    double[] mode = laplace.mode();
    double residual = block.response(row) - block.linearPredictor(row, mode);
    double[] x = new double[COLUMNS + 1];
    block.addScaled(row, 1, x, 0);
    double squares = Arrays.stream(x).map(v -> v * v).sum();
    for (double v : new double[] {-strip.radius(), strip.radius()}) {
      for (double share : new double[] {-2, -1, 0, 1, 2}) {
        double[] theta = mode.clone();
        Arrays.setAll(theta, j -> theta[j] + share * v * residual / squares * x[j]);
        theta[COLUMNS] += (1 - 1e-8) * v;
        points.add(theta);
      }
    }
    return points;
  }

  /** Into the strip: a reflection at its edges keeps what is inside. */
  @Override
  protected void restrict(double[] theta, double[] tightAt) {
    double v = theta[COLUMNS] - tightAt[COLUMNS];
    theta[COLUMNS] = tightAt[COLUMNS] + 0.49 * Math.sin(v);
  }

  /** Their τ̂ is the reference's, so that all have one strip. */
  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    double tau = bound(COLUMNS).anchorsAt(blocks().get(0), reference()).get(0, 1);
    double[] values = new double[2 * rows];
    for (int row = 0; row < rows; row++) {
      values[2 * row] = row == 0 ? 0 : row == 1 ? 300 : 4 * random.nextGaussian();
      values[2 * row + 1] = tau;
    }
    return Anchors.perRow(values, 2);
  }

  @Test
  void gapAgreesWithReferences() {
    for (String[] f : Fixture.read(GaussianScaleBoundTest.class, "gaussian-scale-gap.csv")) {
      double[] v = List.of(f).stream().mapToDouble(Double::parseDouble).toArray();
      LowerBound bound = new GaussianScaleModel.Bound(new GaussianScaleModel(1), v[3], v[0]);
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[1]}, null);
      double gap = bound.gap(row, 0, new double[] {v[4], v[5]}, Anchors.constant(v[2], v[3]));
      assertEquals(v[6], gap, 2e-14 * Math.abs(v[6]), String.join(", ", f));
      assertTrue(v[6] >= 0 || !bound.region().orElseThrow().holds(new double[] {v[4], v[5]}));
    }
  }

  /** Where the bound would not hold: the strip is no more than it needs to be by a factor of 6. */
  @Test
  void beyondTheStripTheQuadraticCrossesTheLikelihood() {
    LowerBound bound = new GaussianScaleModel.Bound(new GaussianScaleModel(1), 0, 0.1);
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {2}, null);
    CollapsedQuadratic log = new CollapsedQuadratic(new double[2]);
    bound.collapse(row, Anchors.constant(0, 0), log);
    double[] inside = {0, -0.1};
    double[] outside = {0, -0.6};
    Model model = new GaussianScaleModel(1);
    assertTrue(log.value(inside) < model.logLikelihood(row, 0, inside));
    assertTrue(log.value(outside) > model.logLikelihood(row, 0, outside));
    double gap = bound.gap(row, 0, outside, Anchors.constant(0, 0));
    assertTrue(gap < 0);
    assertEquals(0, bound.checked(gap, row, 0, outside));
  }

  @Test
  void thePriorIsConfinedToTheStrip() {
    GaussianScaleModel model = new GaussianScaleModel(2);
    GaussianScaleModel.Bound bound = GaussianScaleModel.Bound.of(model, about(-2, 0.1 / 12));
    assertEquals(0.1, bound.region().orElseThrow().radius(), 1e-15);
    GaussianScaleModel.Bound wide = GaussianScaleModel.Bound.of(model, about(-2, 0.2));
    assertEquals(1, wide.region().orElseThrow().radius());
    Prior confined = bound.restricted(ProductPrior.shared(new Flat(), 3));
    assertEquals(0, confined.logDensity(new double[] {99, -99, -1.91}));
    double none = Double.NEGATIVE_INFINITY;
    assertEquals(none, confined.logDensity(new double[] {5, 6, -1.89}));
    assertEquals(none, confined.addGradient(new double[] {5, 6, -2.11}, new double[3]));
  }

  private static LaplaceApproximation about(double tau, double sd) {
    double[] covariance = {1, 0, 0, 0, 1, 0, 0, 0, sd * sd};
    return new LaplaceApproximation(new double[] {5, 6, tau}, covariance);
  }

  /** Along τ alone, on the side where θ is. */
  @Test
  void aRayCrossesTheEdgeOnItsSide() {
    GaussianScaleModel.Bound bound =
        new GaussianScaleModel.Bound(new GaussianScaleModel(2), -2, 0.5);
    Region strip = bound.region().orElseThrow();
    assertEquals(3, strip.dimension());
    assertEquals(1, strip.rayDimension());
    double[] theta = {7, 8, -2.4};
    assertTrue(strip.holds(theta));
    assertEquals(0.4, strip.distance(theta), 1e-15);
    assertArrayEquals(new double[] {7, 8, -2.6}, strip.onRay(theta, 1.5), 1e-15);
    assertArrayEquals(new double[] {7, 8, -2.4}, theta);
    assertTrue(!strip.holds(new double[] {7, 8, -2.6}) && !strip.holds(new double[] {7, 8, -1.4}));
  }

  @Test
  void aRadiusMustBePositive() {
    GaussianScaleModel model = new GaussianScaleModel(2);
    assertThrows(IllegalArgumentException.class, () -> new GaussianScaleModel.Bound(model, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new GaussianScaleModel.Bound(model, 0, 11));
  }
}
