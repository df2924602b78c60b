package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.bounds.rows.Values;

/**
 * A search of random rows and balls for a local bound above the likelihood: extreme labels, weights
 * and offsets among them. {@code -Dlampyris.validation=all} searches 100,000 a family.
 */
class ViolationSearchTest {
  private static final int ROWS =
      "all".equals(System.getProperty("lampyris.validation")) ? 100_000 : 1_000;

  private static final int FLAT_ROWS = ROWS < 100_000 ? ROWS / 5 : ROWS;

  private static final int BLOCK = 25;
  private static final List<String> COLUMNS = List.of(ModelOfTable.INTERCEPT, "x");
  private static final double[] SHARES = {-1, -0.5, 0.5, 1};

  /** Families whose sampled parameter that test leaves out. */
  private static final List<ConcavityTest.Case> SAMPLED =
      List.of(
          new ConcavityTest.Case(
              "weibull", Map.of("scale", "exponential(1)"), ConcavityTest::time, false),
          new ConcavityTest.Case(
              "zero_inflated_poisson", Map.of("zi", "uniform(0, 1)"), ConcavityTest::count, false),
          new ConcavityTest.Case(
              "hurdle_poisson", Map.of("hu", "uniform(0, 1)"), ConcavityTest::count, false),
          new ConcavityTest.Case(
              "robust",
              Map.of("scale", "exponential(1)", "df", "gamma(2, 0.1)"),
              ConcavityTest::real,
              false),
          new ConcavityTest.Case(
              "robust", Map.of("scale", 2.0, "df", "gamma(2, 0.1)"), ConcavityTest::real, false),
          new ConcavityTest.Case(
              "asymmetric_laplace",
              Map.of("quantile", 0.8, "sigma", "exponential(1)"),
              ConcavityTest::real,
              false),
          overdispersed("zero_inflated_negative_binomial", "zi", "uniform(0, 1)"),
          overdispersed("hurdle_negative_binomial", "hu", "uniform(0, 1)"),
          overdispersed("hurdle_negative_binomial", "hu", 0.3));

  /** Families with a parameter that depends on x too. */
  private static final List<ConcavityTest.Case> MODELLED =
      List.of(
          modelled("gaussian", "sigma", Map.of(), ConcavityTest::real),
          modelled("robust", "scale", Map.of("df", 4.0), ConcavityTest::real),
          modelled("gamma", "shape", Map.of(), ConcavityTest::positive),
          modelled("negative_binomial", "shape", Map.of(), ConcavityTest::count),
          modelled("beta", "phi", Map.of(), ConcavityTest::share),
          modelled("weibull", "scale", Map.of(), ConcavityTest::time),
          modelled("zero_inflated_poisson", "zi", Map.of(), ConcavityTest::count),
          modelled("hurdle_poisson", "hu", Map.of(), ConcavityTest::count),
          modelled("robust", "scale", Map.of("df", "auto"), ConcavityTest::real),
          modelled(
              "zero_inflated_negative_binomial", "zi", Map.of("shape", 1.5), ConcavityTest::count),
          modelled("hurdle_negative_binomial", "hu", Map.of(), ConcavityTest::count));

  private static ConcavityTest.Case overdispersed(String family, String share, Object value) {
    return new ConcavityTest.Case(
        family, Map.of(share, value, "shape", "exponential(1)"), ConcavityTest::count, false);
  }

  private static ConcavityTest.Case modelled(
      String family,
      String parameter,
      Map<String, Object> others,
      ToDoubleFunction<RandomGenerator> label) {
    Map<String, Object> all = new HashMap<>(others);
    all.put(parameter, new OwnFormula("~ x", Predictors.all(2, 2), 0));
    return new ConcavityTest.Case(family, all, label, false);
  }

  static Stream<ConcavityTest.Case> cases() {
    return Stream.of(ConcavityTest.CASES, SAMPLED, MODELLED)
        .flatMap(List::stream)
        .filter(of -> local(of, plain(of)).isPresent());
  }

  private static LaplaceApproximation plain(ConcavityTest.Case of) {
    int d = of.model().dimension();
    double[] covariance = new double[d * d];
    for (int i = 0; i < d; i++) {
      covariance[i * d + i] = 1;
    }
    return new LaplaceApproximation(new double[d], covariance);
  }

  private static Optional<LowerBound> local(ConcavityTest.Case of, LaplaceApproximation laplace) {
    return Families.find()
        .named(of.family())
        .localBound(
            new FamilySpec(of.family(), of.parameters(), of.classes()), COLUMNS, laplace, 1);
  }

  /** Returns a label, one in ten as far out as the family's kind goes. */
  private static double label(ConcavityTest.Case of, LabelKind kind, RandomGenerator random) {
    double y = of.label().applyAsDouble(random);
    if (random.nextInt(10) > 0) {
      return y;
    }
    return switch (kind) {
      case REAL -> 1e6 * y;
      case POSITIVE -> Math.pow(y, 5);
      case COUNT -> 1e6 * y;
      case SHARE -> random.nextBoolean() ? 1e-12 * y : 1 - 1e-12 * y;
      case SUCCESSES -> random.nextInt(2);
      default -> y;
    };
  }

  /**
   * Returns how many of some rows have a negative gap somewhere in a random ball.
   *
   * @param wide by how much the ball is stretched in the last element of θ
   */
  static int violations(ConcavityTest.Case of, int rows, long seed, double shrunk, double wide) {
    RandomGenerator random = RandomBlocks.random(seed);
    Model model = of.model();
    LabelKind kind = Families.find().named(of.family()).label();
    int d = model.dimension();
    int violations = 0;
    for (int from = 0; from < rows; from += BLOCK) {
      double[] mode = RandomBlocks.normal(random, d, from % 4 == 0 ? 3 : 1);
      double[] covariance = covariance(random, d);
      for (int i = 0; i < d; i++) {
        covariance[i * d + d - 1] *= wide;
        covariance[(d - 1) * d + i] *= wide;
      }
      LowerBound bound = local(of, new LaplaceApproximation(mode, covariance)).orElseThrow();
      double[] x = new double[2 * BLOCK];
      double[] y = new double[BLOCK];
      double[] weight = new double[BLOCK];
      double[] offset = new double[BLOCK];
      for (int row = 0; row < BLOCK; row++) {
        x[2 * row] = 1;
        x[2 * row + 1] = random.nextGaussian();
        y[row] = label(of, kind, random);
        weight[row] = Math.exp(3 * random.nextGaussian());
        offset[row] = random.nextInt(4) == 0 ? 3 * random.nextGaussian() : 0;
      }
      DataBlock block = new DenseBlock(0, 2, Values.of(x), y, weight, offset);
      Anchors anchors = bound.anchorsAt(block, mode);
      if (shrunk < 1) {
        anchors = shrunk(anchors, BLOCK, shrunk);
      }
      for (int row = 0; row < BLOCK; row++) {
        // A row whose likelihood overflows in the ball has no bound, and no mode.
        if (model.logLikelihood(block, row, mode) > -1e200) {
          violations += least(model, bound, block, row, anchors, covariance, random) >= 0 ? 0 : 1;
        }
      }
    }
    return violations;
  }

  private static Anchors shrunk(Anchors anchors, int rows, double factor) {
    double[] less = new double[2 * rows];
    for (int row = 0; row < rows; row++) {
      less[2 * row] = anchors.get(row, 0);
      less[2 * row + 1] = factor * anchors.get(row, 1);
    }
    return Anchors.perRow(less, 2);
  }

  /** Returns a covariance whose ball is small, or as large as those of small tables. */
  private static double[] covariance(RandomGenerator random, int d) {
    double scale = Math.exp(7 * random.nextDouble() - 8);
    double[] root = RandomBlocks.normal(random, d * d, scale / Math.sqrt(d));
    double[] covariance = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        covariance[i * d + j] = i == j ? 0.01 * scale * scale : 0;
        for (int k = 0; k < d; k++) {
          covariance[i * d + j] += root[i * d + k] * root[j * d + k];
        }
      }
    }
    return covariance;
  }

  /** Returns the least gap along the rows' worst directions, and along random ones. */
  private static double least(
      Model model,
      LowerBound bound,
      DataBlock block,
      int row,
      Anchors anchors,
      double[] covariance,
      RandomGenerator random) {
    Region region = bound.region().orElseThrow();
    double[] mode = region.onRay(new double[bound.dimension()], 0);
    int d = mode.length;
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < bound.functionals() + 2; k++) {
      double[] theta = mode.clone();
      for (int i = 0; i < d; i++) {
        theta[i] +=
            k < bound.functionals()
                ? bound.functional(block, row, k, covariance, i * d)
                : random.nextGaussian();
      }
      for (double share : SHARES) {
        double[] to = region.onRay(theta, Math.signum(share));
        double distance = region.distance(to);
        if (!(distance > 0)) {
          continue;
        }
        double factor = Math.abs(share) * LowerBound.EDGE * region.radius() / distance;
        double[] at = region.onRay(to, factor);
        if (Double.isFinite(model.logLikelihood(block, row, at))) {
          least = Math.min(least, bound.gap(block, row, at, anchors));
        }
      }
    }
    return least;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noBoundIsViolated(ConcavityTest.Case of) {
    assertEquals(0, violations(of, ROWS, 15, 1, 1), of.toString());
  }

  static Stream<ConcavityTest.Case> flat() {
    return cases()
        .filter(
            of ->
                of.family().endsWith("negative_binomial")
                    ? of.parameters().getOrDefault("shape", "auto") instanceof String
                    : of.parameters().get("df") instanceof String);
  }

  /** Where the shape is hardly known, bounds are quadratic in its inverse. */
  @ParameterizedTest
  @MethodSource("flat")
  void noBoundAboutAFlatLimitIsViolated(ConcavityTest.Case of) {
    assertEquals(0, violations(of, FLAT_ROWS, 16, 1, 20), of.toString());
  }

  /** The search finds a bound that is bent too little. */
  @Test
  void aFaultIsFound() {
    cases()
        .filter(of -> of.family().equals("poisson"))
        .forEach(of -> assertTrue(violations(of, 1_000, 15, 0.9, 1) > 10, of.toString()));
  }
}
