package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalBoundContract;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class LocalStudentBoundTest extends LocalBoundContract {
  private static final RobustFamily.RobustLikelihood LIKELIHOOD =
      new RobustFamily.RobustLikelihood(4, 1.5);

  @Override
  protected LowerBound in(LaplaceApproximation laplace, double radius) {
    return new RobustFamily.LocalBound(LIKELIHOOD, laplace, radius);
  }

  @Override
  protected Model of(int columns) {
    return new LinearModel(LIKELIHOOD, columns);
  }

  @Override
  protected double[] extremes() {
    return new double[] {-1e150, -1e15, 0, 3e-10, 3e9};
  }

  @Override
  protected double response(RandomGenerator random) {
    return 6 * random.nextGaussian();
  }

  @Override
  protected double tolerance() {
    return 1e-11;
  }

  @Test
  void curvatureGapAndSlopeAgreeWithReferences() {
    assertReferences("local-student-gap.csv");
  }

  @Test
  void inAnInfiniteBallItIsTheBoundThatHoldsEverywhere() {
    RobustFamily.StudentBound everywhere = new RobustFamily.StudentBound(LIKELIHOOD, 1);
    LaplaceApproximation any = new LaplaceApproximation(new double[1], new double[] {1});
    RandomGenerator random = RandomBlocks.random(8);
    for (int i = 0; i < 100; i++) {
      double etaHat = random.nextGaussian();
      double y = response(random);
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
      Anchors local = Anchors.constant(etaHat, excess(etaHat, y, 1e6));
      Anchors same = Anchors.constant(y - etaHat);
      double[] eta = {6 * random.nextGaussian()};
      double expected = everywhere.gap(row, 0, eta, same);
      double gap = in(any, 1).gap(row, 0, eta, local);
      assertEquals(expected, gap, 1e-10 * (1 + expected), "row " + i);
    }
  }

  /** Where the likelihood is convex, bounds that hold close by are convex, too. */
  @Test
  void farOffTheCurvatureMayBeNegative() {
    double kappa = excess(0, 12, 0.1) - LIKELIHOOD.secondDerivative(0, 12);
    assertTrue(kappa < 0, "kappa " + kappa);
  }
}
