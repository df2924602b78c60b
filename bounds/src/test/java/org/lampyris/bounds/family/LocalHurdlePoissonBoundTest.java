package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.model.DispersedLikelihood;

class LocalHurdlePoissonBoundTest extends LocalDispersedBoundContract {
  @Override
  protected DispersedLikelihood likelihood() {
    return new ZeroPoissonFamily.ZeroLikelihood(true);
  }

  @Override
  protected double[] labels() {
    return new double[] {0, 1, 4, 37};
  }

  @Override
  protected double[] extremes() {
    return new double[] {0, 1, 1e6, 5e9};
  }

  @Override
  protected double response(RandomGenerator random) {
    return Math.max(0, random.nextInt(9) - 4);
  }

  @Override
  protected boolean isSeparable() {
    return true;
  }

  /** Terms are bounded one by one. */
  @Override
  protected double slack() {
    return 1.2;
  }
}
