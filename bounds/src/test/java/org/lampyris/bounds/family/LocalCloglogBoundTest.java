package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalTaylorBoundContract;
import org.lampyris.bounds.model.Likelihood;

class LocalCloglogBoundTest extends LocalTaylorBoundContract {
  @Override
  protected Likelihood likelihood() {
    return new CloglogFamily.CloglogLikelihood();
  }

  @Override
  protected double[] labels() {
    return new double[] {-1, 1};
  }

  @Override
  protected double response(RandomGenerator random) {
    return random.nextBoolean() ? 1 : -1;
  }
}
