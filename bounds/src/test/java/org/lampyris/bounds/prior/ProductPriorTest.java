package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.Predictors;

class ProductPriorTest {
  /** The prior of the intercept is about η at (2, −3); the last element is no coefficient. */
  private static final ProductPrior PRIOR =
      ProductPrior.parse(
              List.of("student_t(4, 1, 3)", "laplace(0, 2)", "normal(1, 3)", "exponential(1)"))
          .about(new InterceptShift(new double[] {0, 2, -3}, 0, Predictors.all(3, 1)));

  @Test
  void derivativesAboutAPointAreThoseInTheStoredCoefficients() {
    double[] theta = {0.4, -0.7, 1.9, 0.3};
    double[] gradient = new double[4];
    assertEquals(PRIOR.logDensity(theta), PRIOR.addGradient(theta, gradient));
    double[] curvature = new double[4];
    PRIOR.addCurvature(theta, curvature);
    for (int j = 0; j < 4; j++) {
      int i = j;
      assertEquals(Differences.central(PRIOR::logDensity, theta, j, 1e-4), gradient[j], 1e-7);
      assertEquals(
          Differences.central(t -> slope(t, i), theta, j, 1e-4), curvature[j], 1e-7, "of " + j);
    }
  }

  private static double slope(double[] theta, int j) {
    return slope(PRIOR, theta, j);
  }

  private static double slope(ProductPrior prior, double[] theta, int j) {
    double[] gradient = new double[4];
    prior.addGradient(theta, gradient);
    return gradient[j];
  }

  @Test
  void aTemperedPriorTimesANormalDensityHasTheirSumOfLogarithms() {
    double[] precision = {2, 0.3, 0, 0, 0.3, 1, -0.4, 0, 0, -0.4, 3, 0, 0, 0, 0, 0.5};
    ProductPrior prior =
        PRIOR.tempered(0.25).times(new GaussianFactor(precision, new double[] {1, 0, -2, 0.1}));
    double[] theta = {0.4, -0.7, 1.9, 0.3};
    // -(2*.16 + 2*.3*.4*-.7 + .49 + 2*-.4*-.7*1.9 + 3*3.61 + .5*.09)/2 + .4 - 3.8 + .03
    double factor = -0.5 * (0.32 - 0.168 + 0.49 + 1.064 + 10.83 + 0.045) + 0.4 - 3.8 + 0.03;
    assertEquals(0.25 * PRIOR.logDensity(theta) + factor, prior.logDensity(theta), 1e-12);
    double[] curvature = new double[4];
    prior.addCurvature(theta, curvature);
    for (int j = 0; j < 4; j++) {
      int i = j;
      double slope = slope(prior, theta, j);
      assertEquals(Differences.central(prior::logDensity, theta, j, 1e-4), slope, 1e-7);
      assertEquals(
          Differences.central(t -> slope(prior, t, i), theta, j, 1e-4), curvature[j], 1e-7);
    }
  }

  /** What ends or has a kink in γ does so in θ, but for the intercept. */
  @Test
  void onlyTheInterceptHasItsEndElsewhere() {
    ProductPrior ends =
        ProductPrior.parse(List.of("exponential(1)", "laplace(0, 2)", "flat", "exponential(1)"));
    ProductPrior about = ends.about(PRIOR.point());
    assertEquals(0, ends.lower(0));
    assertEquals(Double.NEGATIVE_INFINITY, about.lower(0));
    assertEquals(0, about.kink(1));
    assertEquals(0, about.lower(3));
  }

  @Test
  void aConfinedPriorHasTheEndsAndKinksOfThePrior() {
    double[] unit = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    Prior confined =
        new ConfinedPrior(PRIOR, new LaplaceApproximation(new double[4], unit).ball(2));
    assertEquals(PRIOR.kinkSize(1), confined.kinkSize(1));
    assertEquals(0, confined.kink(1));
    assertEquals(0, confined.lower(3));
    assertEquals(1, confined.precision(3));
  }
}
