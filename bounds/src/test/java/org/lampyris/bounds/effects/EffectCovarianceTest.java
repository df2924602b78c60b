package org.lampyris.bounds.effects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.UnivariatePrior;

class EffectCovarianceTest {
  private static final double STEP = 1e-5;

  private static EffectCovariance covariance(int q, double shape) {
    List<String> names = List.of("(Intercept)", "x", "z").subList(0, q);
    return new EffectCovariance(
        new GroupingEffects("g", names, PriorParser.parse("half_normal(0, 2)"), shape));
  }

  private static double[] point(int q) {
    return q == 1 ? new double[] {-0.4} : new double[] {0.3, -0.8, 0.1, 0.7, -0.5, 0.2};
  }

  private static DMatrixRMaj correlations(EffectCovariance of, double[] phi) {
    double[] reported = of.reported(phi);
    DMatrixRMaj r = CommonOps_DDRM.identity(3);
    int k = 3;
    for (int e = 1; e < 3; e++) {
      for (int f = 0; f < e; f++) {
        r.set(e, f, reported[k]);
        r.set(f, e, reported[k++]);
      }
    }
    return r;
  }

  @Test
  void theFactorHasTheStandardDeviationsAndCorrelationsThatAreReported() {
    EffectCovariance of = covariance(3, 2);
    double[] phi = point(3);
    DMatrixRMaj l = new DMatrixRMaj(3, 3, true, of.factor(phi));
    DMatrixRMaj sigma = new DMatrixRMaj(3, 3);
    CommonOps_DDRM.multTransB(l, l, sigma);
    DMatrixRMaj r = correlations(of, phi);
    for (int e = 0; e < 3; e++) {
      assertEquals(Math.exp(2 * phi[e]), sigma.get(e, e), 1e-12);
      for (int f = 0; f < 3; f++) {
        assertEquals(r.get(e, f), sigma.get(e, f) / Math.exp(phi[e] + phi[f]), 1e-12);
      }
    }
  }

  /** log p(φ) less the densities of D and R is log |∂(D, R)/∂φ|, up to a constant. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 2, 0.7})
  void correlationsAreThoseOfLewandowskiKurowickaAndJoe(double shape) {
    EffectCovariance of = covariance(3, shape);
    double[] one = point(3);
    double[] other = {0.5, 0.2, -1, -0.3, 0.9, -1.1};
    assertEquals(rest(of, one, shape), rest(of, other, shape), 1e-6);
  }

  private static double rest(EffectCovariance of, double[] phi, double shape) {
    DMatrixRMaj jacobian = new DMatrixRMaj(6, 6);
    for (int k = 0; k < 6; k++) {
      double[] up = phi.clone();
      double[] down = phi.clone();
      up[k] += STEP;
      down[k] -= STEP;
      double[] high = of.reported(up);
      double[] low = of.reported(down);
      for (int i = 0; i < 6; i++) {
        jacobian.set(i, k, (high[i] - low[i]) / (2 * STEP));
      }
    }
    double sds = 0;
    for (int e = 0; e < 3; e++) {
      sds += PriorParser.parse("half_normal(0, 2)").logDensity(Math.exp(phi[e]));
    }
    double lkj = (shape - 1) * Math.log(CommonOps_DDRM.det(correlations(of, phi)));
    return of.logPrior(phi) - sds - lkj - Math.log(Math.abs(CommonOps_DDRM.det(jacobian)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theGradientIsThatOfThePrior(int q) {
    EffectCovariance of = covariance(q, 1.5);
    double[] phi = point(q);
    double[] gradient = new double[of.parameters() + 2];
    of.addPriorGradient(phi, gradient, 2);
    double[] expected = new double[gradient.length];
    for (int k = 0; k < phi.length; k++) {
      double[] up = phi.clone();
      double[] down = phi.clone();
      up[k] += STEP;
      down[k] -= STEP;
      expected[2 + k] = (of.logPrior(up) - of.logPrior(down)) / (2 * STEP);
    }
    assertArrayEquals(expected, gradient, 1e-7);
  }

  @Test
  void namesAreThoseOfBrms() {
    GroupingEffects of =
        new GroupingEffects(
            "dest", List.of("(Intercept)", "x"), PriorParser.parse("exponential(1)"), 2);
    assertEquals(List.of("sd_dest__Intercept", "sd_dest__x", "cor_dest__Intercept__x"), of.names());
    assertEquals("r_dest[ATL,Intercept]", of.name("ATL", 0));
    assertEquals(List.of("exponential(1.0)", "exponential(1.0)", "lkj(2.0)"), of.priors());
  }

  /**
   * (x + 1 + z | g) + (0 + u | g) with a prior about x = 30, z = −2: z̃ᵀc = zᵀb with b = Ac, and
   * what is reported is AΣAᵀ. A block without an intercept stays.
   */
  @Test
  void aPriorAboutOtherPointsIsReportedForTheColumnsThemselves() {
    UnivariatePrior sd = PriorParser.parse("half_normal(0, 2)");
    GroupingEffects effects =
        new GroupingEffects("g", List.of("x", "(Intercept)", "z"), sd, 2)
            .and(new GroupingEffects("g", List.of("u"), sd, 1))
            .about(new double[] {30, 7, -2, 5});
    assertEquals(List.of(30.0, 0.0, -2.0, 0.0), effects.origins());
    double[] c = {0.4, -1, 0.3, 0.2, 1, 2, 3, 4};
    assertArrayEquals(
        new double[] {0.4, -1 - 30 * 0.4 + 2 * 0.3, 0.3, 0.2, 1, 2 - 30 + 2 * 3, 3, 4},
        effects.toInput(c),
        1e-14);
    EffectCovariance of = new EffectCovariance(effects);
    double[] phi = {0.3, -0.8, 0.1, 0.6, 0.7, -0.5, 0.2};
    DMatrixRMaj l = new DMatrixRMaj(4, 4, true, of.factor(phi));
    DMatrixRMaj a = new DMatrixRMaj(4, 4, true, 1, 0, 0, 0, -30, 1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    DMatrixRMaj root = new DMatrixRMaj(4, 4);
    CommonOps_DDRM.mult(a, l, root);
    DMatrixRMaj sigma = new DMatrixRMaj(4, 4);
    CommonOps_DDRM.multTransB(root, root, sigma);
    double[] reported = of.reported(phi);
    int k = 4;
    for (int e = 0; e < 4; e++) {
      assertEquals(Math.sqrt(sigma.get(e, e)), reported[e], 1e-12);
      for (int f = 0; f < e && e < 3; f++) {
        assertEquals(sigma.get(e, f) / reported[e] / reported[f], reported[k++], 1e-12);
      }
    }
  }

  /** (1 + x | g) + (0 + z | g) + (0 + u + v | g): blocks of two, one and two effects. */
  @Test
  void effectsOfDifferentBlocksHaveNoCorrelation() {
    UnivariatePrior sd = PriorParser.parse("half_normal(0, 2)");
    GroupingEffects first = new GroupingEffects("g", List.of("(Intercept)", "x"), sd, 2);
    GroupingEffects second = new GroupingEffects("g", List.of("z"), sd, 1);
    GroupingEffects third = new GroupingEffects("g", List.of("u", "v"), sd, 0.5);
    GroupingEffects all = first.and(second).and(third);
    assertEquals(
        List.of(
            "sd_g__Intercept",
            "sd_g__x",
            "sd_g__z",
            "sd_g__u",
            "sd_g__v",
            "cor_g__Intercept__x",
            "cor_g__u__v"),
        all.names());
    assertEquals(List.of("lkj(2.0)", "lkj(0.5)"), all.priors().subList(5, 7));
    EffectCovariance covariance = new EffectCovariance(all);
    assertEquals(7, covariance.parameters());
    double[] phi = {0.1, -0.4, 0.7, 0.2, -0.3, 0.8, -1.1};
    double[] l = covariance.factor(phi);
    double[] reported = covariance.reported(phi);
    for (int e = 0; e < 5; e++) {
      for (int f = 0; f <= e; f++) {
        double sum = 0;
        for (int k = 0; k < 5; k++) {
          sum += l[e * 5 + k] * l[f * 5 + k];
        }
        double correlation =
            e == f ? 1 : e == 1 && f == 0 ? reported[5] : e == 4 && f == 3 ? reported[6] : 0;
        assertEquals(correlation * reported[e] * reported[f], sum, 1e-14, e + " " + f);
      }
    }
    assertEquals(
        new EffectCovariance(first).logPrior(new double[] {0.1, -0.4, 0.8})
            + new EffectCovariance(second).logPrior(new double[] {0.7})
            + new EffectCovariance(third).logPrior(new double[] {0.2, -0.3, -1.1}),
        covariance.logPrior(phi),
        1e-13);
    double[] gradient = new double[7];
    covariance.addPriorGradient(phi, gradient, 0);
    for (int k = 0; k < 7; k++) {
      double[] up = phi.clone();
      double[] down = phi.clone();
      up[k] += 1e-5;
      down[k] -= 1e-5;
      double slope = (covariance.logPrior(up) - covariance.logPrior(down)) / 2e-5;
      assertEquals(slope, gradient[k], 1e-8, "phi " + k);
    }
  }
}
