package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalBoundContract;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

class LocalNegativeBinomialBoundTest extends LocalBoundContract {
  @Override
  protected LowerBound in(LaplaceApproximation laplace, double radius) {
    return new NegativeBinomialFamily.LocalBound(1.5, laplace, radius);
  }

  @Override
  protected Model of(int columns) {
    return new LinearModel(new NegativeBinomialFamily.GivenLikelihood(1.5), columns);
  }

  @Override
  protected double[] extremes() {
    return new double[] {0, 1, 1e6, 5e9, 1e15};
  }

  @Override
  protected double response(RandomGenerator random) {
    return random.nextInt(4) * random.nextInt(9);
  }
}
