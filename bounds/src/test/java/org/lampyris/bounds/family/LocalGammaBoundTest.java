package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.LocalBoundContract;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

class LocalGammaBoundTest extends LocalBoundContract {
  private static final double SHAPE = 2.5;

  @Override
  protected LowerBound in(LaplaceApproximation laplace, double radius) {
    return new GammaFamily.LocalGammaBound(SHAPE, laplace, radius);
  }

  @Override
  protected Model of(int columns) {
    return new LinearModel(new GammaFamily.GammaLikelihood(SHAPE), columns);
  }

  @Override
  protected double[] extremes() {
    return new double[] {1e-300, 1e-30, 1, 1e18, 1e200};
  }

  @Override
  protected double response(RandomGenerator random) {
    return Math.exp(random.nextGaussian());
  }

  @Test
  void curvatureGapAndSlopeAgreeWithReferences() {
    assertReferences("local-gamma-gap.csv");
  }
}
