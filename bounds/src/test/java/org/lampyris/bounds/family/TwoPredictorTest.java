package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalTwoPredictorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;

/** Models of two linear predictors and their bounds, with columns in common and of their own. */
class TwoPredictorTest {
  private static final double RADIUS = 2.5;
  private static final DispersedLikelihood GAUSSIAN = new GaussianScaleModel.ScaleLikelihood();
  private static final DispersedLikelihood ZEROS = new ZeroFamily.ZeroLikelihood(false);

  private static final JointLikelihood STUDENT = new StudentLikelihood();
  private static final JointLikelihood HURDLE = new ZeroFamily.OverdispersedLikelihood(true);

  private static double real(RandomGenerator random) {
    return 3 * random.nextGaussian();
  }

  private static double count(RandomGenerator random) {
    return Math.max(0, random.nextInt(9) - 4);
  }

  /** Of six columns the second predictor has three, in another order. */
  private static Predictors predictors(int columns) {
    return Predictors.of(columns, List.of(new int[] {0, 1, 2, 4}, new int[] {0, 5, 2}));
  }

  abstract static class OfModel extends ModelContract {
    private final JointLikelihood likelihood;
    private final ToDoubleFunction<RandomGenerator> label;

    OfModel(JointLikelihood likelihood, ToDoubleFunction<RandomGenerator> label) {
      this.likelihood = likelihood;
      this.label = label;
    }

    @Override
    protected Model model(int columns) {
      return new TwoPredictorModel(likelihood, predictors(columns));
    }

    @Override
    protected List<DataBlock> blocks() {
      return RandomBlocks.withOffset(38, ROWS, COLUMNS, label);
    }

    /** An exponential of a sum overflows far out. */
    @Override
    protected double[][] thetas(Model model) {
      RandomGenerator random = RandomBlocks.random(4);
      int d = model.dimension();
      return new double[][] {
        new double[d],
        RandomBlocks.normal(random, d, 0.1),
        RandomBlocks.normal(random, d, 0.3),
        RandomBlocks.normal(random, d, 0.6)
      };
    }
  }

  @Nested
  class GaussianModel extends OfModel {
    GaussianModel() {
      super(GAUSSIAN, TwoPredictorTest::real);
    }
  }

  @Nested
  class ZeroInflatedModel extends OfModel {
    ZeroInflatedModel() {
      super(ZEROS, TwoPredictorTest::count);
    }
  }

  private static LaplaceApproximation laplace(int dimension) {
    double[] covariance = new double[dimension * dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        covariance[i * dimension + j] = (i == j ? 0.03 : 0) + 0.01 / (1 + Math.abs(i - j));
      }
    }
    return new LaplaceApproximation(new double[dimension], covariance);
  }

  abstract static class OfBound extends LowerBoundContract {
    private final JointLikelihood likelihood;
    private final List<DataBlock> blocks;

    OfBound(JointLikelihood likelihood, List<DataBlock> blocks) {
      this.likelihood = likelihood;
      this.blocks = blocks;
    }

    @Override
    protected LowerBound bound(int columns) {
      return new LocalTwoPredictorBound(
          likelihood, predictors(columns), laplace(model(columns).dimension()), RADIUS);
    }

    @Override
    protected Model model(int columns) {
      return new TwoPredictorModel(likelihood, predictors(columns));
    }

    @Override
    protected Optional<LowerBound> about(LaplaceApproximation laplace) {
      return Optional.of(
          new LocalTwoPredictorBound(likelihood, predictors(COLUMNS), laplace, RADIUS));
    }

    @Override
    protected List<DataBlock> blocks() {
      return blocks;
    }

    @Override
    protected void restrict(double[] theta, double[] tightAt) {
      intoBall(laplace(theta.length), RADIUS, theta, tightAt);
    }

    /** Of a ball nearly twice as large, in the same coordinates. */
    @Override
    protected Anchors someAnchors(RandomGenerator random, int rows) {
      int d = model(COLUMNS).dimension();
      LowerBound large =
          new LocalTwoPredictorBound(likelihood, predictors(COLUMNS), laplace(d), 1.9 * RADIUS);
      return large.anchorsAt(blocks().get(0), reference());
    }

    /** An exponential of a sum overflows soon. */
    @Override
    protected double[] sds() {
      return new double[] {1e-4, 1e-2, 0.3};
    }

    /** Terms of an anchor that is far off cancel, for the same reason. */
    @Override
    protected double collapsedError() {
      return 1e-9;
    }
  }

  @Nested
  class GaussianBound extends OfBound {
    GaussianBound() {
      super(GAUSSIAN, RandomBlocks.withOffset(38, 40, 6, TwoPredictorTest::real));
    }
  }

  /** Without offsets, which move rows out of where anchors of other rows hold. */
  @Nested
  class ZeroInflatedBound extends OfBound {
    ZeroInflatedBound() {
      super(ZEROS, RandomBlocks.inEveryLayout(38, 40, 6, TwoPredictorTest::count));
    }
  }

  @Nested
  class StudentModel extends OfModel {
    StudentModel() {
      super(STUDENT, TwoPredictorTest::real);
    }

    /** Differences lose digits where a scale is far below the residuals. */
    @Override
    protected double[][] thetas(Model model) {
      return Arrays.stream(super.thetas(model))
          .map(theta -> Arrays.stream(theta).map(t -> 0.3 * t).toArray())
          .toArray(double[][]::new);
    }
  }

  @Nested
  class HurdleNegativeBinomialModel extends OfModel {
    HurdleNegativeBinomialModel() {
      super(HURDLE, TwoPredictorTest::count);
    }
  }

  @Nested
  class StudentBound extends OfBound {
    StudentBound() {
      super(STUDENT, RandomBlocks.inEveryLayout(38, 40, 6, TwoPredictorTest::real));
    }
  }

  @Nested
  class HurdleNegativeBinomialBound extends OfBound {
    HurdleNegativeBinomialBound() {
      super(HURDLE, RandomBlocks.inEveryLayout(38, 40, 6, TwoPredictorTest::count));
    }
  }

  /** A second predictor of a column of ones is a parameter that all rows share. */
  @Test
  void aConstantPredictorIsASharedParameter() {
    assertShared(GAUSSIAN, TwoPredictorTest::real);
    assertShared(new ZeroFamily.OverdispersedLikelihood(false), TwoPredictorTest::count);
  }

  private static void assertShared(
      JointLikelihood likelihood, ToDoubleFunction<RandomGenerator> label) {
    int columns = 4;
    int d = columns + likelihood.parameters();
    Predictors predictors = Predictors.of(columns, List.of(new int[] {0, 1, 2, 3}, new int[] {0}));
    Model shared = new DispersedModel(likelihood, columns);
    Model two = new TwoPredictorModel(likelihood, predictors);
    LowerBound ofShared = new LocalDispersedBound(likelihood, laplace(d), RADIUS);
    LowerBound ofTwo = new LocalTwoPredictorBound(likelihood, predictors, laplace(d), RADIUS);
    double[] mode = laplace(d).mode();
    // With two parameters a box is halved elsewhere if an sd differs in its last digit.
    boolean exact = likelihood.parameters() == 1;
    double[] theta = Arrays.copyOf(new double[] {0.2, -0.1, 0.3, 0, 0.25, 0.4}, d);
    for (DataBlock block : RandomBlocks.withOffset(9, 30, columns, label)) {
      double[][] gradient = new double[2][d];
      double[][] hessian = new double[2][d * d];
      double value = shared.addHessians(block, theta, gradient[0], hessian[0]);
      assertEquals(value, two.addHessians(block, theta, gradient[1], hessian[1]), 1e-10);
      assertArrayEquals(gradient[0], gradient[1], 1e-10);
      assertArrayEquals(hessian[0], hessian[1], 1e-10);
      Anchors anchors = ofShared.anchorsAt(block, mode);
      Anchors again = exact ? ofTwo.anchorsAt(block, mode) : anchors;
      CollapsedQuadratic[] sums = new CollapsedQuadratic[2];
      Arrays.setAll(sums, i -> new CollapsedQuadratic(mode));
      ofShared.collapse(block, anchors, sums[0]);
      ofTwo.collapse(block, again, sums[1]);
      double largest = Arrays.stream(sums[0].packed()).map(Math::abs).max().orElseThrow();
      assertArrayEquals(sums[0].packed(), sums[1].packed(), 1e-9 * (1 + largest));
      for (int row = 0; row < block.rows(); row++) {
        double gap = ofShared.gap(block, row, theta, anchors);
        assertEquals(gap, ofTwo.gap(block, row, theta, again), 1e-9 * (1 + gap));
        assertEquals(
            shared.taylor(block, row, 2, mode, theta),
            two.taylor(block, row, 2, mode, theta),
            1e-9);
        for (int order = 2; order <= 3; order++) {
          double[] spread = laplace(d).spread(shared, block, row);
          double bound = shared.derivativeBound(block, row, order, mode, spread, 1);
          assertEquals(
              bound,
              two.derivativeBound(block, row, order, mode, spread, 1),
              (exact ? 1e-9 : 0.15) * bound);
        }
      }
    }
  }

  @Test
  void predictorsHaveColumns() {
    Predictors of = predictors(6);
    assertEquals(7, of.coefficients());
    assertEquals(5, of.column(5));
    assertEquals(1, of.predictor(5));
    assertEquals(6, of.place(1, 2));
    assertEquals(-1, of.place(0, 3));
    assertArrayEquals(
        new double[] {5, 0, 7, 0, 0, 6}, of.full(1, new double[] {9, 1, 2, 3, 4, 5, 6, 7}, 1));
    assertThrows(IllegalArgumentException.class, () -> Predictors.of(2, List.of(new int[] {0, 2})));
    assertThrows(
        IllegalArgumentException.class,
        () -> new TwoPredictorModel(GAUSSIAN, Predictors.all(3, 1)));
  }
}
