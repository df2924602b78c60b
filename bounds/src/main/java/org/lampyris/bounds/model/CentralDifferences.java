package org.lampyris.bounds.model;

import org.lampyris.bounds.rows.DataBlock;

/** Products of a block's Hessian with vectors by central differences of its gradients. */
final class CentralDifferences {
  /**
   * Largest move of a functional of a row, such as η: truncation is about 1e-9 of the product,
   * rounding about 1e-12.
   */
  static final double REACH = 1e-4;

  private CentralDifferences() {}

  /** Adds the products: see {@link Model#addHessianProducts}. */
  static void addTo(
      Model model,
      DataBlock block,
      double[] theta,
      int count,
      double[] vectors,
      double[] products) {
    int d = model.dimension();
    double[] v = new double[d];
    for (int k = 0; k < count; k++) {
      for (int j = 0; j < d; j++) {
        v[j] = vectors[j * count + k];
      }
      double largest = largestMove(model, block, v);
      if (largest == 0) {
        continue;
      }
      double h = REACH / largest;
      double[][] around = new double[2][d];
      for (int j = 0; j < d; j++) {
        around[0][j] = theta[j] + h * v[j];
        around[1][j] = theta[j] - h * v[j];
      }
      double[][] gradients = new double[2][d];
      model.addGradients(block, around, new double[2], gradients);
      for (int j = 0; j < d; j++) {
        products[j * count + k] += (gradients[0][j] - gradients[1][j]) / (2 * h);
      }
    }
  }

  /** Returns by how much a functional of a row changes at most as θ moves by v. */
  private static double largestMove(Model model, DataBlock block, double[] v) {
    double largest = 0;
    for (int row = 0; row < block.rows(); row++) {
      for (int p = 0; p < model.functionals(); p++) {
        largest = Math.max(largest, Math.abs(model.functional(block, row, p, v, 0)));
      }
    }
    return largest;
  }
}
