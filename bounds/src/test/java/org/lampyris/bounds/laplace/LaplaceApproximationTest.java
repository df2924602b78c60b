package org.lampyris.bounds.laplace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LaplaceApproximationTest {

  /** LLᵀ of L = (2 0; 1 3). */
  private static final double[] COVARIANCE = {4, 2, 2, 10};

  private static final double[] MODE = {1, -1};

  private final LaplaceApproximation laplace = new LaplaceApproximation(MODE, COVARIANCE);

  /** Returns AAᵀ + I of a random A, of columns of very different scales. */
  private static double[] positiveDefinite(int d, double spread) {
    SplittableRandom random = new SplittableRandom(7);
    double[] a = random.doubles((long) d * d).map(u -> u - 0.5).toArray();
    double[] matrix = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        double sum = i == j ? 1 : 0;
        for (int k = 0; k < d; k++) {
          sum += a[i * d + k] * a[j * d + k];
        }
        matrix[i * d + j] = sum * Math.pow(spread, i + j);
      }
    }
    return matrix;
  }

  @Test
  void theFactorAndWhatItMeasures() {
    assertArrayEquals(new double[] {2, 0, 1, 3}, laplace.lower());
    assertEquals(2, laplace.sd(0));
    assertEquals(Math.sqrt(10), laplace.sd(1));
    // L(3, 4) = (6, 15).
    double[] theta = {7, 14};
    assertArrayEquals(new double[] {3, 4}, laplace.difference(MODE, theta));
    assertEquals(5, laplace.distance(theta));
  }

  @Test
  void aBallEndsAtItsRadius() {
    Ball ball = laplace.ball(5);
    assertTrue(ball.holds(new double[] {7, 14}));
    assertFalse(ball.holds(new double[] {7.01, 14}));
    assertArrayEquals(new double[] {4, 6.5}, ball.onRay(new double[] {7, 14}, 0.5), 1e-14);
    assertThrows(IllegalArgumentException.class, () -> laplace.ball(0));
  }

  @Test
  void arraysAreCopiedAndAMatrixThatIsNoCovarianceIsRefused() {
    double[] mode = MODE.clone();
    LaplaceApproximation copied = new LaplaceApproximation(mode, COVARIANCE);
    mode[0] = 9;
    assertEquals(1, copied.mode()[0]);
    assertSame(copied.lower(), copied.lower());
    assertThrows(
        IllegalArgumentException.class,
        () -> new LaplaceApproximation(MODE, new double[] {1, 2, 2, 1}));
    assertThrows(
        IllegalArgumentException.class, () -> new LaplaceApproximation(MODE, new double[3]));
  }

  /** Forward substitution in order, to the last bit: candidates must not depend on a library. */
  @Test
  void differencesAreThoseOfAPlainLoop() {
    int d = 37;
    LaplaceApproximation wide = new LaplaceApproximation(new double[d], positiveDefinite(d, 1.2));
    double[] theta = new SplittableRandom(8).doubles(d).toArray();
    double[] expected = new double[d];
    for (int i = 0; i < d; i++) {
      double value = theta[i];
      for (int j = 0; j < i; j++) {
        value -= wide.lower()[i * d + j] * expected[j];
      }
      expected[i] = value / wide.lower()[i * d + i];
    }
    assertArrayEquals(expected, wide.difference(new double[d], theta), 0);
  }

  @Test
  void scaledDecompositionsInvertWhatSpansManyMagnitudes() {
    int d = 12;
    double[] matrix = positiveDefinite(d, 0.05);
    Cholesky cholesky = Cholesky.scaled(matrix, d).orElseThrow();
    double[] inverse = cholesky.inverse();
    for (int j = 0; j < d; j++) {
      double[] column = new double[d];
      for (int i = 0; i < d; i++) {
        column[i] = matrix[i * d + j];
        assertEquals(inverse[i * d + j], inverse[j * d + i], 0);
      }
      double[] unit = cholesky.solve(column);
      for (int i = 0; i < d; i++) {
        double scale = Math.pow(0.05, j - i);
        assertEquals(i == j ? 1 : 0, unit[i] / scale, 1e-12);
      }
    }
    assertTrue(Cholesky.scaled(new double[] {1, 1, 1, 1}, 2).isEmpty());
    assertTrue(Cholesky.scaled(new double[] {0, 0, 0, 1}, 2).isEmpty());
    double[] infinite = new double[4];
    Arrays.fill(infinite, Double.POSITIVE_INFINITY);
    assertTrue(Cholesky.scaled(infinite, 2).isEmpty());
  }
}
