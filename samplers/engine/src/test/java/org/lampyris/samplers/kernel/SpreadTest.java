package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.samplers.random.Streams;

class SpreadTest {

  private static Spread of(int draws, int dimension, long seed, UnaryOperator<double[]> map) {
    UniformRandomProvider rng = new Streams(seed).stream(Streams.Purpose.THETA, 1, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    Spread spread = Spread.none(dimension);
    for (int i = 0; i < draws; i++) {
      double[] z = new double[dimension];
      Arrays.setAll(z, j -> normal.sample());
      spread = spread.with(map.apply(z));
    }
    return spread;
  }

  private static double[] times(double[] factor, int d) {
    double[] product = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          product[i * d + j] += factor[i * d + k] * factor[j * d + k];
        }
      }
    }
    return product;
  }

  @Test
  void momentsByHand() {
    Spread spread =
        Spread.none(2)
            .with(new double[] {1, 10})
            .with(new double[] {2, 10})
            .with(new double[] {6, 13});
    assertEquals(3, spread.count());
    assertArrayEquals(new double[] {3, 11}, spread.mean(), 1e-14);
    double[] lower = {spread.products()[0], spread.products()[2], spread.products()[3]};
    assertArrayEquals(new double[] {4 + 1 + 9, 2 + 1 + 6, 1 + 1 + 4}, lower, 1e-13);
  }

  /** Of draws that spread as they should, no direction stands out, however many there are. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 50})
  void noiseStretchesNothing(int dimension) {
    for (long seed = 1; seed <= 100; seed++) {
      assertEquals(Optional.empty(), of(150, dimension, seed, z -> z).stretch(), "seed " + seed);
    }
  }

  /** Standard deviations of 5 along (3, 4, 0, …)/5 and of 1 elsewhere. */
  @Test
  void theDirectionThatStandsOutIsStretched() {
    int d = 10;
    double[] v = new double[d];
    v[0] = 0.6;
    v[1] = 0.8;
    UnaryOperator<double[]> map =
        z -> {
          double along = 0.6 * z[0] + 0.8 * z[1];
          double[] u = z.clone();
          Arrays.setAll(u, j -> z[j] + 4 * along * v[j]);
          return u;
        };
    double[] found = times(of(4000, d, 3, map).stretch().orElseThrow(), d);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        double expected = (i == j ? 1 : 0) + 24 * v[i] * v[j];
        assertEquals(expected, found[i * d + j], 1.2, i + ", " + j);
      }
    }
    // Perpendicular to it nothing is changed: w = (4, −3, 0, …)/5 has variance 1.
    double across = 0.64 * found[0] + 0.36 * found[d + 1] - 0.96 * found[1];
    assertEquals(1, across, 0.05);
  }

  /** ℓ is less than the eigenvalue, by what d/m adds to it: solved by hand for γ = 0.06. */
  @Test
  void noiseIsTakenFromTheEigenvalue() {
    double[] products = {100 * 99.0, 0, 0, 99};
    double[] found = times(new Spread(100, new double[2], products).stretch().orElseThrow(), 2);
    double excess = 0.06;
    double variance = found[0];
    assertEquals(100, variance * (1 + excess / (variance - 1)), 1e-9);
    assertTrue(variance < 99.95);
    assertArrayEquals(new double[] {0, 0, 1}, Arrays.copyOfRange(found, 1, 4), 1e-12);
  }

  @Test
  void fewDrawsTellNothing() {
    assertEquals(Optional.empty(), of(9, 10, 1, z -> times(z, 1e6)).stretch());
    assertTrue(of(60, 10, 1, z -> times(z, 1e6)).stretch().isPresent());
  }

  private static double[] times(double[] z, double factor) {
    return Arrays.stream(z).map(x -> factor * x).toArray();
  }
}
