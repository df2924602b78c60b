package org.lampyris.samplers.minibatch;

import java.util.Arrays;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.Model;

/**
 * Σ_n ∇ℓ_n(θ_1) − ∇ℓ_n(θ_2) over a batch, or Σ_n ∇ℓ_n(θ) of one point.
 *
 * @param thetas θ_1 and perhaps θ_2; not copied
 */
public record BatchGradient(Model model, double[]... thetas) implements RowTerm {
  @Override
  public int length() {
    return model.dimension();
  }

  @Override
  public void addTo(DataBlock block, int[] rows, double[] out) {
    double[][] gradients = new double[thetas.length][model.dimension()];
    model.addGradients(block.select(rows), thetas, new double[thetas.length], gradients);
    double[] minus = thetas.length == 1 ? new double[out.length] : gradients[1];
    Arrays.setAll(out, j -> out[j] + (gradients[0][j] - minus[j]));
  }
}
