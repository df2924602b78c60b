package org.lampyris.samplers.selection;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/**
 * The Laplace approximation of the model with all features, restricted to those where some elements
 * of θ are 0: with the precision P and the mode θ̂, log π(θ) ≈ −½(θ − θ̂)ᵀP(θ − θ̂) is, of the
 * elements I that are there, that of a normal density with the precision P_II and the mean P_II⁻¹
 * (Pθ̂)_I.
 *
 * @param dimension the length of θ
 * @param precision P, row-major
 * @param linear Pθ̂
 */
record Submodels(int dimension, double[] precision, double[] linear) implements Serializable {
  /** Inverts the covariance. Cost O(d³). */
  static Submodels of(LaplaceApproximation laplace) {
    int d = laplace.dimension();
    double[] precision = factor(laplace.covariance(), d).inverse();
    double[] linear = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        linear[i] += precision[i * d + j] * laplace.mode()[j];
      }
    }
    return new Submodels(d, precision, linear);
  }

  private static Cholesky factor(double[] matrix, int size) {
    return Cholesky.scaled(matrix, size)
        .orElseThrow(() -> new IllegalStateException("a precision that is not positive definite"));
  }

  /**
   * Returns θ taken to the model of some features: 0 where others are, and what is there moved as
   * the approximation's mean of it is by that, P_II⁻¹P_IE·θ_E. θ is not modified.
   */
  double[] taken(double[] theta, Features features, boolean[] in) {
    boolean[] absent = features.absent(in);
    int[] present = features.present(in);
    double[] pull = new double[present.length];
    for (int i = 0; i < pull.length; i++) {
      for (int e = 0; e < dimension; e++) {
        pull[i] += absent[e] ? precision[present[i] * dimension + e] * theta[e] : 0;
      }
    }
    double[] moved = new double[dimension];
    double[] by =
        present.length == 0 ? pull : factor(block(present, present), present.length).solve(pull);
    for (int i = 0; i < present.length; i++) {
      moved[present[i]] = theta[present[i]] + by[i];
    }
    return moved;
  }

  /** Returns P_ab, row-major. */
  private double[] block(int[] rows, int[] columns) {
    double[] block = new double[rows.length * columns.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < columns.length; j++) {
        block[i * columns.length + j] = precision[rows[i] * dimension + columns[j]];
      }
    }
    return block;
  }

  /** Returns the approximation of the elements that are there. Cost O(|I|³). */
  LaplaceApproximation of(int[] present) {
    Cholesky factor = factor(block(present, present), present.length);
    return new LaplaceApproximation(factor.solve(linear(present)), factor.inverse());
  }

  private double[] linear(int[] elements) {
    return Arrays.stream(elements).mapToDouble(j -> linear[j]).toArray();
  }

  /**
   * Returns what is to be known of elements that enter a model. Cost O(|I|³).
   *
   * @param present I, the elements that are there
   * @param entering those that are not, and enter
   */
  Entry entry(int[] present, int[] entering) {
    int k = present.length;
    int g = entering.length;
    double[] schur = block(entering, entering);
    double[] right = linear(entering);
    double[][] slopes = new double[g][];
    double[] ofPresent = linear(present);
    Cholesky factor = k == 0 ? null : factor(block(present, present), k);
    for (int b = 0; b < g; b++) {
      double[] cross = block(present, new int[] {entering[b]});
      slopes[b] = factor == null ? cross : factor.solve(cross);
      right[b] -= dot(slopes[b], ofPresent);
    }
    for (int a = 0; a < g; a++) {
      double[] cross = block(present, new int[] {entering[a]});
      for (int b = 0; b < g; b++) {
        schur[a * g + b] -= dot(cross, slopes[b]);
      }
    }
    Cholesky inner = factor(schur, g);
    LaplaceApproximation marginal = new LaplaceApproximation(inner.solve(right), inner.inverse());
    return new Entry(present, entering, slopes, marginal);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
