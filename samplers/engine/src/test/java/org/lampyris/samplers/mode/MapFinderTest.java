package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior.Flat;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class MapFinderTest {

  private static final double SQUARED = 1e-9;

  private static Objective logistic(List<? extends DataBlock> blocks, double factor) {
    return Objective.of(
        blocks, new LinearModel(new LogisticLikelihood(), blocks.get(0).columns()), factor);
  }

  private static Prior shared(String text, int d) {
    return ProductPrior.shared(PriorParser.parse(text), d);
  }

  private static List<String> names(int d) {
    return IntStream.range(0, d).mapToObj(j -> j == 0 ? "(Intercept)" : "x" + j).toList();
  }

  private static MapFit find(Objective objective, Prior prior, double tolerance) {
    int d = prior.dimension();
    return new MapFinder(prior, names(d), tolerance, 100).find(objective, null, pass -> {});
  }

  /** Rows x ~ N(0, 1) with an intercept, y ~ Bernoulli(σ(xᵀtheta)), in blocks of 100. */
  static List<DataBlock> simulated(long seed, int rows, double... theta) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    int d = theta.length;
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < rows; from += 100) {
      int n = Math.min(100, rows - from);
      double[] x = new double[n * d];
      double[] y = new double[n];
      for (int row = 0; row < n; row++) {
        double eta = 0;
        for (int j = 0; j < d; j++) {
          x[row * d + j] = j == 0 ? 1 : random.nextGaussian();
          eta += x[row * d + j] * theta[j];
        }
        y[row] = random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1;
      }
      blocks.add(new DenseBlock(blocks.size(), d, x, y, null));
    }
    return blocks;
  }

  private static DataBlock column(double[] x, double[] y) {
    double[] features = new double[2 * x.length];
    for (int row = 0; row < x.length; row++) {
      features[2 * row] = 1;
      features[2 * row + 1] = x[row];
    }
    return new DenseBlock(0, 2, features, y, null);
  }

  @Test
  void anInterceptAloneHasAClosedForm() {
    double[] y = new double[50];
    Arrays.fill(y, -1);
    Arrays.fill(y, 0, 20, 1);
    double[] ones = new double[50];
    Arrays.fill(ones, 1);
    Objective objective = logistic(List.of(new DenseBlock(0, 1, ones, y, null)), 1);
    MapFit fit = find(objective, shared("flat", 1), 1e-6);
    assertEquals(Math.log(0.4 / 0.6), fit.theta()[0], 1e-12);
    assertEquals(1 / (50 * 0.4 * 0.6), fit.covariance()[0], 1e-10);
    assertEquals(20 * Math.log(0.4) + 30 * Math.log(0.6), fit.logPosterior(), 1e-10);
    assertEquals(fit.history().size(), fit.passes());
    assertTrue(fit.history().get(fit.passes() - 1).decrement() <= 1e-6);
  }

  /**
   * Twenty columns with correlations of 0.99: a step that is short for each of them, in its own
   * standard deviations, is 200 times as long along their sum.
   */
  @Test
  void theSearchEndsNearTheModeInEveryDirection() {
    int d = 20;
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(3);
    double[] x = new double[2000 * d];
    double[] y = new double[2000];
    for (int row = 0; row < y.length; row++) {
      double common = Math.sqrt(0.99) * random.nextGaussian();
      for (int j = 0; j < d; j++) {
        x[row * d + j] = common + 0.1 * random.nextGaussian();
      }
      y[row] = random.nextDouble() * (1 + Math.exp(-common)) < 1 ? 1 : -1;
    }
    Objective objective = logistic(List.of(new DenseBlock(0, d, x, y, null)), 1);
    Prior prior = shared("normal(0, 2.5)", d);
    double tolerance = 1e-2;
    MapFit exact = find(objective, prior, 1e-9);
    double[] start = exact.theta().clone();
    for (int j = 0; j < d; j++) {
      start[j] += 0.9 * tolerance * exact.sd(j);
    }
    assertTrue(exact.laplace().distance(start) > 100 * tolerance);
    MapFit fit =
        new MapFinder(prior, Collections.nCopies(d, "x"), tolerance, 100)
            .from(start, objective, pass -> {});
    assertTrue(exact.laplace().distance(fit.theta()) <= tolerance);
  }

  @Test
  void theModeHasNoGradientAndTheCovarianceInvertsTheCurvature() {
    Objective objective = logistic(simulated(1, 900, -0.5, 1, 0.3, -2), 1);
    for (String text :
        List.of("normal(0, 2.5)", "flat", "cauchy(0, 0.2)", "student_t(3, 1, 0.1)")) {
      Prior prior = shared(text, 4);
      MapFit fit = find(objective, prior, SQUARED);
      LikelihoodSum at = objective.evaluate(fit.theta());
      double[] gradient = new double[4];
      double logPrior = prior.addGradient(fit.theta(), gradient);
      double[] curvature = new double[4];
      prior.addCurvature(fit.theta(), curvature);
      assertEquals(at.value() + logPrior, fit.logPosterior());
      for (int i = 0; i < 4; i++) {
        assertEquals(0, at.gradient(i) + gradient[i], 1e-7, text);
        for (int j = 0; j < 4; j++) {
          double product = 0;
          for (int k = 0; k < 4; k++) {
            double m = -at.hessian(i, k) - (i == k ? curvature[k] : 0);
            product += m * fit.covariance()[k * 4 + j];
          }
          assertEquals(i == j ? 1 : 0, product, 1e-9, text);
        }
        assertEquals(Math.sqrt(fit.covariance()[i * 4 + i]), fit.sd(i));
      }
    }
  }

  @Test
  void scalesOfColumnsDoNotMatter() {
    List<DataBlock> blocks = simulated(2, 900, -0.5, 1, 0.3);
    MapFit plain = find(logistic(blocks, 1), shared("flat", 3), SQUARED);
    double[] scale = {1, 1e8, 1e-7};
    List<DataBlock> scaled = new ArrayList<>();
    for (DataBlock block : blocks) {
      double[] x = new double[block.rows() * 3];
      double[] y = new double[block.rows()];
      for (int row = 0; row < y.length; row++) {
        y[row] = block.response(row);
        for (int j = 0; j < 3; j++) {
          x[row * 3 + j] = block.feature(row, j) * scale[j];
        }
      }
      scaled.add(new DenseBlock(block.id(), 3, x, y, null));
    }
    MapFit fit = find(logistic(scaled, 1), shared("flat", 3), SQUARED);
    for (int j = 0; j < 3; j++) {
      assertEquals(plain.theta()[j], fit.theta()[j] * scale[j], 1e-9);
      assertEquals(plain.sd(j), fit.sd(j) * scale[j], 1e-9);
    }
    assertEquals(plain.passes(), fit.passes());
  }

  @Test
  void aStepTooFarIsCutShort() {
    Objective objective = logistic(simulated(3, 200, 0, 1), 1);
    Prior prior = shared("flat", 2);
    MapFit near = find(objective, prior, SQUARED);
    MapFit far =
        new MapFinder(prior, names(2), SQUARED, 100)
            .from(new double[] {0, -9}, objective, pass -> {});
    assertTrue(far.history().stream().anyMatch(pass -> !pass.accepted()));
    assertEquals(near.theta()[1], far.theta()[1], 1e-8);
  }

  @Test
  void everyPassIsCountedAndReported() {
    List<double[]> evaluated = new ArrayList<>();
    Objective inner = logistic(simulated(3, 200, 0, 1), 1);
    Objective counting =
        theta -> {
          evaluated.add(theta.clone());
          return inner.evaluate(theta);
        };
    List<NewtonPass> reported = new ArrayList<>();
    MapFit fit =
        new MapFinder(shared("flat", 2), names(2), 1e-4, 100)
            .from(new double[] {0, -9}, counting, reported::add);
    assertEquals(evaluated.size(), fit.passes());
    assertEquals(reported, fit.history());
    for (int k = 0; k < reported.size(); k++) {
      assertEquals(k + 1, reported.get(k).pass());
    }
    assertTrue(
        Arrays.equals(evaluated.get(evaluated.size() - 1), fit.theta()),
        "the mode is a point that was evaluated");
  }

  @Test
  void aSubsampleSavesPasses() {
    List<DataBlock> blocks = simulated(4, 60_000, -2, 1, 0.5, -1.5, 2);
    Prior prior = shared("normal(0, 2.5)", 5);
    MapFinder finder = new MapFinder(prior, names(5), 1e-4, 100);
    MapFit cold = finder.find(logistic(blocks, 1), null, pass -> {});
    MapFit warm = finder.find(logistic(blocks, 1), logistic(blocks.subList(0, 60), 10), pass -> {});
    assertTrue(warm.passes() <= 3, "passes: " + warm.passes());
    assertTrue(cold.passes() >= 6, "passes: " + cold.passes());
    for (int j = 0; j < 5; j++) {
      assertEquals(cold.theta()[j], warm.theta()[j], 1e-4 * cold.sd(j));
    }
  }

  @Test
  void aMisleadingSubsampleCostsPassesButNotTheMode() {
    List<DataBlock> blocks = simulated(4, 5_000, -2, 1, 0.5);
    List<DataBlock> others = simulated(5, 300, 6, -8, -0.5);
    Prior prior = shared("normal(0, 2.5)", 3);
    MapFinder finder = new MapFinder(prior, names(3), 1e-4, 100);
    MapFit cold = finder.find(logistic(blocks, 1), null, pass -> {});
    MapFit misled = finder.find(logistic(blocks, 1), logistic(others, 50.0 / 3), pass -> {});
    for (int j = 0; j < 3; j++) {
      assertEquals(cold.theta()[j], misled.theta()[j], 1e-4 * cold.sd(j));
    }
  }

  @Test
  void aCorrectedSubsampleHasTheTablesDerivatives() {
    List<DataBlock> blocks = simulated(4, 3_000, -2, 1, 0.5);
    Objective table = logistic(blocks, 1);
    Objective subsample = logistic(blocks.subList(0, 3), 10);
    double[] start = {-1.5, 0.7, 0.9};
    Objective corrected = subsample.corrected(start, table.evaluate(start));
    assertArrayEquals(table.evaluate(start).packed(), corrected.evaluate(start).packed(), 1e-9);
    double[] theta = {-1.6, 0.9, 0.3};
    LikelihoodSum at = corrected.evaluate(theta);
    double h = 1e-5;
    for (int j = 0; j < 3; j++) {
      double[] up = theta.clone();
      double[] down = theta.clone();
      up[j] += h;
      down[j] -= h;
      LikelihoodSum above = corrected.evaluate(up);
      LikelihoodSum below = corrected.evaluate(down);
      assertEquals((above.value() - below.value()) / (2 * h), at.gradient(j), 1e-4);
      for (int i = 0; i < 3; i++) {
        double curvature = (above.gradient(i) - below.gradient(i)) / (2 * h);
        assertEquals(curvature, at.hessian(i, j), 1e-4);
      }
    }
  }

  @Test
  void aSeparatedSubsampleIsPassedOver() {
    List<DataBlock> blocks = simulated(5, 1000, 0, 1);
    DataBlock separated = column(new double[] {1, 2, -1, -2}, new double[] {1, 1, -1, -1});
    MapFinder finder = new MapFinder(shared("flat", 2), names(2), 1e-4, 100);
    MapFit cold = finder.find(logistic(blocks, 1), null, pass -> {});
    MapFit fit = finder.find(logistic(blocks, 1), logistic(List.of(separated), 250), pass -> {});
    assertEquals(cold.history(), fit.history());
  }

  @Test
  void separatedClassesUnderAFlatPriorAreAnErrorThatNamesTheCoefficient() {
    for (double tolerance : new double[] {1e-2, 1e-4, 1e-7}) {
      for (double scale : new double[] {1, 1e6, 1e-6}) {
        double[] x = {0.5 * scale, 2 * scale, -scale, -2 * scale, 3 * scale, -4 * scale};
        Objective objective = logistic(List.of(column(x, new double[] {1, 1, -1, -1, 1, -1})), 1);
        UserException e =
            assertThrows(UserException.class, () -> find(objective, shared("flat", 2), tolerance));
        assertEquals(UserException.Kind.DATA, e.kind());
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("\"x1\" goes to infinity"), message);
        assertTrue(message.contains("normal(0, 2.5)"), message);
        MapFit fit = find(objective, shared("normal(0, 2.5)", 2), tolerance);
        assertTrue(Double.isFinite(fit.logPosterior()));
      }
    }
  }

  @Test
  void oneLevelWithOneClassOnlyIsSeparatedToo() {
    List<DataBlock> blocks = new ArrayList<>(simulated(6, 300, 0.2, 0));
    double[] x = new double[400];
    double[] y = new double[200];
    Arrays.fill(x, 1);
    Arrays.fill(y, -1);
    blocks.replaceAll(
        b -> {
          double[] features = new double[2 * b.rows()];
          double[] response = new double[b.rows()];
          for (int row = 0; row < b.rows(); row++) {
            features[2 * row] = 1;
            response[row] = b.response(row);
          }
          return new DenseBlock(b.id(), 2, features, response, null);
        });
    blocks.add(new DenseBlock(blocks.size(), 2, x, y, null));
    UserException e =
        assertThrows(UserException.class, () -> find(logistic(blocks, 1), shared("flat", 2), 1e-4));
    assertTrue(String.valueOf(e.getMessage()).contains("\"x1\" goes to −infinity"));
  }

  @Test
  void collinearColumnsUnderAFlatPriorAreAnError() {
    double[] y = {1, -1, 1, -1, 1};
    DataBlock twice =
        new DenseBlock(0, 2, new double[] {1, 2, -3, -6, 2, 4, 0.5, 1, -1, -2}, y, null);
    UserException e =
        assertThrows(
            UserException.class, () -> find(logistic(List.of(twice), 1), shared("flat", 2), 1e-4));
    assertTrue(
        String.valueOf(e.getMessage())
            .contains("singular along \"(Intercept)\" and \"x1\". Either columns are"),
        e.getMessage());
    MapFit fit = find(logistic(List.of(twice), 1), shared("normal(0, 1)", 2), 1e-4);
    assertEquals(2 * fit.theta()[0], fit.theta()[1], 1e-6);
  }

  /**
   * The second column is twice the first: the rows tell θ₁ + 2θ₂, and a prior without curvature
   * must choose.
   */
  @Test
  void collinearColumnsHaveAModeUnderEveryProperPrior() {
    double[] y = {1, -1, 1, -1, 1, -1};
    double[] x = {1, 2, -3, -6, 2, 4, 0.5, 1, -1, -2, 3, 6};
    Objective rows = logistic(List.of(new DenseBlock(0, 2, x, y, null)), 30);
    for (String text :
        List.of(
            "laplace(0, 1)",
            "laplace(1, 0.5)",
            "cauchy(0, 0.001)",
            "student_t(3, -1, 0.001)",
            "uniform(-5, 5)",
            "horseshoe(0.001)",
            "normal(0, 1000)")) {
      Prior prior = shared(text, 2);
      MapFit fit = find(rows, prior, 1e-3);
      assertTrue(fit.passes() < 40, () -> text + fit.history());
      double[] theta = fit.theta();
      double height = rows.evaluate(theta).value() + prior.smoothLogDensity(theta);
      for (int k = 0; k < 16; k++) {
        double[] near = {theta[0] + 1e-3 * Math.cos(k), theta[1] + 1e-3 * Math.sin(k)};
        double other = rows.evaluate(near).value() + prior.smoothLogDensity(near);
        assertTrue(other < height + 1e-3, () -> text + " at " + Arrays.toString(theta));
      }
      double[] s = fit.covariance();
      assertTrue(s[0] * s[3] - s[1] * s[1] > 0, text);
    }
  }

  @Test
  void runningOutOfPassesIsAnErrorThatSaysHowFarItGot() {
    Objective objective = logistic(simulated(7, 500, 1, 2), 1);
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                new MapFinder(shared("flat", 2), names(2), 1e-4, 2)
                    .find(objective, null, pass -> {}));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("in 2 passes"), message);
    assertTrue(message.contains("precompute.max_passes"), message);
  }

  @Test
  void aModeOnTheKinksOfLaplacePriorsIsFound() {
    Objective objective = logistic(simulated(8, 400, 0.1, 2, 0, 0.3, 0, -1), 1);
    for (double scale : new double[] {0.01, 0.05, 0.2, 5}) {
      MapFit fit = find(objective, shared("laplace(0, " + scale + ")", 6), SQUARED);
      LikelihoodSum at = objective.evaluate(fit.theta());
      int onKink = 0;
      for (int j = 0; j < 6; j++) {
        double theta = fit.theta()[j];
        if (theta == 0) {
          onKink++;
          assertTrue(Math.abs(at.gradient(j)) <= 1 / scale);
        } else {
          assertEquals(Math.signum(theta) / scale, at.gradient(j), 1e-6);
        }
      }
      assertTrue(scale > 0.1 || onKink > 0, "on the kink: " + onKink);
      assertTrue(onKink < 6 || scale == 0.01);
    }
  }

  @Test
  void aModeAtTheEndsOfUniformPriorsIsFound() {
    Objective objective = logistic(simulated(9, 400, 0.1, 2, -0.7, 0.3), 1);
    for (String text : List.of("uniform(0, 1)", "uniform(-0.5, 0.2)", "uniform(1, 3)")) {
      Prior prior = shared(text, 4);
      MapFit fit = find(objective, prior, SQUARED);
      LikelihoodSum at = objective.evaluate(fit.theta());
      int atEnd = 0;
      for (int j = 0; j < 4; j++) {
        double theta = fit.theta()[j];
        if (theta == prior.lower(j)) {
          atEnd++;
          assertTrue(at.gradient(j) <= 0);
        } else if (theta == prior.upper(j)) {
          atEnd++;
          assertTrue(at.gradient(j) >= 0);
        } else {
          assertEquals(0, at.gradient(j), 1e-6);
        }
      }
      assertTrue(atEnd > 0);
    }
  }

  @Test
  void weightsCountAsCopiesOfRows() {
    double[] x = {1, 2, -1, 0.5, -2};
    double[] y = {1, -1, -1, 1, 1};
    DataBlock plain = column(x, y);
    DataBlock weighted =
        new DenseBlock(
            0, 2, new double[] {1, 1, 1, 2, 1, -1, 1, 0.5, 1, -2}, y, new double[] {2, 2, 2, 2, 2});
    Prior flat = ProductPrior.shared(new Flat(), 2);
    MapFit once = find(logistic(List.of(plain), 1), flat, SQUARED);
    MapFit twice = find(logistic(List.of(weighted), 1), flat, SQUARED);
    assertEquals(once.theta()[1], twice.theta()[1], 1e-9);
    assertEquals(once.covariance()[3] / 2, twice.covariance()[3], 1e-9);
    assertFalse(once.logPosterior() == twice.logPosterior());
  }
}
