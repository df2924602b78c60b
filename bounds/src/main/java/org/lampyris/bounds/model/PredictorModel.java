package org.lampyris.bounds.model;

import org.lampyris.bounds.block.DataBlock;

/**
 * A model whose rows depend on θ through one linear predictor η_n = x_nᵀβ + o_n, β the first {@link
 * #columns} elements of θ, and through further elements that all rows share, if there are any. So
 * more can be added to the predictor than the table's columns and offsets say.
 *
 * <p>The rows of a tile are n = from … to − 1 of a block, and {@code eta} holds their η_n at {@code
 * [n − from]}, as in {@link Likelihood}.
 */
public interface PredictorModel extends Model {
  /** Returns D, how many elements of θ are coefficients. */
  int columns();

  /** Returns log L as a function of η, the further elements of θ as they are there. */
  Likelihood given(double[] theta);

  /**
   * Adds the derivatives of Σ_n w_n · log L in the further elements of θ.
   *
   * @param gradient of θ; its elements from {@link #columns} on are added to. Modified.
   */
  default void addShared(
      DataBlock block, int from, int to, double[] theta, double[] eta, double[] gradient) {}
}
