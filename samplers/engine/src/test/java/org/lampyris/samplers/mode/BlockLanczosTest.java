package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.laplace.LowRankFactor;

class BlockLanczosTest {

  /** Multiplies with a diagonal matrix turned by a Householder reflection, and scaled. */
  private static BlockLanczos of(double[] spectrum, double[] scale) {
    int d = spectrum.length;
    double[] axis = new SplittableRandom(2).doubles(d).map(u -> u - 0.5).toArray();
    double norm = Math.sqrt(Arrays.stream(axis).map(x -> x * x).sum());
    BlockLanczos.Products products =
        (count, vectors) -> {
          double[] out = new double[d * count];
          for (int k = 0; k < count; k++) {
            double[] v = new double[d];
            for (int j = 0; j < d; j++) {
              v[j] = scale[j] * vectors[j * count + k];
            }
            reflect(v, axis, norm);
            for (int j = 0; j < d; j++) {
              v[j] *= spectrum[j];
            }
            reflect(v, axis, norm);
            for (int j = 0; j < d; j++) {
              out[j * count + k] = scale[j] * v[j];
            }
          }
          return out;
        };
    return BlockLanczos.of(Arrays.stream(scale).map(s -> s * s).toArray(), products);
  }

  private static void reflect(double[] v, double[] axis, double norm) {
    double product = 0;
    for (int j = 0; j < v.length; j++) {
      product += v[j] * axis[j] / norm;
    }
    for (int j = 0; j < v.length; j++) {
      v[j] -= 2 * product * axis[j] / norm;
    }
  }

  @Test
  void bothEndsOfASpectrumWithOneThatManyShare() {
    int d = 600;
    double[] spectrum = new double[d];
    Arrays.setAll(spectrum, j -> 0.9 + 0.2 * j / d);
    Arrays.fill(spectrum, 0, 20, 0.03);
    spectrum[20] = 0.0015;
    spectrum[21] = 20.4;
    double[] scale = new SplittableRandom(1).doubles(d).map(u -> Math.exp(8 * u - 4)).toArray();
    LowRankFactor factor = of(spectrum, scale).factor().orElseThrow();
    double[] found = factor.eigenvalues();
    assertEquals(22, found.length, () -> Arrays.toString(found));
    assertEquals(0.0015, found[0], 1e-5);
    for (int k = 1; k <= 20; k++) {
      assertEquals(0.03, found[k], 1e-4);
    }
    assertEquals(20.4, found[21], 1e-4);
  }

  @Test
  void whatIsDiagonalHasNoDirections() {
    double[] ones = new double[100];
    Arrays.fill(ones, 1);
    assertEquals(0, of(ones, ones).factor().orElseThrow().eigenvalues().length);
  }

  @Test
  void whatIsSingularHasNoFactorAndNamesItsDirection() {
    double[] spectrum = new double[50];
    Arrays.fill(spectrum, 1);
    spectrum[7] = 0;
    double[] ones = new double[50];
    Arrays.fill(ones, 1);
    BlockLanczos lanczos = of(spectrum, ones);
    assertTrue(lanczos.factor().isEmpty());
    assertEquals(50, lanczos.flattest().length);
  }

  @Test
  void fewerDimensionsThanABlock() {
    double[] spectrum = {0.5, 1, 1.5};
    LowRankFactor factor = of(spectrum, new double[] {1, 10, 0.1}).factor().orElseThrow();
    double sum = Arrays.stream(factor.eigenvalues()).map(Math::log).sum();
    assertEquals(Math.log(0.75), sum, 1e-10);
  }
}
