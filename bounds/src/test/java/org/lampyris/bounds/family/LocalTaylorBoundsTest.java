package org.lampyris.bounds.family;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.lampyris.bounds.bound.LocalTaylorBoundContract;

/** The local bounds of families with one linear predictor and no sampled parameter. */
class LocalTaylorBoundsTest {
  private static final double[] SIGNS = {-1, 1};
  private static final double[] COUNTS = {0, 1, 4, 37};
  private static final double[] LARGE_COUNTS = {0, 1, 1e6, 5e9, 1e15};

  private static double sign(RandomGenerator random) {
    return random.nextBoolean() ? 1 : -1;
  }

  private static double count(RandomGenerator random) {
    return random.nextInt(4) * random.nextInt(9);
  }

  @Nested
  class Probit extends LocalTaylorBoundContract {
    Probit() {
      super(new ProbitFamily.ProbitLikelihood(), LocalTaylorBoundsTest::sign, SIGNS, SIGNS);
    }
  }

  @Nested
  class Cauchit extends LocalTaylorBoundContract {
    Cauchit() {
      super(new CauchitFamily.CauchitLikelihood(), LocalTaylorBoundsTest::sign, SIGNS, SIGNS);
    }
  }

  @Nested
  class Cloglog extends LocalTaylorBoundContract {
    Cloglog() {
      super(new CloglogFamily.CloglogLikelihood(), LocalTaylorBoundsTest::sign, SIGNS, SIGNS);
    }
  }

  @Nested
  class Binomial extends LocalTaylorBoundContract {
    private static final double[] SHARES = {0, 0.2, 0.6, 1};

    Binomial() {
      super(
          new BinomialFamily.BinomialLikelihood(),
          random -> random.nextInt(6) / 5.0,
          SHARES,
          SHARES);
    }
  }

  @Nested
  class Poisson extends LocalTaylorBoundContract {
    Poisson() {
      super(
          new PoissonFamily.PoissonLikelihood(),
          LocalTaylorBoundsTest::count,
          COUNTS,
          LARGE_COUNTS);
    }
  }

  @Nested
  class NegativeBinomial extends LocalTaylorBoundContract {
    NegativeBinomial() {
      super(
          new NegativeBinomialFamily.GivenLikelihood(1.5),
          LocalTaylorBoundsTest::count,
          COUNTS,
          LARGE_COUNTS);
    }
  }

  @Nested
  class Gamma extends LocalTaylorBoundContract {
    Gamma() {
      super(
          new GammaFamily.GammaLikelihood(2.5),
          random -> Math.exp(random.nextGaussian()),
          new double[] {0.01, 0.4, 1, 20},
          new double[] {1e-300, 1e-30, 1, 1e18, 1e200});
    }
  }

  @Nested
  class Robust extends LocalTaylorBoundContract {
    Robust() {
      super(
          new RobustFamily.RobustLikelihood(4, 1.5),
          random -> 6 * random.nextGaussian(),
          new double[] {-30, -1, 0, 0.7, 8},
          new double[] {-1e150, -1e15, 0, 3e-10, 3e9});
    }
  }

  @Nested
  class Beta extends LocalTaylorBoundContract {
    Beta() {
      super(
          new BetaFamily.GivenLikelihood(7),
          random -> 0.001 + 0.998 * random.nextDouble(),
          new double[] {1e-3, 0.3, 0.9},
          new double[] {1e-300, 1e-30, 1e-12, 0.3, 1 - 1e-10, 1 - 0x1p-53});
    }

    /** Of Stirling's error only the size is bounded. */
    @Override
    protected double slack() {
      return 0.5;
    }
  }
}
