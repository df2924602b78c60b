package org.lampyris.bounds.family.gaussian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.lowerbound.LowerBoundContract;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior.Flat;

class GaussianScaleBoundTest extends LowerBoundContract {

  private static final double RADIUS = 0.5;

  @Override
  protected LowerBound bound(int columns) {
    return new GaussianScaleBound(new GaussianScaleModel(columns), RADIUS);
  }

  @Override
  protected Model model(int columns) {
    return new GaussianScaleModel(columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(42, ROWS, COLUMNS, random -> 3 * random.nextGaussian());
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
      LowerBound bound = new GaussianScaleBound(new GaussianScaleModel(1), v[0]);
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[1]}, null);
      double gap = bound.gap(row, 0, new double[] {v[4], v[5]}, Anchors.constant(v[2], v[3]));
      if (Math.abs(v[5] - v[3]) > v[0]) {
        assertEquals(0, gap);
      } else {
        assertTrue(v[6] >= 0);
        assertEquals(v[6], gap, 2e-14 * v[6], String.join(", ", f));
      }
    }
  }

  /** Where the bound would not hold: the strip is no more than it needs to be by a factor of 6. */
  @Test
  void beyondTheStripTheQuadraticCrossesTheLikelihood() {
    LowerBound bound = new GaussianScaleBound(new GaussianScaleModel(1), 0.1);
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {2}, null);
    CollapsedQuadratic log = new CollapsedQuadratic(new double[2]);
    bound.collapse(row, Anchors.constant(0, 0), log);
    double[] inside = {0, -0.1};
    double[] outside = {0, -0.6};
    Model model = new GaussianScaleModel(1);
    assertTrue(log.value(inside) < model.logLikelihood(row, 0, inside));
    assertTrue(log.value(outside) > model.logLikelihood(row, 0, outside));
    assertEquals(0, bound.gap(row, 0, outside, Anchors.constant(0, 0)));
  }

  @Test
  void thePriorIsConfinedToTheStrip() {
    GaussianScaleBound bound = GaussianScaleBound.forDeviation(new GaussianScaleModel(2), 0.1 / 12);
    assertEquals(0.1, bound.radius(), 1e-15);
    assertEquals(1, GaussianScaleBound.forDeviation(new GaussianScaleModel(2), 0.2).radius());
    Prior prior = ProductPrior.shared(new Flat(), 3);
    Prior confined = bound.restricted(prior, new double[] {5, 6, -2});
    assertEquals(0, confined.logDensity(new double[] {99, -99, -1.91}));
    double none = Double.NEGATIVE_INFINITY;
    assertEquals(none, confined.logDensity(new double[] {5, 6, -1.89}));
    assertEquals(none, confined.addGradient(new double[] {5, 6, -2.11}, new double[3]));
    assertEquals(-2.1, confined.lower(2), 1e-15);
    assertEquals(-1.9, confined.upper(2), 1e-15);
    assertEquals(Double.NEGATIVE_INFINITY, confined.lower(1));
  }

  @Test
  void aRadiusMustBePositive() {
    GaussianScaleModel model = new GaussianScaleModel(2);
    assertThrows(IllegalArgumentException.class, () -> new GaussianScaleBound(model, 0));
    assertThrows(IllegalArgumentException.class, () -> new GaussianScaleBound(model, 11));
  }
}
