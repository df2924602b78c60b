package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.model.DispersedLikelihood;

class LocalWeibullBoundTest extends LocalDispersedBoundContract {
  /** Returns the distribution of log t. */
  protected Response.Time.Residual error() {
    return Response.Time.Residual.EXTREME;
  }

  @Override
  protected final DispersedLikelihood likelihood() {
    return new SurvivalFamily.TimeLikelihood(error());
  }

  @Override
  protected double[] labels() {
    return new double[] {0.2, 1, 5, -0.3, -4};
  }

  @Override
  protected double[] extremes() {
    return new double[] {1e-3, 1, 300, -1e-3, -200};
  }

  @Override
  protected double response(RandomGenerator random) {
    return Math.exp(random.nextGaussian()) * (random.nextInt(3) == 0 ? -1 : 1);
  }

  /** An exponential of an exponential overflows soon. */
  @Override
  protected double[] sds() {
    return new double[] {1e-4, 1e-2, 0.3};
  }

  /** Terms of an anchor that is far off cancel, for the same reason. */
  @Override
  protected double collapsedError() {
    return 1e-9;
  }

  @Override
  protected double far() {
    return 5;
  }

  /** Terms are bounded one by one. */
  @Override
  protected double slack() {
    return 1.2;
  }
}
