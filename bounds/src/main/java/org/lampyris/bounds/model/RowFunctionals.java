package org.lampyris.bounds.model;

import java.io.Serializable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Linear functionals of θ that a row depends on: ℓ_n(θ) is a function of v_1ᵀθ, …, v_Pᵀθ, and the
 * vectors v_k may differ between rows. A regression has one, v_1 = x_n; a softmax regression one
 * for each class.
 *
 * <p>If θ is normal, so are the functionals: an expectation over θ is an integral in P dimensions.
 * Without further knowledge the functionals are the elements of θ themselves.
 */
public interface RowFunctionals extends Serializable {
  /** Returns how many elements θ has. */
  int dimension();

  /** Returns P, how many linear functionals of θ a row depends on. */
  default int functionals() {
    return dimension();
  }

  /**
   * Returns v_kᵀu for k from 0, u being the {@code dimension()} elements of an array from {@code
   * from} on. It is not modified.
   */
  default double functional(DataBlock block, int row, int k, double[] u, int from) {
    return u[from + k];
  }

  /**
   * Returns v_kᵀSv_l of a row's functionals, P × P, row-major. Cost O(Pd²).
   *
   * @param symmetric S, row-major d × d with d = {@code dimension()}. Not modified.
   */
  default double[] spread(DataBlock block, int row, double[] symmetric) {
    int d = dimension();
    int p = functionals();
    double[] spread = new double[p * p];
    double[] w = new double[d];
    for (int k = 0; k < p; k++) {
      for (int i = 0; i < d; i++) {
        w[i] = functional(block, row, k, symmetric, i * d);
      }
      for (int l = 0; l <= k; l++) {
        double value = functional(block, row, l, w, 0);
        spread[k * p + l] = value;
        spread[l * p + k] = value;
      }
    }
    return spread;
  }
}
