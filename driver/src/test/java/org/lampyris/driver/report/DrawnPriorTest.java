package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.samplers.chain.StartingPoint;

class DrawnPriorTest {
  private static final ColumnCenters CENTERS = new ColumnCenters(new double[] {0, 5}, 0);

  private static ModelOfTable model(String family, String prior) {
    TableScale table =
        new TableScale(
            CENTERS,
            List.of(1.0, 2.0),
            List.of(new Moments(1, 0), new Moments(5, 2)),
            List.of(0.0, 2.0),
            new Moments(0.4, 0.3),
            null,
            null);
    FamilySpec spec = FamilySpec.of(family);
    spec =
        switch (family) {
          case "softmax" -> new FamilySpec(family, Map.of(), List.of("p", "q", "r"));
          case "ordinal" -> new FamilySpec(family, Map.of(), List.of("1", "2", "3", "4"));
          case "robust" -> spec.with("df", "4");
          case "binomial" -> spec.with("trials", "n");
          default -> spec;
        };
    PriorConfig priors = PriorConfig.of(prior, Map.of(), PriorConfig.Scale.STANDARDIZED);
    return ModelOfTable.of(spec, List.of(ModelOfTable.INTERCEPT, "x"), priors, table);
  }

  /** Returns ∫ p(x) dx with x = sinh u. */
  private static double integral(DrawnPrior prior) {
    double sum = 0;
    for (double u = -19.9975; u < 20; u += 0.005) {
      double density = prior.density().applyAsDouble(Math.sinh(u));
      sum += 0.005 * Math.cosh(u) * density;
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "robust",
        "asymmetric_laplace",
        "logistic",
        "probit",
        "cloglog",
        "cauchit",
        "weibull",
        "zero_inflated_poisson",
        "hurdle_poisson",
        "zero_inflated_negative_binomial",
        "hurdle_negative_binomial",
        "exponential",
        "binomial",
        "poisson",
        "negative_binomial",
        "gamma",
        "beta",
        "softmax",
        "ordinal"
      })
  void everyParameterHasItsPrior(String family) {
    ModelOfTable model = model(family, "auto");
    Map<String, String> texts = new LinkedHashMap<>();
    for (int j = 0; j < model.coefficients().size(); j++) {
      texts.put(model.coefficients().get(j), model.inputPriors().get(j));
    }
    texts.put("sd_g__(Intercept)", "half_student_t(3, 0, 2.5)");
    texts.put("sd_g__x", "half_student_t(3, 0, 2.5)");
    texts.put("cor_g__(Intercept)__x", "lkj(2)");
    Map<String, DrawnPrior> priors =
        DrawnPrior.of(texts, false, DrawnPrior.implied(model, CENTERS));
    assertEquals(new ArrayList<>(texts.keySet()), new ArrayList<>(priors.keySet()));
    priors.forEach((name, prior) -> assertEquals(1, integral(prior), 2e-3, name + prior.name()));
  }

  /** α = γ − 5β with γ ~ N(0, 2²), β ~ N(0, 1): a kernel estimate of 2,000 draws is off by 10 %. */
  @Test
  void interceptsHaveThePriorThatTheModelImplies() {
    DrawnPrior prior =
        Objects.requireNonNull(
            DrawnPrior.implied(model("logistic", "normal(0, 2)"), CENTERS)
                .get(ModelOfTable.INTERCEPT));
    double sd = Math.sqrt(4 + 25);
    for (double z : new double[] {-1, 0, 1}) {
      double exact = Math.exp(-0.5 * z * z) / (sd * Math.sqrt(2 * Math.PI));
      assertEquals(exact, prior.density().applyAsDouble(z * sd), 0.1 * exact);
    }
    assertTrue(DrawnPrior.implied(model("logistic", "flat"), CENTERS).isEmpty());
  }

  /** One mode is claimed of log-concave likelihoods alone. */
  @Test
  void itIsSaidWhereOtherModesMayBe() {
    assertEquals("", ModelSection.modes(model("poisson", "auto"), StartingPoint.Init.LAPLACE));
    String robust = ModelSection.modes(model("robust", "auto"), StartingPoint.Init.LAPLACE);
    assertTrue(robust.contains("the log-likelihood of robust is not known to be concave"), robust);
    assertTrue(robust.contains("agreement says nothing about others"), robust);
    String prior = ModelSection.modes(model("robust", "auto"), StartingPoint.Init.PRIOR);
    assertFalse(prior.contains("says nothing"), prior);
  }
}
