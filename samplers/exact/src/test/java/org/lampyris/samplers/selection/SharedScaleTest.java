package org.lampyris.samplers.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.commons.numbers.gamma.RegularizedGamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;

class SharedScaleTest {
  /** 2^−m S^−m Γ(m) (P(m, S/a) − P(m, S/b)) / log(b/a), by incomplete gamma functions. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 0.001, 100",
    "1, 0.0005, 0.001, 100",
    "3, 2, 0.5, 0.8",
    "3, 2, 0.01, 10",
    "50, 40, 0.001, 100",
    "50, 40, 2, 3",
    "50, 40, 0.2, 0.3",
    "400, 100, 0.001, 1"
  })
  void agreesWithIncompleteGammaFunctions(int m, double sum, double a, double b) {
    double difference =
        RegularizedGamma.P.value(m, sum / a) > 0.5
            ? RegularizedGamma.Q.value(m, sum / b) - RegularizedGamma.Q.value(m, sum / a)
            : RegularizedGamma.P.value(m, sum / a) - RegularizedGamma.P.value(m, sum / b);
    double expected =
        LogGamma.of(m) - m * Math.log(2 * sum) + Math.log(difference) - Math.log(Math.log(b / a));
    assertEquals(expected, new SharedScale(a, b).at(m, sum).logDensity(), 1e-10);
  }

  /** At 0 the integral is (a^−m − b^−m)/m. */
  @Test
  void isFiniteAtZero() {
    double expected = Math.log((Math.pow(0.1, -4) - Math.pow(5, -4)) / 4 / 16 / Math.log(50));
    assertEquals(expected, new SharedScale(0.1, 5).at(4, 0).logDensity(), 1e-10);
  }

  /** One coefficient's density, over both signs. */
  @Test
  void integratesToOne() {
    SharedScale scale = new SharedScale(0.05, 2);
    double mass = 0;
    double step = 0.02;
    for (double u = -16; u < 5; u += step) {
      double x = Math.exp(u);
      mass += 2 * step * x * Math.exp(scale.at(1, x).logDensity());
    }
    assertEquals(1, mass, 1e-6);
  }

  @Test
  void derivativesAreThoseOfTheDensity() {
    Features features = new Features(List.of(new int[] {1}, new int[] {2, 3}, new int[] {4}), 5);
    UnivariatePrior normal = new UnivariatePrior.Normal(0.5, 2);
    InclusionPrior prior =
        new InclusionPrior(
            ProductPrior.shared(normal, 5), features, 1.5, 3, new SharedScale(0.01, 10));
    double[] theta = {0.3, 0, -0.4, 0.2, 1.5};
    double[] gradient = new double[5];
    double[] diagonal = new double[5];
    assertEquals(prior.logDensity(theta), prior.addGradient(theta, gradient), 1e-13);
    prior.addCurvature(theta, diagonal);
    for (int j = 0; j < 5; j++) {
      double h = 1e-4;
      double[] above = theta.clone();
      double[] below = theta.clone();
      above[j] += h;
      below[j] -= h;
      double up = prior.logDensity(above);
      double down = prior.logDensity(below);
      double slope = j == 1 ? 0 : (up - down) / (2 * h);
      double bend = j == 1 ? 0 : (up - 2 * prior.logDensity(theta) + down) / (h * h);
      assertEquals(slope, gradient[j], 1e-6, "element " + j);
      assertEquals(bend, diagonal[j], 1e-5, "element " + j);
    }
    double[] nothing = new double[5];
    double expected = prior.ofSize(0) + normal.logDensity(0.3);
    assertEquals(expected, prior.logDensity(new double[] {0.3, 0, 0, 0, 0}), 1e-13);
    prior.addGradient(new double[] {0.3, 0, 0, 0, 0}, nothing);
    assertArrayEquals(new double[] {normal.derivative(0.3), 0, 0, 0, 0}, nothing, 1e-15);
  }
}
