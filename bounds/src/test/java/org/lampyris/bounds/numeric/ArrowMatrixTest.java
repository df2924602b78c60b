package org.lampyris.bounds.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.DenseFactor;
import org.lampyris.bounds.laplace.PrecisionFactor;

/** Arrows against dense matrices: which elements they find apart, products, and factors. */
class ArrowMatrixTest {
  /** Tables of effects, by which their XᵀWX has zeros. */
  enum Shape {
    DENSE(0),
    CROSSED(60),
    CORRELATED(80),
    NESTED(60);

    private final int least;

    Shape(int least) {
      this.least = least;
    }

    /** Returns WᵀW + I, W with a row for each meeting of columns. */
    double[] matrix(int d) {
      Random random = new Random(7);
      double[] sum = new double[d * d];
      for (int i = 0; i < d; i++) {
        sum[i * d + i] = 1;
      }
      for (int n = 0; n < 20 * d; n++) {
        double[] row = new double[d];
        row[0] = 1;
        row[1] = random.nextGaussian();
        switch (this) {
          case DENSE -> {
            for (int j = 2; j < d; j++) {
              row[j] = random.nextGaussian();
            }
          }
          case CROSSED -> {
            row[2 + random.nextInt(60)] = 1;
            row[62 + random.nextInt(d - 62)] = 1;
          }
          case CORRELATED -> {
            int level = random.nextInt((d - 2) / 2);
            row[2 + 2 * level] = 1;
            row[3 + 2 * level] = random.nextGaussian();
          }
          case NESTED -> {
            int level = random.nextInt(60);
            row[2 + level] = 1;
            row[62 + level / 10] = 1;
          }
        }
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            sum[i * d + j] += row[i] * row[j];
          }
        }
      }
      return sum;
    }
  }

  private static final int D = 100;

  private static double[] vector(int seed) {
    return new Random(seed).doubles(D, -1, 1).toArray();
  }

  private static double[] product(double[] matrix, double[] v) {
    double[] out = new double[D];
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        out[i] += matrix[i * D + j] * v[j];
      }
    }
    return out;
  }

  @ParameterizedTest
  @EnumSource
  void productsAreThoseOfTheDenseMatrix(Shape shape) {
    double[] matrix = shape.matrix(D);
    ArrowMatrix arrow = new ArrowMatrix(matrix, D);
    double[] v = vector(1);
    double[] expected = product(matrix, v);
    assertArrayEquals(expected, arrow.times(v), 1e-10);
    double form = 0;
    for (int i = 0; i < D; i++) {
      form += v[i] * expected[i];
    }
    assertEquals(form, arrow.form(v), 1e-9);
    assertArrayEquals(matrix, arrow.matrix(), 0);
  }

  private static double[] inverse(double[] matrix) {
    DMatrixRMaj inverse = new DMatrixRMaj(D, D, true, matrix.clone());
    CommonOps_DDRM.invert(inverse);
    return inverse.data;
  }

  /** Also where columns have scales of their own. */
  @ParameterizedTest
  @EnumSource
  void choleskyIsThatOfTheDenseMatrix(Shape shape) {
    double[] matrix = shape.matrix(D);
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        matrix[i * D + j] *= Math.pow(10, i % 5) * Math.pow(10, j % 5);
      }
    }
    Cholesky cholesky = Cholesky.scaled(matrix, D).orElseThrow();
    double[] expected = inverse(matrix);
    double[] inverse = cholesky.inverse();
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        double unit = Math.pow(10, -(i % 5) - (j % 5));
        assertEquals(expected[i * D + j], inverse[i * D + j], 1e-11 * unit);
      }
    }
    double[] v = vector(5);
    assertArrayEquals(v, product(matrix, cholesky.solve(v)), 1e-7);
    double[] lower = Cholesky.lower(matrix, D);
    double logDeterminant = 0;
    for (int i = 0; i < D; i++) {
      logDeterminant += 2 * Math.log(lower[i * D + i]);
    }
    assertEquals(logDeterminant, cholesky.logDeterminant(), 1e-9);
  }

  /** Singular, where a column is the sum of others, and indefinite. */
  @ParameterizedTest
  @EnumSource
  void choleskyRefusesWhatIsNotPositiveDefinite(Shape shape) {
    double[] matrix = shape.matrix(D);
    double[] singular = matrix.clone();
    for (int j = 0; j < D; j++) {
      singular[j] = matrix[2 * D + j] + matrix[3 * D + j];
    }
    for (int j = 0; j < D; j++) {
      singular[j * D] = j == 0 ? singular[2] + singular[3] : singular[j];
    }
    assertTrue(Cholesky.scaled(singular, D).isEmpty());
    for (int at : new int[] {1, 2, 65}) {
      double[] indefinite = matrix.clone();
      indefinite[at * D + at] *= 1e-3;
      assertTrue(Cholesky.scaled(indefinite, D).isEmpty(), "element " + at);
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsLevelsThatDoNotMeet(Shape shape) {
    int apart = Arrow.of(shape.matrix(D), D).apart().length;
    assertTrue(apart >= shape.least, shape + ": " + apart);
    assertEquals(0, Arrow.of(Shape.DENSE.matrix(D), D).apart().length);
  }

  @ParameterizedTest
  @EnumSource
  void factorIsARootOfTheInverse(Shape shape) {
    double[] matrix = shape.matrix(D);
    PrecisionFactor factor = PrecisionFactor.of(matrix, D);
    double[] inverse = inverse(matrix);
    assertArrayEquals(inverse, factor.covariance(), 1e-12);
    double[] v = vector(2);
    assertArrayEquals(product(inverse, v), factor.solvePrecision(v), 1e-11);
    double[] there = new double[D];
    factor.addTo(v, 1, there);
    factor.solve(there);
    assertArrayEquals(v, there, 1e-11);
    assertEquals(inverse[5 * D + 5], factor.variance(5), 1e-12);
    double[] u = vector(3);
    factor.solve(u);
    double squares = 0;
    for (double element : u) {
      squares += element * element;
    }
    assertEquals(new ArrowMatrix(matrix, D).form(vector(3)), squares, 1e-8);
    double[] w = vector(4);
    double[] colored = new double[D];
    factor.addTo(v, 1, colored);
    double[] transposed = factor.transposed(w);
    double left = 0;
    double right = 0;
    for (int i = 0; i < D; i++) {
      left += w[i] * colored[i];
      right += transposed[i] * v[i];
    }
    assertEquals(left, right, 1e-11);
    DenseFactor dense = new DenseFactor(D, Cholesky.lower(inverse, D));
    assertEquals(dense.logDeterminant(), factor.logDeterminant(), 1e-9);
  }

  @Test
  void smallMatricesAreDense() {
    double[] diagonal = new double[9];
    for (int i = 0; i < 3; i++) {
      diagonal[4 * i] = 1;
    }
    assertEquals(0, Arrow.of(diagonal, 3).apart().length);
  }
}
