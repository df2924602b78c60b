package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.lampyris.bounds.bound.LocalBoundContract;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

class LocalBinomialBoundTest extends LocalBoundContract {
  @Override
  protected LowerBound in(LaplaceApproximation laplace, double radius) {
    return new BinomialFamily.LocalBinomialBound(laplace, radius);
  }

  @Override
  protected Model of(int columns) {
    return new LinearModel(new BinomialFamily.BinomialLikelihood(), columns);
  }

  @Override
  protected double response(RandomGenerator random) {
    return random.nextInt(6) / 5.0;
  }
}
