package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.PriorConfig;

class ModelOfTableTest {
  private static final List<String> COLUMNS = List.of("(Intercept)", "age");

  private static final ColumnCenters CENTERS = new ColumnCenters(new double[] {0, 10}, 0);

  private static ModelOfTable family(String name, String... parameter) {
    Map<String, Object> parameters =
        parameter.length == 0 ? Map.of() : Map.of(parameter[0], parameter[1]);
    List<String> classes =
        name.equals("softmax") ? List.of("cat", "dog", "emu") : List.<String>of();
    return ModelOfTable.of(new FamilySpec(name, parameters, classes), COLUMNS, FLAT, null);
  }

  private static final PriorConfig FLAT =
      PriorConfig.of("flat", Map.of(), PriorConfig.Scale.STANDARDIZED);

  private static LaplaceApproximation laplace(int d) {
    double[] covariance = new double[d * d];
    for (int j = 0; j < d; j++) {
      covariance[j * d + j] = 1;
    }
    return new LaplaceApproximation(new double[d], covariance);
  }

  @Test
  void coefficientsOfEveryClassAreReportedForTheInputsColumns() {
    ModelOfTable softmax = family("softmax", "reference_class", "dog");
    assertEquals(
        List.of("(Intercept)[cat]", "age[cat]", "(Intercept)[emu]", "age[emu]"),
        softmax.coefficients());
    double[] theta = {1, 2, 3, 8};
    assertArrayEquals(new double[] {1 - 2 * 10, 2, 3 - 8 * 10, 8}, softmax.toInput(theta, CENTERS));
    assertArrayEquals(new double[] {1, 2, 3, 8}, theta, "not modified");
    assertArrayEquals(theta, softmax.fromInput(softmax.toInput(theta, CENTERS), CENTERS), 1e-14);
  }

  @Test
  void aSampledSigmaIsReportedOnItsNaturalScale() {
    ModelOfTable gaussian = family("gaussian", "sigma", "half_normal(0, 10)");
    assertEquals(List.of("(Intercept)", "age", "sigma"), gaussian.coefficients());
    assertArrayEquals(
        new double[] {1 - 2 * 10, 2, Math.exp(-3)},
        gaussian.toInput(new double[] {1, 2, -3}, CENTERS));
    assertArrayEquals(
        new double[] {1, 2, -3},
        gaussian.fromInput(new double[] {-19, 2, Math.exp(-3)}, CENTERS),
        1e-14);
    List<String> priors = gaussian.inputPriors();
    assertEquals(3, priors.size());
    assertTrue(priors.get(2).startsWith("log_scale("), priors::toString);
  }

  @Test
  void parametersThatSayTheSameAreEqual() {
    assertEquals(
        family("gaussian", "sigma", "2").spec(), family("gaussian", "sigma", "2.0").spec());
  }

  @Test
  void someFamiliesHaveABound() {
    assertTrue(family("poisson").bound(laplace(2)).isEmpty());
    assertEquals(2, family("poisson").localBound(laplace(2), 7).orElseThrow().dimension());
    assertTrue(family("poisson").hasBound(laplace(2)));
    assertTrue(family("gamma", "shape", "3").hasBound(laplace(2)));
    assertTrue(family("gamma", "shape", "flat").hasBound(laplace(3)));
    assertTrue(family("robust", "df", "4", "scale", "flat").hasBound(laplace(3)));
    assertEquals(2, family("logistic").bound(laplace(2)).orElseThrow().dimension());
  }

  /** Only a parameter that helps is named. */
  @Test
  void someAreConcaveOnceAParameterIsGiven() {
    assertEquals(Optional.of("shape"), family("gamma", "shape", "flat").concaveGiven());
    assertEquals(Optional.of("sigma"), family("gaussian", "sigma", "flat").concaveGiven());
    assertEquals(Optional.empty(), family("robust", "df", "4", "scale", "flat").concaveGiven());
    assertEquals(Optional.empty(), family("beta", "phi", "flat").concaveGiven());
    assertEquals(Optional.empty(), family("logistic").concaveGiven());
    assertEquals(Optional.empty(), family("robust", "df", "4", "scale", "1").concaveGiven());
  }

  @Test
  void twoCoefficientsOfOneNameAreRefused() {
    FamilySpec spec = new FamilySpec("gaussian", Map.of("sigma", "flat"), List.of());
    UserException e =
        assertThrows(
            UserException.class, () -> ModelOfTable.of(spec, List.of("a", "sigma"), FLAT, null));
    assertTrue(String.valueOf(e.getMessage()).contains("same name"), e.getMessage());
  }
}
