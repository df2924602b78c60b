package org.lampyris.bounds.laplace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.rows.DataBlock;

/** Everything that a factor of low rank says, against the dense matrices that it stands for. */
class LowRankFactorTest {
  private static final int D = 9;
  private static final double[] EIGENVALUES = {0.004, 0.3, 20};

  private final double[] diagonal = new double[D];
  private final double[][] vectors = new double[EIGENVALUES.length][D];
  private final LowRankFactor factor;
  private final double[] precision = new double[D * D];
  private final LaplaceApproximation dense;

  LowRankFactorTest() {
    SplittableRandom random = new SplittableRandom(3);
    Arrays.setAll(diagonal, j -> Math.exp(6 * random.nextDouble() - 3));
    for (int k = 0; k < vectors.length; k++) {
      double[] v = vectors[k];
      Arrays.setAll(v, j -> random.nextDouble() - 0.5);
      for (int l = 0; l < k; l++) {
        double product = dot(v, vectors[l]);
        for (int j = 0; j < D; j++) {
          v[j] -= product * vectors[l][j];
        }
      }
      double norm = Math.sqrt(dot(v, v));
      Arrays.setAll(v, j -> v[j] / norm);
    }
    factor = new LowRankFactor(diagonal, EIGENVALUES, vectors);
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        double sum = i == j ? 1 : 0;
        for (int k = 0; k < vectors.length; k++) {
          sum += (EIGENVALUES[k] - 1) * vectors[k][i] * vectors[k][j];
        }
        precision[i * D + j] = Math.sqrt(diagonal[i]) * sum * Math.sqrt(diagonal[j]);
      }
    }
    double[] covariance = Cholesky.scaled(precision, D).orElseThrow().inverse();
    dense = new LaplaceApproximation(new double[D], covariance);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += a[j] * b[j];
    }
    return sum;
  }

  private static double[] unit(int j) {
    double[] unit = new double[D];
    unit[j] = 1;
    return unit;
  }

  @Test
  void theFactorTimesItsTransposeIsTheCovariance() {
    for (int j = 0; j < D; j++) {
      double[] column = new double[D];
      factor.addTo(factor.transposed(unit(j)), 1, column);
      for (int i = 0; i < D; i++) {
        double scale = dense.sd(i) * dense.sd(j);
        assertEquals(dense.covariance()[i * D + j] / scale, column[i] / scale, 1e-10);
      }
    }
  }

  @Test
  void theTransposeAndTheInverseAreThoseOfTheFactor() {
    SplittableRandom random = new SplittableRandom(4);
    double[] z = random.doubles(D).toArray();
    double[] v = random.doubles(D).toArray();
    double[] lz = new double[D];
    factor.addTo(z, 1, lz);
    assertEquals(dot(v, lz), dot(factor.transposed(v), z), 1e-9 * Math.abs(dot(v, lz)));
    double[] twice = new double[D];
    factor.addTo(z, -2, twice);
    for (int j = 0; j < D; j++) {
      assertEquals(-2 * lz[j], twice[j], 1e-12 * Math.abs(lz[j]));
    }
    factor.solve(lz);
    assertArrayEquals(z, lz, 1e-11);
  }

  @Test
  void lengthsVariancesAndTheDeterminantAreThoseOfTheCovariance() {
    LaplaceApproximation laplace = new LaplaceApproximation(new double[D], factor);
    double[] theta = new SplittableRandom(5).doubles(D).toArray();
    assertEquals(dense.distance(theta), laplace.distance(theta), 1e-10 * dense.distance(theta));
    for (int j = 0; j < D; j++) {
      assertEquals(dense.sd(j), laplace.sd(j), 1e-10 * dense.sd(j));
    }
    double expected = -Cholesky.scaled(precision, D).orElseThrow().logDeterminant();
    assertEquals(expected, factor.logDeterminant(), 1e-10);
    assertEquals(expected, dense.factor().logDeterminant(), 1e-9);
    for (DataBlock block : RandomBlocks.inEveryLayout(6, 12, D)) {
      assertArrayEquals(dense.sds(block), laplace.sds(block), 1e-8);
    }
  }

  /** Stretched by C along its directions: (I + V(C − I)Vᵀ) between L and its transpose. */
  @Test
  void stretchedAlongItsDirections() {
    double[] stretch = {2, 0, 0, 0.5, 1, 0, -0.3, 0.2, 1.5};
    double[][] covariance = new double[D][];
    for (int j = 0; j < D; j++) {
      double[] u = factor.transposed(unit(j));
      double[] along = factor.pliable(u);
      for (int k = 0; k < 3; k++) {
        double to = -along[k];
        for (int l = k; l < 3; l++) {
          to += stretch[l * 3 + k] * along[l];
        }
        for (int i = 0; i < D; i++) {
          u[i] += to * vectors[k][i];
        }
      }
      covariance[j] = u;
    }
    Factor stretched = factor.stretched(stretch);
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        double scale = Math.sqrt(stretched.variance(i) * stretched.variance(j));
        double found = dot(stretched.transposed(unit(i)), stretched.transposed(unit(j)));
        assertEquals(dot(covariance[i], covariance[j]) / scale, found / scale, 1e-9);
      }
    }
  }

  @Test
  void aMatrixIsNotMadeOfIt() {
    LaplaceApproximation laplace = new LaplaceApproximation(new double[D], factor);
    assertThrows(IllegalStateException.class, laplace::covariance);
    assertThrows(IllegalStateException.class, laplace::lower);
  }

  @Test
  void whatIsNoCovarianceIsRefused() {
    double[][] skew = Arrays.stream(vectors).map(double[]::clone).toArray(double[][]::new);
    skew[1] = skew[0];
    assertThrows(
        IllegalArgumentException.class, () -> new LowRankFactor(diagonal, EIGENVALUES, skew));
    assertThrows(
        IllegalArgumentException.class,
        () -> new LowRankFactor(diagonal, new double[] {0, 0.3, 20}, vectors));
  }
}
