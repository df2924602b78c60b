package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalTaylorBoundContract;
import org.lampyris.bounds.model.Likelihood;

class LocalBetaBoundTest extends LocalTaylorBoundContract {
  @Override
  protected Likelihood likelihood() {
    return new BetaFamily.GivenLikelihood(7);
  }

  @Override
  protected double[] labels() {
    return new double[] {1e-3, 0.3, 0.9};
  }

  @Override
  protected double[] extremes() {
    return new double[] {1e-300, 1e-30, 1e-12, 0.3, 1 - 1e-10, 1 - 0x1p-53};
  }

  @Override
  protected double response(RandomGenerator random) {
    return 0.001 + 0.998 * random.nextDouble();
  }

  /** Of Stirling's error only the size is bounded. */
  @Override
  protected double slack() {
    return 0.5;
  }
}
