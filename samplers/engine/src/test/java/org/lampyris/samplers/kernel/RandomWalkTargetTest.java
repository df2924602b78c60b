package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

/** The random walk on a skewed target, and the maps that shape its proposals. */
class RandomWalkTargetTest {
  private static final double[] SHAPES = {0.7, 3};
  private static final int CHAINS = 4;
  private static final int DRAWS = 20_000;

  /** Six comparisons at 5 standard errors: false-alarm rate below 1e-5. */
  @Test
  void momentsOfASkewedTarget() {
    Preconditioner shape = Factors.choleskyOf(new double[] {2.3, 0.3, 0.3, 0.4}, SHAPES.length);
    double[][][] draws = draws(new RandomWalk(shape, RandomWalk.optimalStepSize(2)));
    for (int i = 0; i < SHAPES.length; i++) {
      near("E θ", Digamma.value(SHAPES[i]), draws[i], x -> x);
      near("E e^θ", SHAPES[i], draws[i], Math::exp);
      near("E e^2θ", SHAPES[i] * (SHAPES[i] + 1), draws[i], x -> Math.exp(2 * x));
    }
  }

  private static double[][][] draws(RandomWalk kernel) {
    LogDensity target = new SkewedDensity(SHAPES);
    Streams streams = new Streams(4);
    double[][][] draws = new double[SHAPES.length][CHAINS][DRAWS];
    for (int chain = 0; chain < CHAINS; chain++) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.THETA, chain, 0, 0);
      Point point = Point.at(new double[SHAPES.length]);
      for (int t = -500; t < DRAWS; t++) {
        point = kernel.step(target, point, rng).point();
        for (int i = 0; t >= 0 && i < SHAPES.length; i++) {
          draws[i][chain][t] = point.theta()[i];
        }
      }
    }
    return draws;
  }

  private static void near(String what, double exact, double[][] draws, DoubleUnaryOperator f) {
    double[][] values = new double[draws.length][];
    double mean = 0;
    for (int c = 0; c < draws.length; c++) {
      values[c] = Arrays.stream(draws[c]).map(f).toArray();
      mean += Arrays.stream(values[c]).average().orElseThrow() / draws.length;
    }
    double error = Diagnostics.mcseMean(values);
    assertTrue(error < 0.05 * (1 + Math.abs(exact)), what + ": standard error " + error);
    assertEquals(exact, mean, 5 * error, what);
  }

  @Test
  void asksTheTargetOnceAStep() {
    int[] asked = new int[1];
    LogDensity counted =
        new Around() {
          @Override
          public LogDensity target() {
            return new SkewedDensity(SHAPES);
          }

          @Override
          public void values(double[][] thetas, double[] out) {
            asked[0] += thetas.length;
            target().values(thetas, out);
          }

          @Override
          public double valueAndGradient(double[] theta, double[] gradient) {
            throw new AssertionError("a random walk needs no gradient");
          }
        };
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.THETA, 1, 1, 0);
    RandomWalk kernel = new RandomWalk(Preconditioner.identity(2), 0.5);
    Point point = kernel.step(counted, Point.at(new double[2]), rng).point();
    assertEquals(2, asked[0], "the first step evaluates where it stands, too");
    kernel.step(counted, point, rng);
    assertEquals(3, asked[0]);
    kernel.step(counted, Point.at(point.theta()), rng);
    assertEquals(5, asked[0]);
  }

  @Test
  void aProposalOfDensityZeroIsNeverAccepted() {
    assertEquals(0, Metropolis.acceptanceProbability(-3, Double.NEGATIVE_INFINITY));
    assertEquals(0, Metropolis.acceptanceProbability(-3, Double.NaN));
    assertEquals(1, Metropolis.acceptanceProbability(Double.NEGATIVE_INFINITY, -3));
    assertEquals(Math.exp(-2), Metropolis.acceptanceProbability(-3, -5));
    assertEquals(1, Metropolis.acceptanceProbability(-5, -3));
  }

  /** LLᵀ = Σ, column by column, added to what is there. */
  @Test
  void choleskyFactorGivesTheCovarianceBack() {
    double[] covariance = {4, -1.2, 0.5, -1.2, 2, 0.1, 0.5, 0.1, 0.9};
    Preconditioner factor = Factors.choleskyOf(covariance, 3);
    assertEquals(3, factor.dimension());
    double[] product = new double[9];
    for (int j = 0; j < 3; j++) {
      double[] z = new double[3];
      z[j] = 1;
      double[] column = {10, 20, 30};
      factor.addTo(z, 2, column);
      for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
          product[3 * a + b] += (column[a] - 10 * (a + 1)) * (column[b] - 10 * (b + 1)) / 4;
        }
      }
    }
    assertArrayEquals(covariance, product, 1e-13);
    double[] moved = {1, 2};
    Preconditioner.identity(2).addTo(new double[] {3, 5}, 0.5, moved);
    assertArrayEquals(new double[] {2.5, 4.5}, moved);
    assertThrows(
        IllegalArgumentException.class, () -> Factors.choleskyOf(new double[] {1, 2, 2, 1}, 2));
  }
}
