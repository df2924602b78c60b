package org.lampyris.samplers.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.Predictors;

class InclusionPriorTest {
  private static final UnivariatePrior NORMAL = new UnivariatePrior.Normal(0.5, 2);

  private static InclusionPrior prior(double rate, int most) {
    Features features =
        new Features(List.of(new int[] {1}, new int[] {2}, new int[] {3}, new int[] {4}), 5);
    return new InclusionPrior(ProductPrior.shared(NORMAL, 5), features, rate, most, null);
  }

  /** p(k) ∝ 1.5ᵏ/k!, k to 3, among 1, 4, 6, 4 models. */
  @Test
  void sizesAreThoseOfAPoissonCutOff() {
    InclusionPrior prior = prior(1.5, 3);
    double all = 1 + 1.5 + 1.125 + 0.5625;
    assertEquals(Math.log(1 / all), prior.ofSize(0), 1e-13);
    assertEquals(Math.log(1.5 / all / 4), prior.ofSize(1), 1e-13);
    assertEquals(Math.log(1.125 / all / 6), prior.ofSize(2), 1e-13);
    assertEquals(Math.log(0.5625 / all / 4), prior.ofSize(3), 1e-13);
    assertEquals(Double.NEGATIVE_INFINITY, prior.ofSize(4));
  }

  /** λ = 10⁻¹⁰ as in the paper, and one that no power of is a number. */
  @Test
  void extremeRatesDoNotOverflow() {
    assertEquals(0, prior(1e-10, 4).ofSize(0), 1e-9);
    assertEquals(3 * Math.log(1e-10) - Math.log(24), prior(1e-10, 4).ofSize(3), 1e-9);
    assertEquals(0, prior(1e200, 4).ofSize(4), 1e-12);
  }

  @Test
  void aSlabCountsWhereItsElementIsThere() {
    InclusionPrior prior = prior(1.5, 4);
    double[] theta = {0.2, 0, -1, 0, 3};
    double slabs = NORMAL.logDensity(0.2) + NORMAL.logDensity(-1) + NORMAL.logDensity(3);
    assertEquals(prior.ofSize(2) + slabs, prior.logDensity(theta), 1e-13);
    double[] gradient = new double[5];
    assertEquals(prior.ofSize(2) + slabs, prior.addGradient(theta, gradient), 1e-13);
    assertArrayEquals(new double[] {0.075, 0, 0.375, 0, -0.625}, gradient, 1e-15);
    double[] diagonal = new double[5];
    prior.addCurvature(theta, diagonal);
    assertArrayEquals(new double[] {-0.25, 0, -0.25, 0, -0.25}, diagonal, 1e-15);
  }

  /** A slab that has no density at 0, and an intercept that is η elsewhere. */
  @Test
  void whatIsOutHasNoDensity() {
    UnivariatePrior positive = new UnivariatePrior.Uniform(1, 3);
    ProductPrior slab =
        ProductPrior.of(List.of(NORMAL, positive, positive))
            .about(new InterceptShift(new double[] {0, 2, 5}, 0, Predictors.all(3, 1)));
    Features features = new Features(List.of(new int[] {1}, new int[] {2}), 3);
    InclusionPrior prior = new InclusionPrior(slab, features, 1, 2, null);
    assertEquals(
        prior.ofSize(1) + NORMAL.logDensity(1 + 2 * 1.5) - Math.log(2),
        prior.logDensity(new double[] {1, 1.5, 0}),
        1e-13);
    assertEquals(Double.NEGATIVE_INFINITY, prior.logDensity(new double[] {1, 1.5, 0.5}));
  }

  /** Both coefficients of a feature with two predictors are its own. */
  @Test
  void aFeatureIsInOrOutAsAWhole() {
    Features features = new Features(List.of(new int[] {1, 4}, new int[] {2, 5}), 7);
    assertArrayEquals(new boolean[] {false, true}, features.in(new double[] {1, 0, 2, 3, 0, 1, 4}));
    assertArrayEquals(new int[] {0, 2, 3, 5, 6}, features.present(new boolean[] {false, true}));
  }
}
