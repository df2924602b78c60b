package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.MixtureFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.StudentLikelihood;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/** Modes of log posteriors that are not concave, and posteriors that have none. */
class NonConcaveMapTest {

  private static final RandomGenerator RANDOM =
      RandomGeneratorFactory.of("L64X128MixRandom").create(71);

  private static MapFinder finder(Prior prior, double tolerance) {
    List<String> names = IntStream.range(0, prior.dimension()).mapToObj(j -> "x" + j).toList();
    return new MapFinder(prior, names, tolerance, 100);
  }

  private static Prior shared(String text, int d) {
    return ProductPrior.shared(PriorParser.parse(text), d);
  }

  private static Objective objective(Model model, DataBlock... blocks) {
    return Objective.of(List.of(blocks), model, 1);
  }

  /** An intercept and n standard normal columns' worth of x; y by the caller. */
  private static DataBlock block(long id, int rows, double slope, double noise, double level) {
    double[] x = new double[2 * rows];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = RANDOM.nextGaussian();
      double wild = RANDOM.nextInt(20) == 0 ? 300 * RANDOM.nextGaussian() : 0;
      y[i] = level + slope * x[2 * i + 1] + noise * RANDOM.nextGaussian() + wild;
    }
    return new DenseBlock(id, 2, x, y, null);
  }

  private static void assertStationary(Objective objective, MapFit fit) {
    LikelihoodSum at = objective.evaluate(fit.theta());
    for (int j = 0; j < fit.theta().length; j++) {
      assertEquals(0, at.gradient(j) * fit.sd(j), 1e-6, "gradient of " + j);
    }
  }

  /**
   * Levels of delays with a long tail, scale and degrees of freedom sampled: the curvature of many
   * levels has the wrong sign. Shortening the whole step took 76 passes.
   */
  @Test
  void levelsOfRobustRegressionTakeFewPasses() {
    int levels = 120;
    int rows = 4_000;
    int d = 1 + levels;
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(5);
    double[] x = new double[d * rows];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[d * i] = 1;
      x[d * i + 1 + (int) (levels * Math.pow(random.nextDouble(), 3))] = 1;
      y[i] = Math.exp(1 + 2 * random.nextGaussian()) + 3 * random.nextGaussian();
    }
    Model model = new DispersedModel(new StudentLikelihood(), d);
    UnivariatePrior effect = PriorParser.parse("normal(0, 8)");
    UnivariatePrior own = PriorParser.parse("normal(3, 2)");
    Prior prior =
        ProductPrior.of(IntStream.range(0, d + 2).mapToObj(j -> j < d ? effect : own).toList());
    MapFit fit =
        finder(prior, 1e-6)
            .from(new double[d + 2], objective(model, new DenseBlock(0, d, x, y, null)), p -> {});
    assertTrue(fit.history().size() <= 30, fit.history().size() + " passes");
  }

  /** Every residual is thousands of scales: the Hessian has the wrong sign in every direction. */
  @Test
  void robustRegressionIsFoundFromFarAway() {
    DataBlock rows = block(0, 500, 3, 1, 0);
    Objective objective =
        objective(new LinearModel(new RobustFamily.RobustLikelihood(4, 1), 2), rows);
    MapFinder finder = finder(shared("flat", 2), 1e-8);
    MapFit near = finder.from(new double[] {0, 3}, objective, pass -> {});
    for (double[] start : new double[][] {{5000, 0}, {-4000, 9000}, {100, -1e6}}) {
      MapFit fit = finder.from(start, objective, pass -> {});
      assertStationary(objective, fit);
      assertEquals(near.theta()[0], fit.theta()[0], 1e-7);
      assertEquals(near.theta()[1], fit.theta()[1], 1e-7);
      assertTrue(fit.passes() <= 40, "passes: " + fit.passes());
    }
  }

  @Test
  void aSubsampleSavesPassesOfRobustRegression() {
    List<DataBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      blocks.add(block(i, 500, 3, 1, -20));
    }
    Model model = new LinearModel(new RobustFamily.RobustLikelihood(4, 1), 2);
    Objective table = Objective.of(blocks, model, 1);
    MapFinder finder = finder(shared("laplace(0, 1)", 2), 1e-6);
    MapFit cold = finder.find(table, null, pass -> {});
    MapFit warm = finder.find(table, Objective.of(blocks.subList(0, 4), model, 10), pass -> {});
    assertTrue(warm.passes() <= 4, "warm: " + warm.passes());
    assertTrue(cold.passes() >= 6, "cold: " + cold.passes());
    assertEquals(cold.theta()[0], warm.theta()[0], 1e-6 * cold.sd(0));
  }

  /** With flat priors the mode is the least-squares fit, and σ̂² the mean squared residual. */
  @Test
  void aSampledSigmaHasAClosedForm() {
    DataBlock rows = block(0, 400, -2, 5, 1e5);
    MapFit fit =
        finder(shared("flat", 3), 1e-8)
            .find(objective(new GaussianScaleModel(2), rows), null, pass -> {});
    double[] s = new double[5];
    for (int i = 0; i < 400; i++) {
      double x = rows.feature(i, 1);
      double y = rows.response(i);
      s[0] += x;
      s[1] += y;
      s[2] += x * x;
      s[3] += x * y;
    }
    double slope = (s[3] - s[0] * s[1] / 400) / (s[2] - s[0] * s[0] / 400);
    double level = (s[1] - slope * s[0]) / 400;
    double squares = 0;
    for (int i = 0; i < 400; i++) {
      double r = rows.response(i) - level - slope * rows.feature(i, 1);
      squares += r * r;
    }
    assertEquals(level, fit.theta()[0], 1e-6);
    assertEquals(slope, fit.theta()[1], 1e-6);
    assertEquals(0.5 * Math.log(squares / 400), fit.theta()[2], 1e-9);
    assertEquals(Math.sqrt(1 / 800.0), fit.sd(2), 1e-9);
    assertEquals(Math.sqrt(squares / 400 / (s[2] - s[0] * s[0] / 400)), fit.sd(1), 1e-7);
  }

  /** Normal prior, normal likelihood: the posterior is N(Σ XᵀWy/σ², Σ), Σ⁻¹ = XᵀWX/σ² + 1/s². */
  @Test
  void theConjugateCaseIsExactAndTakesTwoPasses() {
    DataBlock rows = block(0, 300, 1, 2, 0);
    double sigma = 2.5;
    double sd = 0.3;
    MapFit fit =
        finder(shared("normal(0, " + sd + ")", 2), 1e-8)
            .find(
                objective(new LinearModel(new GaussianFamily.GaussianLikelihood(sigma), 2), rows),
                null,
                pass -> {});
    double a = 1 / (sd * sd);
    double b = 0;
    double c = 1 / (sd * sd);
    double u = 0;
    double v = 0;
    for (int i = 0; i < 300; i++) {
      double x = rows.feature(i, 1);
      double y = rows.response(i);
      a += 1 / (sigma * sigma);
      b += x / (sigma * sigma);
      c += x * x / (sigma * sigma);
      u += y / (sigma * sigma);
      v += x * y / (sigma * sigma);
    }
    double det = a * c - b * b;
    assertEquals((c * u - b * v) / det, fit.theta()[0], 1e-12);
    assertEquals((a * v - b * u) / det, fit.theta()[1], 1e-12);
    assertEquals(c / det, fit.covariance()[0], 1e-13);
    assertEquals(-b / det, fit.covariance()[1], 1e-13);
    assertEquals(a / det, fit.covariance()[3], 1e-13);
    assertTrue(fit.passes() <= 3, "passes: " + fit.passes());
  }

  /** Where both components are one the gradient vanishes, and the log posterior has a saddle. */
  @Test
  void aSaddlePointIsLeft() {
    double[] y = new double[400];
    Arrays.setAll(y, i -> (i % 2 == 0 ? -3 : 3) + RANDOM.nextGaussian());
    double mean = Arrays.stream(y).sum() / y.length;
    double[] ones = new double[400];
    Arrays.fill(ones, 1);
    Objective objective =
        objective(new MixtureFamily.MixtureModel(1), new DenseBlock(0, 1, ones, y, null));
    double[] saddle = {mean, 0};
    assertEquals(0, objective.evaluate(saddle).gradient(1), 1e-9);
    for (double away : new double[] {0, 1e-12, 1e-6, 1e-4}) {
      for (double tolerance : new double[] {1e-8, 1e-2}) {
        MapFit fit =
            finder(shared("flat", 2), tolerance)
                .from(new double[] {mean + away, 0}, objective, pass -> {});
        assertEquals(6, Math.abs(fit.theta()[1]), 0.3);
        assertTrue(fit.passes() <= 40, "passes: " + fit.passes());
      }
    }
  }

  @Test
  void aModeOnTheKinkOfARobustPosteriorIsFound() {
    DataBlock rows = block(0, 300, 0.01, 3, 2);
    Objective objective =
        objective(new LinearModel(new RobustFamily.RobustLikelihood(4, 3), 2), rows);
    MapFit fit = finder(shared("laplace(0, 0.05)", 2), 1e-9).find(objective, null, pass -> {});
    assertEquals(0, fit.theta()[1], "on the kink");
    assertTrue(Math.abs(objective.evaluate(fit.theta()).gradient(1)) <= 20);
    assertEquals(
        Math.signum(fit.theta()[0]) * 20, objective.evaluate(fit.theta()).gradient(0), 1e-6);
  }

  /**
   * A level that no row of a sample has: its coefficient stays on the kink, with the prior's sd.
   */
  @Test
  void aColumnOfZerosUnderALaplacePriorHasThePriorsDeviation() {
    DataBlock rows = new DenseBlock(0, 2, new double[] {1, 0, 1, 0}, new double[] {2, 3}, null);
    Objective objective =
        objective(new LinearModel(new GaussianFamily.GaussianLikelihood(1), 2), rows);
    MapFit fit = finder(shared("laplace(0, 3)", 2), 1e-6).find(objective, null, pass -> {});
    assertEquals(0, fit.theta()[1]);
    assertEquals(3 * Math.sqrt(2), fit.sd(1), 1e-9);
  }

  @Test
  void aSoftmaxWithoutReferenceUnderAFlatPriorHasNoSingleMode() {
    double[] y = new double[60];
    double[] x = new double[120];
    for (int i = 0; i < 60; i++) {
      y[i] = RANDOM.nextInt(3);
      x[2 * i] = 1;
      x[2 * i + 1] = RANDOM.nextGaussian();
    }
    DataBlock rows = new DenseBlock(0, 2, x, y, null);
    Objective all = objective(new SoftmaxModel(2, 3, SoftmaxModel.NO_REFERENCE), rows);
    MapFinder finder = finder(shared("flat", 6), 1e-4);
    UserException e = assertThrows(UserException.class, () -> finder.find(all, null, pass -> {}));
    assertTrue(
        String.valueOf(e.getMessage()).contains("set model.reference_class"), e.getMessage());
    finder(shared("normal(0, 2.5)", 6), 1e-4).find(all, null, pass -> {});
    finder(shared("flat", 4), 1e-4)
        .find(objective(new SoftmaxModel(2, 3, 0), rows), null, pass -> {});
  }

  @Test
  void separatedClassesOfASoftmaxAreAnError() {
    double[] x = {1, -3, 1, -2, 1, 0.1, 1, -0.1, 1, 2, 1, 3};
    DataBlock rows = new DenseBlock(0, 2, x, new double[] {0, 0, 1, 1, 2, 2}, null);
    Objective objective = objective(new SoftmaxModel(2, 3, 1), rows);
    UserException e =
        assertThrows(
            UserException.class,
            () -> finder(shared("flat", 4), 1e-4).find(objective, null, pass -> {}));
    assertTrue(String.valueOf(e.getMessage()).contains("normal(0, 2.5)"), e.getMessage());
  }

  /** σ goes to 0 where nothing is left to explain. */
  @Test
  void anExactFitWithASampledSigmaHasNoMode() {
    double[] x = {1, 1, 1, 2, 1, 3, 1, 4};
    DataBlock rows = new DenseBlock(0, 2, x, new double[] {3, 5, 7, 9}, null);
    Objective objective = objective(new GaussianScaleModel(2), rows);
    UserException e =
        assertThrows(
            UserException.class,
            () -> finder(shared("flat", 3), 1e-4).find(objective, null, pass -> {}));
    assertEquals(UserException.Kind.DATA, e.kind());
  }

  @Test
  void aLikelihoodThatIsNotFiniteIsExplained() {
    DataBlock rows = new DenseBlock(0, 1, new double[] {1, 1}, new double[] {2, -1}, null);
    Objective objective = objective(new LinearModel(new GammaFamily.GammaLikelihood(2), 1), rows);
    UserException e =
        assertThrows(
            UserException.class,
            () -> finder(shared("flat", 1), 1e-4).find(objective, null, pass -> {}));
    assertTrue(String.valueOf(e.getMessage()).contains("Check the response"), e.getMessage());
  }
}
