package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * Which log-likelihoods and priors say that they are concave, against differences of gradients: the
 * Hessian of one that says so has no eigenvalue above 0 at any of many points near and far, and
 * that of one that does not has one somewhere.
 */
class ConcavityTest {
  private static final int POINTS = 2_000;
  private static final double STEP = 1e-4;

  /** What rounding and the differences themselves may make of an eigenvalue of 0, relatively. */
  private static final double ROUNDING = 1e-6;

  private static double sign(RandomGenerator random) {
    return random.nextBoolean() ? 1 : -1;
  }

  static double real(RandomGenerator random) {
    return 3 * random.nextGaussian();
  }

  static double positive(RandomGenerator random) {
    return Math.exp(3 * random.nextGaussian());
  }

  static double time(RandomGenerator random) {
    double t = positive(random);
    return CensoredTime.response(random.nextInt(4), t, t * (1 + positive(random)));
  }

  static double count(RandomGenerator random) {
    return Math.floor(Math.exp(2 * random.nextGaussian()));
  }

  static double share(RandomGenerator random) {
    return 1 / (1 + Math.exp(4 * random.nextGaussian()));
  }

  /** A family with its parameters, a label of its kind, and whether log L is concave in θ. */
  record Case(
      String family,
      Map<String, Object> parameters,
      List<String> classes,
      ToDoubleFunction<RandomGenerator> label,
      boolean concave) {
    Case(
        String family,
        Map<String, Object> parameters,
        ToDoubleFunction<RandomGenerator> label,
        boolean concave) {
      this(family, parameters, List.of(), label, concave);
    }

    Model model() {
      List<String> columns = List.of(ModelOfTable.INTERCEPT, "x");
      return Families.find()
          .named(family)
          .model(new FamilySpec(family, parameters, classes), columns);
    }
  }

  private static Case classes(
      String family, Map<String, Object> parameters, int count, boolean concave) {
    List<String> names = List.of("a", "b", "c", "d").subList(0, count);
    return new Case(family, parameters, names, random -> random.nextInt(count), concave);
  }

  private static Map<String, Object> ordered(int count) {
    return Map.of("order", List.of("a", "b", "c", "d").subList(0, count), "gaps", "exponential(1)");
  }

  static final List<Case> CASES =
      List.of(
          new Case("logistic", Map.of(), ConcavityTest::sign, true),
          new Case("probit", Map.of(), ConcavityTest::sign, true),
          new Case("cloglog", Map.of(), ConcavityTest::sign, true),
          new Case("cauchit", Map.of(), ConcavityTest::sign, false),
          new Case("zero_inflated_poisson", Map.of("zi", 0.3), ConcavityTest::count, false),
          new Case("hurdle_poisson", Map.of("hu", 0.3), ConcavityTest::count, true),
          new Case(
              "zero_inflated_negative_binomial",
              Map.of("zi", 0.3, "shape", 2.0),
              ConcavityTest::count,
              false),
          new Case(
              "hurdle_negative_binomial",
              Map.of("hu", 0.3, "shape", 0.4),
              ConcavityTest::count,
              false),
          new Case("exponential", Map.of(), ConcavityTest::time, true),
          new Case("weibull", Map.of("scale", 0.6), ConcavityTest::time, true),
          new Case("lognormal", Map.of("scale", 0.6), ConcavityTest::time, true),
          new Case("loglogistic", Map.of("scale", 0.6), ConcavityTest::time, true),
          new Case("lognormal", Map.of("scale", "exponential(1)"), ConcavityTest::time, false),
          new Case("loglogistic", Map.of("scale", "exponential(1)"), ConcavityTest::time, false),
          new Case("binomial", Map.of("trials", "n"), ConcavityTest::share, true),
          new Case("poisson", Map.of(), ConcavityTest::count, true),
          classes("softmax", Map.of("reference_class", "none"), 3, true),
          classes("softmax", Map.of("reference_class", "b"), 3, true),
          new Case("gaussian", Map.of("sigma", 0.7), ConcavityTest::real, true),
          new Case("gamma", Map.of("shape", 0.4), ConcavityTest::positive, true),
          new Case("gamma", Map.of("shape", 30.0), ConcavityTest::positive, true),
          new Case("negative_binomial", Map.of("shape", 0.4), ConcavityTest::count, true),
          new Case("negative_binomial", Map.of("shape", 30.0), ConcavityTest::count, true),
          classes("ordinal", ordered(2), 2, true),
          classes("ordinal", ordered(3), 3, false),
          classes("ordinal", ordered(4), 4, false),
          new Case("gaussian", Map.of("sigma", "exponential(1)"), ConcavityTest::real, false),
          new Case("gamma", Map.of("shape", "exponential(1)"), ConcavityTest::positive, false),
          new Case(
              "negative_binomial", Map.of("shape", "exponential(1)"), ConcavityTest::count, false),
          new Case("robust", Map.of("df", 4.0, "scale", 0.7), ConcavityTest::real, false),
          new Case(
              "asymmetric_laplace",
              Map.of("quantile", 0.3, "sigma", "exponential(1)"),
              ConcavityTest::real,
              false),
          new Case(
              "robust", Map.of("df", 4.0, "scale", "exponential(1)"), ConcavityTest::real, false),
          new Case("beta", Map.of("phi", 4.0), ConcavityTest::share, false),
          new Case("beta", Map.of("phi", "exponential(1)"), ConcavityTest::share, false),
          new Case("mixture", Map.of("sigma", 0.7), ConcavityTest::real, false),
          new Case("ica", Map.of(), ConcavityTest::real, false));

  @Test
  void everyFamilyIsLookedAt() {
    assertEquals(
        Families.find().names().stream().sorted().toList(),
        CASES.stream().map(Case::family).distinct().sorted().toList());
  }

  @Test
  void whatSaysThatItIsConcaveIs() {
    for (Case of : CASES) {
      Model model = of.model();
      assertEquals(of.concave, model.isConcave(), of.toString());
      double largest = largestEigenvalue(model, of.label);
      if (of.concave) {
        assertTrue(largest <= ROUNDING, of + ": " + largest);
      } else {
        assertTrue(largest > 1000 * ROUNDING, "no point where it is not, of " + of);
      }
    }
  }

  /** A likelihood of somebody's own that says nothing of it. */
  @Test
  void ofOthersItIsNotKnown() {
    Likelihood own =
        new Likelihood() {
          @Override
          public double logLikelihood(double eta, double y) {
            return -eta * eta;
          }

          @Override
          public double derivative(double eta, double y) {
            return -2 * eta;
          }

          @Override
          public double secondDerivative(double eta, double y) {
            return -2;
          }
        };
    assertFalse(new LinearModel(own, 2).isConcave());
  }

  /** Returns the largest eigenvalue at any point, in the size of that point's Hessian. */
  private static double largestEigenvalue(Model model, ToDoubleFunction<RandomGenerator> label) {
    RandomGenerator random = RandomBlocks.random(43);
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < POINTS; i++) {
      double[] x = {1, random.nextGaussian()};
      double[] y = {label.applyAsDouble(random)};
      DataBlock row = new DenseBlock(0, 2, x, y, null);
      double[] theta =
          RandomBlocks.normal(random, model.dimension(), Math.pow(10, -1 + 0.5 * (i % 4)));
      DMatrixRMaj hessian = hessian(model, row, theta);
      double size = 1;
      for (double element : hessian.data) {
        size = Math.max(size, Math.abs(element));
      }
      EigenDecomposition_F64<DMatrixRMaj> eigen =
          DecompositionFactory_DDRM.eig(theta.length, false, true);
      assertTrue(eigen.decompose(hessian));
      for (int k = 0; k < theta.length; k++) {
        largest = Math.max(largest, eigen.getEigenvalue(k).getReal() / size);
      }
    }
    return largest;
  }

  private static DMatrixRMaj hessian(Model model, DataBlock row, double[] theta) {
    int d = theta.length;
    DMatrixRMaj hessian = new DMatrixRMaj(d, d);
    for (int j = 0; j < d; j++) {
      double[] up = theta.clone();
      double[] down = theta.clone();
      up[j] += STEP;
      down[j] -= STEP;
      double[] above = new double[d];
      double[] below = new double[d];
      model.addGradient(row, 0, up, above);
      model.addGradient(row, 0, down, below);
      for (int k = 0; k < d; k++) {
        double one = 0.25 * (above[k] - below[k]) / STEP;
        hessian.add(j, k, one);
        hessian.add(k, j, one);
      }
    }
    return hessian;
  }

  /** The same of priors, by second differences of log p within the support. */
  @Test
  void priorsThatSayTheyAreLogConcaveAre() {
    Map<String, Boolean> concave =
        List.of(
                "normal(1, 0.5)",
                "laplace(1, 0.5)",
                "uniform(-1, 2)",
                "flat",
                "exponential(2)",
                "half_normal(0, 2)",
                "log_scale(half_normal(0, 2))",
                "log_scale(half_cauchy(0, 2))",
                "log_scale(half_student_t(3, 0, 2))",
                "log_scale(exponential(2))",
                "log_scale(uniform(0.5, 2))",
                "log_scale(flat)")
            .stream()
            .collect(Collectors.toMap(text -> text, text -> true));
    concave.putAll(
        Map.of(
            "cauchy(0, 2)",
            false,
            "student_t(3, 0, 2)",
            false,
            "half_cauchy(0, 2)",
            false,
            "half_student_t(3, 0, 2)",
            false,
            "horseshoe(2)",
            false));
    concave.forEach(
        (text, expected) -> {
          UnivariatePrior prior = PriorParser.parse(text);
          assertEquals(expected, prior.isLogConcave(), text);
          double largest =
              IntStream.range(-900, 900)
                  .mapToDouble(i -> second(prior, i * 0.01 + 0.003))
                  .filter(value -> !Double.isNaN(value))
                  .max()
                  .orElseThrow();
          assertEquals(expected, largest <= 1e-6, text + ": " + largest);
        });
  }

  /** NaN outside of the support. */
  private static double second(UnivariatePrior prior, double x) {
    double h = 1e-3;
    double value = prior.logDensity(x + h) + prior.logDensity(x - h) - 2 * prior.logDensity(x);
    return Double.isInfinite(prior.logDensity(x)) ? Double.NaN : value / h / h;
  }
}
