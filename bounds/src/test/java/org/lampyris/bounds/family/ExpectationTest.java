package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DenseBlock;

/** The expected response is the mean of the distribution that the likelihood is of. */
class ExpectationTest {
  private static final double[] AT = {-1.7, -0.2, 0, 0.9, 2.1};

  private static double expected(FamilySpec spec, double eta) {
    ModelProvider family = Families.find().named(spec.name());
    double[] out = new double[1];
    family.expectation(spec).orElseThrow().write(new double[] {eta}, new double[] {eta}, out);
    return out[0];
  }

  private static double density(FamilySpec spec, double eta, double y) {
    return density(spec, eta).applyAsDouble(y);
  }

  private static DoubleUnaryOperator density(FamilySpec spec, double eta) {
    LinearModel model = (LinearModel) Families.find().named(spec.name()).model(spec, List.of("x"));
    Likelihood likelihood = model.given(new double[1]);
    return y -> Math.exp(likelihood.logLikelihood(eta, y));
  }

  /** Of two classes, and of the successes of one trial, it is the probability of class 1. */
  @Test
  void probabilities() {
    for (String family : List.of("logistic", "probit", "cloglog", "cauchit", "binomial")) {
      FamilySpec spec =
          family.equals("binomial")
              ? new FamilySpec(family, Map.of("trials", "n"), List.of())
              : FamilySpec.of(family);
      for (double eta : AT) {
        assertEquals(density(spec, eta, 1), expected(spec, eta), 1e-15, family);
      }
    }
  }

  private static FamilySpec overdispersed(String family, String share) {
    return new FamilySpec(family, Map.of(share, 0.3, "shape", 3.5), List.of());
  }

  @Test
  void counts() {
    for (FamilySpec spec :
        List.of(
            FamilySpec.of("poisson"),
            new FamilySpec("zero_inflated_poisson", Map.of("zi", 0.3), List.of()),
            new FamilySpec("hurdle_poisson", Map.of("hu", 0.3), List.of()),
            overdispersed("zero_inflated_negative_binomial", "zi"),
            overdispersed("hurdle_negative_binomial", "hu"),
            new FamilySpec("negative_binomial", Map.of("shape", 3.5), List.of()))) {
      for (double eta : AT) {
        double mean = 0;
        for (int y = 0; y < 1000; y++) {
          mean += y * density(spec, eta, y);
        }
        assertEquals(mean, expected(spec, eta), 1e-12 * mean, spec.name());
      }
    }
  }

  /** By the trapezoid rule in the log-odds of y. */
  @Test
  void shares() {
    FamilySpec spec = new FamilySpec("beta", Map.of("phi", 4.0), List.of());
    for (double eta : AT) {
      double mean = 0;
      double sum = 0;
      for (double u = -40; u < 40; u += 0.01) {
        double y = 1 / (1 + Math.exp(-u));
        double p = y < 1 ? density(spec, eta, y) * y * (1 - y) : 0;
        sum += p;
        mean += y * p;
      }
      assertEquals(mean / sum, expected(spec, eta), 1e-6);
    }
  }

  /** The probability of a class is the likelihood of a row of that class. */
  @Test
  void ordinal() {
    FamilySpec spec =
        new FamilySpec(
            "ordinal",
            Map.of("order", List.of("low", "mid", "high", "top"), "gaps", "exponential(1)"),
            List.of("high", "low", "mid", "top"));
    ModelProvider family = Families.find().named("ordinal");
    Model model = family.model(spec, List.of(ModelOfTable.INTERCEPT, "x"));
    double[] theta = {0.4, -0.8, -0.3, 0.6};
    double[] reported = theta.clone();
    family.report(spec, reported, 2);
    double[] out = new double[4];
    double x = 1.3;
    double[] eta = {reported[0] + x * reported[1]};
    family.expectation(spec).orElseThrow().write(eta, reported, out);
    for (int c = 0; c < 4; c++) {
      DenseBlock row = new DenseBlock(0, 2, new double[] {1, x}, new double[] {c}, null);
      assertEquals(Math.exp(model.logLikelihood(row, 0, theta)), out[c], 1e-14);
    }
  }

  /** By the trapezoid rule in log y; the density's constants are part of it or cancel. */
  @Test
  void gamma() {
    FamilySpec spec = new FamilySpec("gamma", Map.of("shape", 2.5), List.of());
    for (double eta : AT) {
      double sum = 0;
      double mean = 0;
      for (double u = -25; u < 8; u += 0.01) {
        double y = Math.exp(u);
        double p = density(spec, eta, y) * y;
        sum += p;
        mean += y * p;
      }
      assertEquals(mean / sum, expected(spec, eta), 1e-9 * mean / sum);
    }
  }

  /** By the trapezoid rule. A Student-t distribution of four degrees of freedom has a mean. */
  @Test
  void gaussianAndRobust() {
    for (FamilySpec spec :
        List.of(
            new FamilySpec("gaussian", Map.of("sigma", 0.7), List.of()),
            new FamilySpec("robust", Map.of("df", 4.0, "scale", 0.5), List.of()))) {
      for (double eta : AT) {
        double sum = 0;
        double mean = 0;
        DoubleUnaryOperator density = density(spec, eta);
        for (double y = eta - 500; y < eta + 500; y += 0.01) {
          double p = density.applyAsDouble(y);
          sum += p;
          mean += y * p;
        }
        assertEquals(mean / sum, expected(spec, eta), 1e-6, spec.name());
      }
    }
  }

  /** The probability of a class is the likelihood of a row of that class. */
  @Test
  void softmax() {
    List<String> classes = List.of("a", "b", "c");
    for (String reference : List.of("none", "b")) {
      FamilySpec spec = new FamilySpec("softmax", Map.of("reference_class", reference), classes);
      ModelProvider family = Families.find().named("softmax");
      Model model = family.model(spec, List.of("x"));
      double[] theta = reference.equals("none") ? new double[] {0.4, -1, 2} : new double[] {0.4, 2};
      double[] out = new double[3];
      family.expectation(spec).orElseThrow().write(theta, theta, out);
      for (int c = 0; c < 3; c++) {
        DenseBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {c}, null);
        assertEquals(Math.exp(model.logLikelihood(row, 0, theta)), out[c], 1e-15);
      }
    }
  }

  /** The variance is that of the distribution that the likelihood is of. */
  @Test
  void variances() {
    for (double eta : AT) {
      for (String family : List.of("logistic", "probit")) {
        FamilySpec spec = FamilySpec.of(family);
        double p = density(spec, eta, 1);
        assertEquals(p * density(spec, eta, -1), variance(spec, eta), 1e-15, family);
      }
      counted(FamilySpec.of("poisson"), eta);
      counted(new FamilySpec("zero_inflated_poisson", Map.of("zi", 0.3), List.of()), eta);
      counted(new FamilySpec("hurdle_poisson", Map.of("hu", 0.3), List.of()), eta);
      counted(overdispersed("zero_inflated_negative_binomial", "zi"), eta);
      counted(overdispersed("hurdle_negative_binomial", "hu"), eta);
      counted(new FamilySpec("negative_binomial", Map.of("shape", 3.5), List.of()), eta);
      // In log-odds, in logarithms, and as they are.
      integrated(
          new FamilySpec("beta", Map.of("phi", 4.0), List.of()),
          eta,
          u -> 1 / (1 + Math.exp(-u)),
          y -> y < 1 ? y * (1 - y) : 0);
      integrated(new FamilySpec("gamma", Map.of("shape", 2.5), List.of()), eta, Math::exp, y -> y);
      integrated(
          new FamilySpec("gaussian", Map.of("sigma", 0.7), List.of()), eta, u -> 20 * u, y -> 20);
      integrated(
          new FamilySpec("robust", Map.of("df", 6.0, "scale", 0.5), List.of()),
          eta,
          Math::sinh,
          y -> Math.sqrt(1 + y * y));
    }
  }

  /** A parameter that is sampled is the last of θ. */
  @Test
  void varianceBySampledParameter() {
    FamilySpec spec = new FamilySpec("gaussian", Map.of("sigma", "exponential(1)"), List.of());
    Expectation of = Families.find().named("gaussian").expectation(spec).orElseThrow();
    assertEquals(9, of.variance(0.1, new double[] {5, 3}));
    FamilySpec heavy = new FamilySpec("robust", Map.of("df", 2.0, "scale", 1.0), List.of());
    assertEquals(
        Double.POSITIVE_INFINITY,
        Families.find()
            .named("robust")
            .expectation(heavy)
            .orElseThrow()
            .variance(0, new double[1]));
    assertTrue(Double.isNaN(Expectation.of(eta -> eta).variance(1, new double[1])));
  }

  private static double variance(FamilySpec spec, double eta) {
    return Families.find()
        .named(spec.name())
        .expectation(spec)
        .orElseThrow()
        .variance(expected(spec, eta), new double[] {eta});
  }

  private static void counted(FamilySpec spec, double eta) {
    double mean = expected(spec, eta);
    double variance = 0;
    for (int y = 0; y < 1000; y++) {
      variance += (y - mean) * (y - mean) * density(spec, eta, y);
    }
    assertEquals(variance, variance(spec, eta), 1e-12 * variance, spec.name());
  }

  private static void integrated(
      FamilySpec spec, double eta, DoubleUnaryOperator y, DoubleUnaryOperator slope) {
    double mean = expected(spec, eta);
    double sum = 0;
    double variance = 0;
    for (double u = -40; u < 40; u += 0.01) {
      double at = y.applyAsDouble(u);
      double p = slope.applyAsDouble(at) > 0 ? density(spec, eta, at) * slope.applyAsDouble(at) : 0;
      sum += p;
      variance += (at - mean) * (at - mean) * p;
    }
    assertEquals(variance / sum, variance(spec, eta), 1e-6 * variance / sum, spec.name());
  }

  @Test
  void whoseMeanIsNoFunctionOfPredictorsPredictsNothing() {
    ModelProvider mixture = Families.find().named("mixture");
    assertTrue(mixture.expectation(FamilySpec.of("mixture")).isEmpty());
  }
}
