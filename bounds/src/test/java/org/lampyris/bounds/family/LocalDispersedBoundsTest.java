package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ThirdDerivatives;
import org.lampyris.bounds.rows.DataBlock;

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

  /**
   * Bounds about a mode whose last parameter the rows hardly know, so that they are quadratic in
   * its inverse: counts that are nearly Poisson.
   */
  abstract static class Flat extends LowerBoundContract {
    private static final double RADIUS = 2.5;

    private final JointLikelihood likelihood;
    private final ToDoubleFunction<RandomGenerator> response;

    Flat(JointLikelihood likelihood, ToDoubleFunction<RandomGenerator> response) {
      this.likelihood = likelihood;
      this.response = response;
    }

    private LaplaceApproximation laplace() {
      int d = COLUMNS + likelihood.parameters();
      double[] covariance = new double[d * d];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          covariance[i * d + j] = (i == j ? 0.003 : 0) + 0.001 / (1 + Math.abs(i - j));
        }
      }
      covariance[d * d - 1] = 0.7;
      return new LaplaceApproximation(new double[d], covariance);
    }

    /** {@inheritDoc} In the flat, with a shape, or degrees of freedom, of e³. */
    @Override
    protected double[] mode(double[] drawn) {
      drawn[drawn.length - 1] = 3;
      return drawn;
    }

    /** {@inheritDoc} Its mode is the contract's reference, once there is one. */
    @Override
    protected LowerBound bound(int columns) {
      LaplaceApproximation at = laplace();
      return reference().length == 0
          ? new LocalDispersedBound(likelihood, at, RADIUS)
          : about(new LaplaceApproximation(reference(), at.covariance())).orElseThrow();
    }

    @Override
    protected Model model(int columns) {
      return new DispersedModel(likelihood, columns);
    }

    @Override
    protected Optional<LowerBound> about(LaplaceApproximation laplace) {
      return Optional.of(new LocalDispersedBound(likelihood, laplace, RADIUS));
    }

    @Override
    protected double collapsedError() {
      return 1e-7;
    }

    @Override
    protected double[] sds() {
      return new double[] {0.3, 2};
    }

    @Override
    protected List<DataBlock> blocks() {
      return RandomBlocks.inEveryLayout(38, ROWS, COLUMNS, response);
    }

    @Override
    protected void restrict(double[] theta, double[] tightAt) {
      Region region = bound(COLUMNS).region().orElseThrow();
      if (!region.holds(theta)) {
        double[] at = region.onRay(theta, (1 - 1e-12) * RADIUS / region.distance(theta));
        System.arraycopy(at, 0, theta, 0, at.length);
      }
    }

    /** Of a ball somewhat larger. */
    @Override
    protected Anchors someAnchors(RandomGenerator random, int rows) {
      LaplaceApproximation at = new LaplaceApproximation(reference(), laplace().covariance());
      return new LocalDispersedBound(likelihood, at, 1.1 * RADIUS)
          .anchorsAt(blocks().get(0), reference());
    }

    /** As large as it likes to be, and the likelihood that of its limit. */
    @Test
    void theLastParameterHasNoUpperEnd() {
      LowerBound bound = bound(COLUMNS);
      DataBlock block = blocks().get(0);
      Anchors anchors = bound.anchorsAt(block, reference());
      assertTrue(bound.upperAnchorsAt(block, reference()).isEmpty(), "no quadratic in θ");
      for (double further : new double[] {1, 5, 30, 300}) {
        double[] theta = reference();
        theta[theta.length - 1] += further;
        assertTrue(bound.region().orElseThrow().holds(theta));
        for (int row = 0; row < ROWS; row++) {
          double gap = bound.gap(block, row, theta, anchors);
          assertTrue(gap >= 0 && gap < 1e12, "row " + row + ": " + gap);
        }
      }
    }
  }

  private static double count(RandomGenerator random) {
    return Math.floor(Math.exp(1.5 * random.nextGaussian()));
  }

  @Nested
  class FlatNegativeBinomial extends Flat {
    FlatNegativeBinomial() {
      super(new NegativeBinomialFamily.ShapeLikelihood(), LocalDispersedBoundsTest::count);
    }
  }

  private static double countOrZero(RandomGenerator random) {
    return random.nextInt(3) == 0 ? 0 : count(random);
  }

  @Nested
  class FlatZeroInflatedNegativeBinomial extends Flat {
    FlatZeroInflatedNegativeBinomial() {
      super(new ZeroFamily.OverdispersedLikelihood(false), LocalDispersedBoundsTest::countOrZero);
    }
  }

  @Nested
  class FlatHurdleNegativeBinomial extends Flat {
    FlatHurdleNegativeBinomial() {
      super(new ZeroFamily.OverdispersedLikelihood(true), LocalDispersedBoundsTest::countOrZero);
    }
  }

  /** With the share of zeros given. */
  @Nested
  class FlatHurdleOfGivenShare extends Flat {
    FlatHurdleOfGivenShare() {
      super(
          new ZeroFamily.OverdispersedLikelihood(true).given(0, -1),
          LocalDispersedBoundsTest::countOrZero);
    }
  }

  @Nested
  class FlatStudent extends Flat {
    FlatStudent() {
      super(new StudentLikelihood(), RandomGenerator::nextGaussian);
    }
  }

  /** The bounds made by hand hold, and are hardly larger than what they bound. */
  @Test
  void thirdDerivativesInTheInverseAreBounded() {
    ThirdDerivatives likelihood = new NegativeBinomialFamily.InverseShape();
    double[] bounds = new double[4];
    double[] sizes = new double[4];
    for (double inverse : new double[] {1e-7, 1e-3, 0.02, 0.4}) {
      for (double y : new double[] {0, 1, 2, 7, 900}) {
        for (double eta : new double[] {-2, 0, 2, 6.8}) {
          for (double reach : new double[] {0.003, 0.1}) {
            double[] bound = new double[4];
            double half = 2 * inverse;
            likelihood.thirdDerivatives(
                new double[] {eta, half}, new double[] {reach, half}, y, bound);
            double[] most = new double[4];
            for (int i = 0; i <= 8; i++) {
              for (int j = 0; j <= 8; j++) {
                double[] at = third(eta + (i - 4) * reach / 4, j * half / 4, y);
                Arrays.setAll(most, k -> Math.max(most[k], at[k]));
              }
            }
            for (int k = 0; k < 4; k++) {
              String where = inverse + ", " + y + ", " + eta + ", " + reach + ", " + k;
              assertTrue(bound[k] >= most[k] * (1 - 1e-6) - 1e-6, where + ": " + bound[k]);
              // Where rows hardly know the shape, boxes lie near the Poisson limit.
              boolean near = inverse * Math.max(y, Math.exp(eta)) < 0.2;
              bounds[k] += near ? bound[k] : 0;
              sizes[k] += near ? most[k] : 0;
            }
          }
        }
      }
    }
    for (int k = 0; k < 4; k++) {
      assertTrue(bounds[k] < 3 * sizes[k], k + ": " + bounds[k] / sizes[k]);
    }
  }

  /** Returns the sizes of the third derivatives in η and the inverse, about a point. */
  private static double[] third(double eta, double inverse, double y) {
    double q = 1 + inverse * Math.exp(eta);
    double mu = Math.exp(eta);
    double sum = 0;
    for (int j = 0; j < y; j++) {
      sum += Math.pow(j / (1 + j * inverse), 3);
    }
    double integral = 0;
    int n = 200;
    for (int i = 0; i < n; i++) {
      double t = (i + 0.5) / n;
      integral += Math.pow(t, 3) * Math.pow(mu / (1 + inverse * mu * t), 4) / n;
    }
    return new double[] {
      Math.abs((1 + inverse * y) * mu * (1 - inverse * mu) / (q * q * q)),
      Math.abs(mu * (y - 2 * mu - inverse * mu * y) / (q * q * q)),
      Math.abs(2 * (y - mu) * mu * mu / (q * q * q)),
      Math.abs(2 * (sum - y * Math.pow(mu / q, 3) + 3 * integral))
    };
  }
}
