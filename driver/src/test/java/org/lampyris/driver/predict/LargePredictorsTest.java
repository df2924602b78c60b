package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.family.OwnFormula;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.samplers.random.Streams;

/**
 * Linear predictors far beyond those of the training table: what every family expects, draws and
 * says of the density there is a number, Infinity or 0, and never NaN.
 */
class LargePredictorsTest {
  private static final double[] AT = {-1e5, -800, -700, -40, 0, 40, 700, 800, 1e5};
  private static final List<String> COLUMNS = List.of(ModelOfTable.INTERCEPT, "x");

  /**
   * A family.
   *
   * @param theta as it is reported
   * @param labels some that rows may have
   */
  private record Case(
      String family,
      Map<String, Object> parameters,
      List<String> classes,
      double[] theta,
      double... labels) {
    Case(String family, Map<String, Object> parameters, double... labels) {
      this(family, parameters, List.of(), new double[] {0, 1, 0.7}, labels);
    }

    FamilySpec spec() {
      return new FamilySpec(family, parameters, classes);
    }

    ModelProvider provider() {
      return Families.find().named(family);
    }
  }

  /** A family with a parameter that depends on x. */
  private static Case modelled(String family, String parameter) {
    OwnFormula formula = new OwnFormula("~ x", Predictors.all(2, 2), 0);
    return new Case(
        family, Map.of(parameter, formula, "df", 4.0), List.of(), new double[] {0, 1, 0, 1});
  }

  /** A family with two sampled parameters. */
  private static Case sampled(String family, Map<String, Object> parameters, double... labels) {
    return new Case(family, parameters, List.of(), new double[] {0, 1, 0.7, 2}, labels);
  }

  private static final List<String> CLASSES = List.of("a", "b", "c");
  private static final String SAMPLED = "exponential(1)";
  private static final List<Case> CASES =
      List.of(
          new Case("logistic", Map.of(), -1, 1),
          new Case("probit", Map.of(), -1, 1),
          new Case("cloglog", Map.of(), -1, 1),
          new Case("cauchit", Map.of(), -1, 1),
          new Case("zero_inflated_poisson", Map.of("zi", 0.7), 0, 1, 1e9),
          new Case("zero_inflated_poisson", Map.of("zi", "uniform(0, 1)"), 0, 1, 1e9),
          new Case("hurdle_poisson", Map.of("hu", "uniform(0, 1)"), 0, 1, 1e9),
          new Case("zero_inflated_negative_binomial", Map.of("zi", 0.7, "shape", 2.0), 0, 1, 1e9),
          sampled("zero_inflated_negative_binomial", Map.of(), 0, 1, 1e9),
          new Case("hurdle_negative_binomial", Map.of("hu", 0.7, "shape", 2.0), 0, 1, 1e9),
          sampled("hurdle_negative_binomial", Map.of(), 0, 1, 1e9),
          new Case("weibull", Map.of("scale", 0.7), 1e-9, 1, 1e9, -1e-9, -1e9),
          new Case("weibull", Map.of("scale", SAMPLED), 1e-9, 1, 1e9, -1e-9, -1e9),
          new Case("lognormal", Map.of("scale", SAMPLED), 1e-9, 1, 1e9, -1e-9, -1e9),
          new Case("loglogistic", Map.of("scale", SAMPLED), 1e-9, 1, 1e9, -1e-9, -1e9),
          new Case("exponential", Map.of(), 1e-9, 1, 1e9, -1e-9, -1e9),
          new Case("binomial", Map.of("trials", "n"), 0, 0.3, 1),
          new Case("poisson", Map.of(), 0, 1, 1e9),
          new Case("gaussian", Map.of("sigma", 0.7), -3, 0, 1e6),
          new Case("gaussian", Map.of("sigma", SAMPLED), -3, 0, 1e6),
          new Case("asymmetric_laplace", Map.of("quantile", 0.8, "sigma", 0.7), -3, 0, 1e6),
          new Case("asymmetric_laplace", Map.of("quantile", 0.8, "sigma", SAMPLED), -3, 0, 1e6),
          new Case("robust", Map.of("df", 4.0, "scale", 0.7), -3, 0, 1e6),
          new Case("robust", Map.of("df", 4.0, "scale", SAMPLED), -3, 0, 1e6),
          sampled("robust", Map.of("df", "auto", "scale", SAMPLED), -3, 0, 1e6),
          new Case("gamma", Map.of("shape", 0.7), 1e-9, 1, 1e9),
          new Case("gamma", Map.of("shape", SAMPLED), 1e-9, 1, 1e9),
          new Case("negative_binomial", Map.of("shape", 0.7), 0, 1, 1e9),
          new Case("negative_binomial", Map.of("shape", SAMPLED), 0, 1, 1e9),
          new Case("beta", Map.of("phi", 4.0), 1e-9, 0.3, 1 - 1e-9),
          new Case("beta", Map.of("phi", SAMPLED), 1e-9, 0.3, 1 - 1e-9),
          modelled("zero_inflated_poisson", "zi"),
          modelled("hurdle_poisson", "hu"),
          modelled("weibull", "scale"),
          modelled("gaussian", "sigma"),
          modelled("robust", "scale"),
          modelled("gamma", "shape"),
          modelled("negative_binomial", "shape"),
          modelled("beta", "phi"),
          new Case(
              "ordinal",
              Map.of("order", CLASSES, "gaps", SAMPLED),
              CLASSES,
              new double[] {0, 1, 0.5},
              0,
              1,
              2),
          new Case(
              "softmax",
              Map.of("reference_class", "b"),
              CLASSES,
              new double[] {0, 1, 0, -1},
              0,
              1,
              2));

  @Test
  void everyFamilyThatPredictsIsLookedAt() {
    List<String> predicting =
        Families.find().names().stream()
            .filter(name -> !name.equals("mixture") && !name.equals("ica"))
            .sorted()
            .toList();
    assertEquals(predicting, CASES.stream().map(Case::family).distinct().sorted().toList());
  }

  private static void assertNumber(double value, Case of, double eta, String what) {
    assertFalse(Double.isNaN(value), what + " of " + of.family + of.parameters + " at " + eta);
  }

  @Test
  void expectationsAndResponsesAreNumbers() {
    UniformRandomProvider rng = new Streams(5).stream(Streams.Purpose.RESPONSES, 0, 0, 1);
    for (Case of : CASES) {
      Expectation expectation = of.provider().expectation(of.spec()).orElseThrow();
      int predictors = of.provider().predictors(of.spec());
      double[] out = new double[Math.max(1, of.classes.size())];
      for (double eta : AT) {
        double[] etas = new double[predictors];
        Arrays.setAll(etas, p -> p % 2 == 0 ? eta : -eta);
        expectation.write(etas, of.theta, out);
        for (double mean : out) {
          assertNumber(mean, of, eta, "mean");
        }
        if (out.length > 1) {
          assertEquals(1, Arrays.stream(out).sum(), 1e-12);
          continue;
        }
        assertNumber(
            expectation.variance(out[0], expectation.ofRow(etas, of.theta)), of, eta, "variance");
        Response response =
            expectation.response(out[0], expectation.ofRow(etas, of.theta)).orElseThrow();
        for (int i = 0; i < 200; i++) {
          assertNumber(Responses.draw(response, 1, rng), of, eta, "response");
          if (of.family.equals("binomial")) {
            assertNumber(Responses.draw(response, 20, rng), of, eta, "response");
          }
        }
      }
    }
  }

  @Test
  void densitiesAreNumbers() {
    for (Case of : CASES) {
      if (of.provider().model(of.spec(), COLUMNS) instanceof PredictorModel model) {
        double[] theta = of.theta.clone();
        of.provider().restore(of.spec(), theta, 2);
        Likelihood likelihood = model.given(theta);
        for (double eta : AT) {
          for (double y : of.labels) {
            double log = likelihood.logLikelihood(eta, y);
            assertNumber(log, of, eta, "log density of " + y);
            assertTrue(log < Double.POSITIVE_INFINITY, of + " at " + eta);
          }
        }
      }
    }
  }

  /** A count expected to be e^η, by three draws of its slope; x from 0 to far out. */
  @Test
  void figuresOfWhatHasLeftTheNumbersAreNotNaN() {
    double[][] draws = {{0, 0.9}, {0, 1}, {0, 1.1}};
    PosteriorPredictor predictor =
        new PosteriorPredictor(Expectation.of(Math::exp), draws, Predictors.all(2, 1), 1, 0.5);
    double[] figures = new double[PosteriorPredictor.FIGURES];
    PosteriorPredictor.Row row = predictor.row();
    double infinite = Double.POSITIVE_INFINITY;
    row.predict(new double[] {1, 1e5}, 0, figures);
    assertArrayEquals(new double[] {infinite, infinite, infinite, infinite}, figures);
    row.predict(new double[] {1, -1e5}, 0, figures);
    assertArrayEquals(new double[4], figures);
    row.predict(new double[] {1, 700}, 0, figures);
    assertEquals(infinite, figures[0]);
    assertEquals(infinite, figures[1]);
    assertEquals(0.5 * (Math.exp(630) + Math.exp(700)), figures[2], 1e-12 * figures[2]);
    assertEquals(infinite, figures[3]);
    // Each is a number, and neither their sum nor the sum of their squares.
    row.predict(new double[] {1, 0}, 709.5, figures);
    double level = Math.exp(709.5);
    assertEquals(level, figures[0], 1e-12 * level);
    assertEquals(0, figures[1], 1e-12 * level);
    row.predict(new double[] {1, 1}, 600, figures);
    double[] e = {Math.exp(600.9), Math.exp(601), Math.exp(601.1)};
    double mean = Arrays.stream(e).sum() / 3;
    double sd =
        mean * Math.sqrt(Arrays.stream(e).map(v -> (v / mean - 1) * (v / mean - 1)).sum() / 2);
    assertEquals(sd, figures[1], 1e-12 * sd);
  }
}
