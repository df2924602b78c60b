package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.model.DispersedLikelihood;

class LocalNegativeBinomialShapeBoundTest extends LocalDispersedBoundContract {
  @Override
  protected DispersedLikelihood likelihood() {
    return new NegativeBinomialFamily.ShapeLikelihood();
  }

  @Override
  protected double[] labels() {
    return new double[] {0, 1, 4, 37, 900};
  }

  @Override
  protected double[] extremes() {
    return new double[] {0, 1, 1e6, 5e9, 1e15};
  }

  @Override
  protected double response(RandomGenerator random) {
    return Math.floor(Math.exp(2 * random.nextGaussian()));
  }

  /** Terms of either sign, of which the larger is taken. */
  @Override
  protected double slack() {
    return 1.2;
  }
}
