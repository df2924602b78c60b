package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.model.DispersedLikelihood;

class LocalStudentScaleBoundTest extends LocalDispersedBoundContract {
  @Override
  protected DispersedLikelihood likelihood() {
    return new RobustFamily.ScaleLikelihood(4);
  }

  @Override
  protected double[] labels() {
    return new double[] {-30, -1, 0, 0.7, 8};
  }

  @Override
  protected double[] extremes() {
    return new double[] {-1e150, -1e15, 0, 3e-10, 3e9};
  }

  @Override
  protected double response(RandomGenerator random) {
    return 3 * random.nextGaussian();
  }
}
