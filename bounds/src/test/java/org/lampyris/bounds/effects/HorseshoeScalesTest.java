package org.lampyris.bounds.effects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.SharedHorseshoe;

class HorseshoeScalesTest {
  private static final String PLAIN = "horseshoe(half_cauchy(0.3))";
  private static final String SLAB = "regularized_horseshoe(half_student_t(3, 0.3), 2.0, 4.0)";

  private static HorseshoeScales group(String prior) {
    return new HorseshoeScales(
        (SharedHorseshoe) PriorParser.parse(prior), new int[] {1, 2, 4}, new double[] {1, 0.5, 2});
  }

  private static double[] vector(int length, int seed) {
    return new Random(seed).doubles(length, -1.5, 1.5).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, SLAB})
  void partsAgree(String prior) {
    HorseshoeScales group = group(prior);
    double[] phi = vector(group.parameters(), 1);
    double[] b = vector(3, 2);
    double[] sds = group.sds(phi);
    double density = 0;
    double logDeterminant = 0;
    for (int j = 0; j < 3; j++) {
      double u = b[j] / sds[j];
      density += -0.5 * u * u - Math.log(sds[j]) - 0.5 * Math.log(2 * Math.PI);
      logDeterminant += Math.log(sds[j]);
    }
    assertEquals(density, group.logDensity(phi, b), 1e-12);
    assertEquals(logDeterminant, group.logDeterminant(phi), 1e-12);
    double[] u = b.clone();
    group.whiten(phi, u);
    group.color(phi, u);
    assertArrayEquals(b, u, 1e-13);
    double[] gradient = new double[5];
    group.addGradient(phi, b, gradient);
    double[] precision = new double[25];
    group.addPrecision(phi, precision, 5);
    for (int j = 0; j < 3; j++) {
      int at = group.coefficients()[j];
      double[] higher = b.clone();
      double[] lower = b.clone();
      higher[j] += 1e-5;
      lower[j] -= 1e-5;
      double slope = (group.logDensity(phi, higher) - group.logDensity(phi, lower)) / 2e-5;
      assertEquals(slope, gradient[at], 1e-6 * (1 + Math.abs(slope)));
      assertEquals(1 / sds[j] / sds[j], precision[at * 5 + at], 1e-9 / sds[j] / sds[j]);
    }
    for (int k = 0; k < phi.length; k++) {
      double[] other = phi.clone();
      other[k] += 0.7;
      double all =
          group.logPrior(other)
              + group.logDensity(other, b)
              - group.logPrior(phi)
              - group.logDensity(phi, b);
      assertEquals(all, group.logConditional(k, other, b) - group.logConditional(k, phi, b), 1e-11);
    }
  }

  @Test
  void aSlabKeepsLargeCoefficientsFromInfinity() {
    HorseshoeScales group = group(SLAB);
    double[] phi = {0, 30, 0, 0, Math.log(2)};
    assertEquals(2, group.sds(phi)[0], 1e-9);
    assertEquals(2, group.reported(phi)[1], 1e-12);
    assertEquals(30, Math.log(group(PLAIN).sds(phi)[0]), 1e-12);
  }

  @Test
  void priorsAreReadBack() {
    for (String prior : new String[] {PLAIN, SLAB}) {
      String text = PriorParser.parse(prior).toString();
      assertEquals(text, PriorParser.parse(text).toString());
    }
    assertThrows(
        IllegalArgumentException.class, () -> PriorParser.parse("horseshoe(normal(0, 1))"));
    assertThrows(IllegalArgumentException.class, () -> PriorParser.parse("horseshoe(flat)"));
  }
}
