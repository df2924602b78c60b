package org.lampyris.samplers.selection;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/**
 * Laplace approximation of the model with all features, restricted to submodels in which some
 * elements of θ are 0. With the precision P and the mode θ̂, log π(θ) ≈ −½(θ − θ̂)ᵀP(θ − θ̂). On
 * the present elements I this is a normal density with the precision P_II and the mean P_II⁻¹
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
        .orElseThrow(
            () -> new IllegalStateException("a precision matrix is not positive definite"));
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

  /** Returns the approximation of a model with some elements, ascending. Cost O(|I|³). */
  Submodel of(int[] present) {
    int k = present.length;
    return new Submodel(this, present, k == 0 ? null : factor(block(present, present), k));
  }

  /**
   * The approximation of one model.
   *
   * @param factor factor of P_II; null if nothing is present
   */
  record Submodel(Submodels all, int[] present, @Nullable Cholesky factor) {
    private double[] solve(double[] v) {
      return factor == null ? v : factor.solve(v);
    }

    /** Returns the density of the present elements, of which there is at least one. */
    LaplaceApproximation density() {
      return new LaplaceApproximation(
          solve(all.linear(present)), Objects.requireNonNull(factor).inverse());
    }

    /** Returns the move by which elements enter the model. Cost O(|I|²) for each. */
    Entry entry(int[] entering) {
      int g = entering.length;
      double[] schur = all.block(entering, entering);
      double[] right = all.linear(entering);
      double[][] slopes = new double[g][];
      double[] linear = all.linear(present);
      for (int b = 0; b < g; b++) {
        slopes[b] = solve(all.block(present, new int[] {entering[b]}));
        right[b] -= dot(slopes[b], linear);
      }
      for (int a = 0; a < g; a++) {
        double[] cross = all.block(present, new int[] {entering[a]});
        for (int b = 0; b < g; b++) {
          schur[a * g + b] -= dot(cross, slopes[b]);
        }
      }
      Cholesky inner = Submodels.factor(schur, g);
      return new Entry(
          present, entering, slopes, new LaplaceApproximation(inner.solve(right), inner.inverse()));
    }

    /**
     * Returns θ with its present elements shifted as their mean shifts if absent elements are 0
     * instead of θ_E: θ_I + P_II⁻¹P_IE·θ_E, and 0 elsewhere. θ is not modified.
     */
    double[] taken(double[] theta) {
      boolean[] there = new boolean[theta.length];
      for (int j : present) {
        there[j] = true;
      }
      int[] absent = Features.numbers(theta.length, j -> !there[j]);
      double[] pull = new double[present.length];
      for (int e : absent) {
        double[] cross = all.block(present, new int[] {e});
        for (int i = 0; i < pull.length; i++) {
          pull[i] += cross[i] * theta[e];
        }
      }
      double[] by = solve(pull);
      double[] moved = new double[theta.length];
      for (int i = 0; i < present.length; i++) {
        moved[present[i]] = theta[present[i]] + by[i];
      }
      return moved;
    }
  }

  private double[] linear(int[] elements) {
    return Arrays.stream(elements).mapToDouble(j -> linear[j]).toArray();
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
