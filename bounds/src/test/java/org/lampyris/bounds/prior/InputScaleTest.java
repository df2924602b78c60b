package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.scale.CoefficientScale;

class InputScaleTest {

  private static final List<String> PRIORS =
      List.of("cauchy(0, 10)", "normal(1, 2)", "laplace(0, 0.5)", "student_t(4, 0, 3)", "flat");

  private static final double[] CENTER = {0, 5, -3, 40, 7};

  /** Centred columns: the intercept's prior is about η at their means. */
  private final CoefficientScale scale =
      new CoefficientScale(CENTER, new double[] {1, 0.25, 8, 100, 0.01}, 0);

  @Test
  void densitiesAreThoseOfTheInputsCoefficients() {
    ProductPrior input = ProductPrior.parse(PRIORS);
    ProductPrior standardized = input.onInputScale(scale, 1);
    double[] beta = RandomBlocks.normal(RandomBlocks.random(7), 5, 2);
    double jacobian = 0;
    for (int j = 1; j < 4; j++) {
      jacobian -= Math.log(scale.scale(j));
    }
    double atMeans = beta[0];
    for (int j = 1; j < 5; j++) {
      atMeans += beta[j] * CENTER[j];
    }
    double[] theta = new double[5];
    Arrays.setAll(theta, j -> beta[j] * scale.scale(j));
    theta[0] = atMeans;
    assertArrayEquals(beta, scale.toInput(theta), 1e-12);
    double[] expected = beta.clone();
    expected[0] = atMeans;
    assertEquals(input.logDensity(expected) + jacobian, standardized.logDensity(theta), 1e-12);
    assertEquals("normal(0.25, 0.5)", standardized.factors().get(1).toString());
  }

  @Test
  void everyPredictorIsScaledAndALogScaleIsNot() {
    ProductPrior input =
        ProductPrior.parse(
            List.of("normal(0, 1)", "normal(0, 1)", "flat", "normal(0, 2)", "log_scale(flat)"));
    CoefficientScale two = new CoefficientScale(new double[2], new double[] {1, 10}, 0);
    assertEquals(
        List.of(
            "normal(0.0, 1.0)",
            "normal(0.0, 10.0)",
            "flat",
            "normal(0.0, 20.0)",
            "log_scale(flat)"),
        input.onInputScale(two, 2).factors().stream().map(Object::toString).toList());
    assertThrows(IllegalArgumentException.class, () -> input.onInputScale(two, 3));
  }
}
