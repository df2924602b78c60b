package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.MemoryRun;

/** The random walk on orthonormal matrices: where it stays, that it is symmetric, what it fills. */
class StiefelTest {
  private static UniformRandomProvider rng(long iteration) {
    return new Streams(31).stream(Streams.Purpose.THETA, 1, iteration, 0);
  }

  private static double[] identity(int order) {
    double[] w = new double[order * order];
    for (int j = 0; j < order; j++) {
      w[j * order + j] = 1;
    }
    return w;
  }

  /** Returns the largest element of |WWᵀ − I|. */
  private static double offTheManifold(double[] w, int order) {
    double largest = 0;
    for (int i = 0; i < order; i++) {
      for (int j = 0; j < order; j++) {
        double product = i == j ? -1 : 0;
        for (int k = 0; k < order; k++) {
          product += w[i * order + k] * w[j * order + k];
        }
        largest = Math.max(largest, Math.abs(product));
      }
    }
    return largest;
  }

  @Test
  void roundingDoesNotLeadOffTheManifold() {
    for (int order : new int[] {2, 4, 7}) {
      Stiefel kernel = new Stiefel(order, 0.7);
      double[] w = identity(order);
      Noise noise = Noise.of(rng(order));
      for (int i = 0; i < 50_000; i++) {
        w = kernel.propose(w, noise);
      }
      assertTrue(offTheManifold(w, order) < 1e-11, order + ": " + offTheManifold(w, order));
    }
  }

  /** The noise that leads from W to W′ leads back when it is turned in sign, and is as likely. */
  @Test
  void theWayBackIsAsLikely() {
    for (int order : new int[] {2, 3, 5}) {
      Stiefel kernel = new Stiefel(order, 0.9);
      double[] from = kernel.start(Noise.of(rng(40)).normals(order * order));
      double[] to = kernel.propose(from, Noise.of(rng(41)));
      double[] back = kernel.propose(to, new Turned(Noise.of(rng(41))));
      assertArrayEquals(from, back, 1e-14);
      assertFalse(Arrays.equals(from, to));
      assertEquals(0, kernel.correction(from, to));
    }
  }

  /** A rotation by 2 arctan(½εz) in the plane. */
  @Test
  void inThePlaneItIsARotation() {
    double z = Noise.of(rng(7)).normal();
    double angle = 2 * Math.atan(0.5 * 0.3 * z);
    double[] expected = {Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle)};
    assertArrayEquals(expected, new Stiefel(2, 0.3).propose(identity(2), Noise.of(rng(7))), 1e-15);
  }

  /** Every 20th of a walk's angles against the uniform distribution: a false alarm in 1000. */
  @Test
  void inThePlaneItFillsTheCircle() {
    Stiefel kernel = new Stiefel(2, 1.5);
    Noise noise = Noise.of(rng(1));
    double[] angles = new double[2000];
    double[] w = identity(2);
    for (int i = 0; i < 20 * angles.length; i++) {
      w = kernel.propose(w, noise);
      angles[i / 20] = (Math.atan2(w[1], w[0]) + Math.PI) / (2 * Math.PI);
    }
    double p =
        KolmogorovSmirnovTest.withDefaults()
            .test(angles, x -> Math.max(0, Math.min(1, x)))
            .getPValue();
    assertTrue(p > 0.001, "p = " + p);
  }

  /**
   * Moments of the uniform distribution on SO(3): E w_ij = 0, E w_ij² = ⅓, E w_ij⁴ = ⅕, E tr W = 0,
   * E tr² = 1, E tr⁴ = 3; 29 figures within 4 of their Monte-Carlo errors: a false alarm in 500.
   */
  @Test
  void inSpaceItHasTheMomentsOfHaarMeasure() {
    int draws = 40_000;
    double[][] values = new double[30][draws];
    Stiefel kernel = new Stiefel(3, 1);
    Noise noise = Noise.of(rng(2));
    double[] w = identity(3);
    for (int i = 0; i < draws; i++) {
      w = kernel.propose(w, noise);
      for (int k = 0; k < 9; k++) {
        values[3 * k][i] = w[k];
        values[3 * k + 1][i] = w[k] * w[k] - 1.0 / 3;
        values[3 * k + 2][i] = Math.pow(w[k], 4) - 0.2;
      }
      double trace = w[0] + w[4] + w[8];
      values[27][i] = trace;
      values[28][i] = trace * trace - 1;
      values[29][i] = Math.pow(trace, 4) - 3;
    }
    for (int k = 0; k < values.length; k++) {
      double mean = Arrays.stream(values[k]).average().orElseThrow();
      assertEquals(0, mean, 4 * Diagnostics.mcseMean(new double[][] {values[k]}), "figure " + k);
    }
  }

  @Test
  void aChainBeginsAtTheNearestOrthonormalMatrix() {
    // W = SQ with S symmetric, positive definite: the polar factor is Q.
    double[] q = new Stiefel(2, 1).propose(identity(2), Noise.of(rng(3)));
    double[] w = {
      2 * q[0] + 0.3 * q[2], 2 * q[1] + 0.3 * q[3], 0.3 * q[0] + q[2], 0.3 * q[1] + q[3]
    };
    assertArrayEquals(q, new Stiefel(2, 1).start(w), 1e-14);
    assertEquals(0, offTheManifold(new Stiefel(3, 1).start(new double[9]), 3), 1e-14);
  }

  private static ThetaKernel made(int dimension) {
    double[] covariance = new double[dimension * dimension];
    for (int j = 0; j < dimension; j++) {
      covariance[j * dimension + j] = 0.01 * (1 + j);
    }
    ThetaKernelType type = new Stiefel.Type();
    OwnSettings none =
        OwnSettings.read(
            Section.root(MemoryRun.mapping(Map.of())),
            List.of(),
            new OwnSection.Defaults(0, false));
    return type.create(
        new ThetaKernelType.Setting(
            new LaplaceApproximation(new double[dimension], covariance),
            ProductPrior.parse(Collections.nCopies(dimension, "flat")),
            true,
            null,
            none));
  }

  @Test
  void theFirstStepIsOfTheSizeOfTheNarrowestCoefficient() {
    Stiefel kernel = (Stiefel) made(9);
    assertEquals(3, kernel.order());
    assertEquals(0.1 * RandomWalk.optimalStepSize(3), kernel.stepSize(), 1e-15);
    for (int dimension : new int[] {1, 3, 8}) {
      UserException refused = assertThrows(UserException.class, () -> made(dimension));
      assertTrue(String.valueOf(refused.getMessage()).contains("Here are " + dimension));
    }
    assertThrows(IllegalArgumentException.class, () -> new Stiefel(2, 0));
    assertThrows(IllegalArgumentException.class, () -> new Stiefel(1, 0.1));
  }

  /** Noise with the signs of all normal numbers turned. */
  private record Turned(Noise noise) implements Noise {
    @Override
    public double normal() {
      return -noise.normal();
    }

    @Override
    public double exponential() {
      return noise.exponential();
    }

    @Override
    public double uniform(double low, double high) {
      return noise.uniform(low, high);
    }

    @Override
    public int index(int count) {
      return noise.index(count);
    }

    @Override
    public boolean flip(double probability) {
      return noise.flip(probability);
    }
  }
}
