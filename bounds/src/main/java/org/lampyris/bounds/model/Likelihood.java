package org.lampyris.bounds.model;

import java.io.Serializable;
import java.util.Optional;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Log-likelihood of a row as a function of one linear predictor η = x_nᵀθ and its response, natural
 * log, with derivatives in η. Methods take one row, or the rows of a tile at once, where values and
 * derivatives may share exponentials.
 *
 * <p>The rows of a tile are n = from … to − 1 of a block, and {@code eta} holds their η_n, offsets
 * included, at {@code [n − from]}. It is modified by {@link #slopes} only.
 */
public interface Likelihood extends LengthScale, Expense, Serializable {
  /** Returns log L(η; y) of the response y. */
  double logLikelihood(double eta, double y);

  /**
   * Returns the size of the largest term in log L(η; y), natural log: its rounding error is a few
   * units in the last place of this number. The default is |log L|; override it if terms cancel.
   */
  default double largestTerm(double eta, double y) {
    return Math.abs(logLikelihood(eta, y));
  }

  /** Returns d log L(η; y) / dη. */
  double derivative(double eta, double y);

  /** Returns d² log L(η; y) / dη². */
  double secondDerivative(double eta, double y);

  /**
   * Returns whether log L(·; y) is known to be concave in η, for every response y. The posterior's
   * mode is then unique, if the prior is also log-concave. False, unless overridden: not known.
   */
  default boolean isConcave() {
    return false;
  }

  /** Returns Σ_n w_n · log L(η_n; y_n) over the rows. */
  default double sum(DataBlock block, int from, int to, double[] eta) {
    double sum = 0;
    for (int row = from; row < to; row++) {
      sum += block.weight(row) * logLikelihood(eta[row - from], block.response(row));
    }
    return sum;
  }

  /** Replaces η_n by w_n · d log L/dη and returns Σ_n w_n · log L(η_n; y_n). */
  default double slopes(DataBlock block, int from, int to, double[] eta) {
    double sum = 0;
    for (int row = from; row < to; row++) {
      double at = eta[row - from];
      double y = block.response(row);
      double w = block.weight(row);
      sum += w * logLikelihood(at, y);
      eta[row - from] = w * derivative(at, y);
    }
    return sum;
  }

  /**
   * Writes w_n · d² log L/dη².
   *
   * @param curvature one element for every row of the block; elements {@code [from … to − 1]} are
   *     written. Modified.
   */
  default void curvatures(DataBlock block, int from, int to, double[] eta, double[] curvature) {
    for (int row = from; row < to; row++) {
      curvature[row] = block.weight(row) * secondDerivative(eta[row - from], block.response(row));
    }
  }

  /**
   * Replaces η_n by w_n · d log L/dη, and writes w_n · log L and w_n · d² log L/dη².
   *
   * @param value row n's is written to {@code value[n − from]}. Modified.
   * @param curvature written likewise. Modified.
   */
  default void derivatives(
      DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
    for (int row = from; row < to; row++) {
      double at = eta[row - from];
      double y = block.response(row);
      double w = block.weight(row);
      value[row - from] = w * logLikelihood(at, y);
      curvature[row - from] = w * secondDerivative(at, y);
      eta[row - from] = w * derivative(at, y);
    }
  }

  /**
   * Returns a bound on |dᵏ log L(η; y) / dηᵏ| for every η between two ends, possibly infinite, for
   * k = 2 and 3. It bounds the remainder of a Taylor expansion of order k − 1. The default is +∞,
   * for no known bound.
   *
   * @param order k, 2 or 3
   */
  default double derivativeBound(int order, double y, double low, double high) {
    return Double.POSITIVE_INFINITY;
  }

  /** Returns which rows share {@link #derivativeBound}; empty if it is cheap. */
  default Optional<Alike> alike() {
    return Optional.empty();
  }
}
