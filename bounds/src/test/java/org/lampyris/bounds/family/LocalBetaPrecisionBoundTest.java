package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.model.DispersedLikelihood;

class LocalBetaPrecisionBoundTest extends LocalDispersedBoundContract {
  @Override
  protected DispersedLikelihood likelihood() {
    return new BetaFamily.PrecisionLikelihood();
  }

  @Override
  protected double[] labels() {
    return new double[] {1e-4, 0.2, 0.5, 0.93, 0.9999};
  }

  @Override
  protected double[] extremes() {
    return new double[] {1e-300, 1e-30, 1e-12, 0.3, 1 - 1e-10, 1 - 0x1p-53};
  }

  @Override
  protected double response(RandomGenerator random) {
    return 0.001 + 0.998 * random.nextDouble();
  }

  /** Terms are bounded one by one. */
  @Override
  protected double slack() {
    return 1.2;
  }
}
