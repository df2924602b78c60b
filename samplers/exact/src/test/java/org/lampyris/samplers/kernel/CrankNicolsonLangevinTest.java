package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.samplers.multilevel.CrankNicolsonLangevin;
import org.lampyris.samplers.random.Streams;

class CrankNicolsonLangevinTest extends ThetaKernelContract {
  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new CrankNicolsonLangevin(preconditioner, 0.5);
  }

  /** A normal target of its own covariance refuses nothing, wherever its mean is. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.7, 1})
  void aNormalTargetOfItsShapeRefusesNothing(double stepSize) {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.THETA, 1, 1, 0);
    CrankNicolsonLangevin kernel = new CrankNicolsonLangevin(Preconditioner.identity(2), stepSize);
    Point point = Point.at(new double[] {30, -40});
    for (int i = 0; i < 50; i++) {
      ThetaKernel.Step step = kernel.step(new Normal(), point, rng);
      assertEquals(1, step.acceptanceProbability(), 1e-9);
      point = step.point();
    }
  }

  /** N((5, −1), I). */
  private static final class Normal implements LogDensity {
    @Override
    public int dimension() {
      return 2;
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      for (int k = 0; k < out.length; k++) {
        out[k] = valueAndGradient(thetas[k], new double[2]);
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      gradient[0] = 5 - theta[0];
      gradient[1] = -1 - theta[1];
      return -0.5 * (gradient[0] * gradient[0] + gradient[1] * gradient[1]);
    }
  }
}
