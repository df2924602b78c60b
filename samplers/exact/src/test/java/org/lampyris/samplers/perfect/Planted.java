package org.lampyris.samplers.perfect;

import java.util.Optional;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.rows.DataBlock;

/**
 * A bound with planted faults.
 *
 * @param bound the right one
 * @param curvature factor of the curvature of the collapsed quadratic, which rows know nothing of
 * @param gap factor of the usual gap, and thus of the constants
 */
record Planted(LowerBound bound, double curvature, double gap) implements LowerBound {
  @Override
  public int dimension() {
    return bound.dimension();
  }

  @Override
  public int functionals() {
    return bound.functionals();
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return bound.functional(block, row, k, u, from);
  }

  @Override
  public int anchorWidth() {
    return bound.anchorWidth();
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return bound.anchorsAt(block, reference);
  }

  @Override
  public Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return bound.upperAnchorsAt(block, reference);
  }

  @Override
  public Optional<Region> region() {
    return bound.region();
  }

  @Override
  public boolean hasUsualGap() {
    return bound.hasUsualGap();
  }

  @Override
  public double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    return gap * bound.usualGap(block, row, spread, anchors);
  }

  @Override
  public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return bound.gap(block, row, theta, anchors);
  }

  @Override
  public double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    return bound.gapGradient(block, row, theta, anchors, gradient);
  }

  @Override
  public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    CollapsedQuadratic own = new CollapsedQuadratic(sum.origin());
    bound.collapse(block, anchors, own);
    int matrix = sum.dimension() * (sum.dimension() + 1) / 2;
    for (int k = 0; k < own.packed().length; k++) {
      sum.packed()[k] += (k < matrix ? curvature : 1) * own.packed()[k];
    }
  }
}
