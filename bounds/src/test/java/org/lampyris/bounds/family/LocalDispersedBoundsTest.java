package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;

/** The local bounds of families with one linear predictor and a sampled parameter. */
class LocalDispersedBoundsTest {
  @Nested
  class Beta extends LocalDispersedBoundContract {
    Beta() {
      super(
          new BetaFamily.PrecisionLikelihood(),
          1.2,
          random -> 0.001 + 0.998 * random.nextDouble(),
          new double[] {1e-4, 0.2, 0.5, 0.93, 0.9999},
          new double[] {1e-300, 1e-30, 1e-12, 0.3, 1 - 1e-10, 1 - 0x1p-53});
    }
  }

  @Nested
  class NegativeBinomial extends LocalDispersedBoundContract {
    NegativeBinomial() {
      super(
          new NegativeBinomialFamily.ShapeLikelihood(),
          1.2,
          random -> Math.floor(Math.exp(2 * random.nextGaussian())),
          new double[] {0, 1, 4, 37, 900},
          new double[] {0, 1, 1e6, 5e9, 1e15});
    }
  }

  /** Of a sigma that has a predictor of its own: see {@link TwoPredictorTest}. */
  @Nested
  class Gaussian extends LocalDispersedBoundContract {
    Gaussian() {
      super(
          new GaussianScaleModel.ScaleLikelihood(),
          1.001,
          random -> 3 * random.nextGaussian(),
          new double[] {-30, -1, 0, 0.7, 8},
          new double[] {-1e100, -1e15, 0, 3e-10, 3e9});
    }

    @Override
    protected boolean isZero(int derivative) {
      return derivative == 0;
    }
  }

  @Nested
  class Robust extends LocalDispersedBoundContract {
    Robust() {
      super(
          new RobustFamily.ScaleLikelihood(4),
          1.001,
          random -> 3 * random.nextGaussian(),
          new double[] {-30, -1, 0, 0.7, 8},
          new double[] {-1e150, -1e15, 0, 3e-10, 3e9});
    }
  }

  abstract static class OfZeros extends LocalDispersedBoundContract {
    OfZeros(boolean hurdle) {
      super(
          new ZeroFamily.ZeroLikelihood(hurdle),
          1.2,
          random -> Math.max(0, random.nextInt(9) - 4),
          new double[] {0, 1, 4, 37},
          new double[] {0, 1, 1e6, 5e9});
    }
  }

  @Nested
  class ZeroInflatedPoisson extends OfZeros {
    ZeroInflatedPoisson() {
      super(false);
    }
  }

  @Nested
  class HurdlePoisson extends OfZeros {
    HurdlePoisson() {
      super(true);
    }

    @Override
    protected boolean isZero(int derivative) {
      return derivative == 1 || derivative == 2;
    }
  }

  private static double time(RandomGenerator random) {
    double t = Math.exp(random.nextGaussian());
    int code = random.nextInt(4);
    return code == CensoredTime.BETWEEN ? between(t) : CensoredTime.response(code, t, 0);
  }

  private static double before(double t) {
    return CensoredTime.response(CensoredTime.BEFORE, t, 0);
  }

  /** Up to a time of 1, by the logarithm of the ends' ratio. */
  private static double between(double width) {
    return CensoredTime.response(CensoredTime.BETWEEN, Math.exp(-width), 1);
  }

  abstract static class OfTimes extends LocalDispersedBoundContract {
    OfTimes(Response.Time.Residual error) {
      super(
          new SurvivalFamily.TimeLikelihood(error),
          1.2,
          LocalDispersedBoundsTest::time,
          new double[] {0.2, 5, -4, before(0.3), between(0.02), between(1.5)},
          new double[] {1e-3, 1, 300, -1e-3, -200, before(1e-3), before(9), between(1e-3)});
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
  }

  @Nested
  class Weibull extends OfTimes {
    Weibull() {
      super(Response.Time.Residual.EXTREME);
    }
  }

  @Nested
  class Lognormal extends OfTimes {
    Lognormal() {
      super(Response.Time.Residual.NORMAL);
    }
  }

  @Nested
  class Loglogistic extends OfTimes {
    Loglogistic() {
      super(Response.Time.Residual.LOGISTIC);
    }
  }
}
