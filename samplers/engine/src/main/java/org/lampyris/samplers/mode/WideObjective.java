package org.lampyris.samplers.mode;

import java.util.List;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;

/**
 * Log-likelihood of a whole table with too many coefficients for d × d matrices: its derivatives,
 * and products with its Hessian, by passes over the data.
 */
public interface WideObjective {
  /** Returns Σ_n ℓ_n(θ) and its derivatives: one pass. θ is neither modified nor kept. */
  DiagonalSum evaluate(double[] theta);

  /**
   * Returns Σ_n ∇²ℓ_n(θ)v_k for several vectors: one pass.
   *
   * @param vectors v_1 … v_count, d × count: the elements of a coefficient lie side by side. Not
   *     modified.
   * @return the products, likewise
   */
  double[] products(double[] theta, int count, double[] vectors);

  /**
   * Σ_n ℓ_n(θ), natural log, its gradient, and the diagonal of its Hessian.
   *
   * @param gradient d elements; not copied
   * @param diagonal d elements; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record DiagonalSum(double value, double[] gradient, double[] diagonal) {
    /** Returns the number of packed values in d dimensions. */
    public static int packedLength(int dimension) {
      return 1 + 2 * dimension;
    }

    /** Adds a block's share at θ, which is not modified, to a packed sum. Modified. */
    public static void addTo(Model model, double[] theta, DataBlock block, double[] packed) {
      int d = model.dimension();
      double[] gradient = new double[d];
      double[] diagonal = new double[d];
      packed[0] += model.addDiagonals(block, theta, gradient, diagonal);
      for (int j = 0; j < d; j++) {
        packed[1 + j] += gradient[j];
        packed[1 + d + j] += diagonal[j];
      }
    }

    /** Returns a packed sum, times a factor. */
    public static DiagonalSum of(double[] packed, double factor) {
      int d = packed.length / 2;
      double[] gradient = new double[d];
      double[] diagonal = new double[d];
      for (int j = 0; j < d; j++) {
        gradient[j] = factor * packed[1 + j];
        diagonal[j] = factor * packed[1 + d + j];
      }
      return new DiagonalSum(factor * packed[0], gradient, diagonal);
    }
  }

  /** Returns the log-likelihood of blocks in memory, times a factor: see {@link Objective#of}. */
  static WideObjective of(List<? extends DataBlock> blocks, Model model, double factor) {
    int d = model.dimension();
    return new WideObjective() {
      @Override
      public DiagonalSum evaluate(double[] theta) {
        int length = DiagonalSum.packedLength(d);
        TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
        for (DataBlock block : blocks) {
          double[] packed = new double[length];
          DiagonalSum.addTo(model, theta, block, packed);
          sum.add(block.id(), packed);
        }
        return DiagonalSum.of(TreeSum.total(sum.nodes(), length), factor);
      }

      @Override
      public double[] products(double[] theta, int count, double[] vectors) {
        TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
        for (DataBlock block : blocks) {
          double[] products = new double[d * count];
          model.addHessianProducts(block, theta, count, vectors, products);
          sum.add(block.id(), products);
        }
        double[] total = TreeSum.total(sum.nodes(), d * count);
        for (int i = 0; i < total.length; i++) {
          total[i] *= factor;
        }
        return total;
      }
    };
  }

  /**
   * Returns this log-likelihood as a function of γ = Aθ, whose intercepts are η at another point of
   * the columns: see {@link Objective#about}. The diagonal of A⁻ᵀHA⁻¹ takes the intercepts' rows of
   * H, another pass.
   */
  default WideObjective about(InterceptShift point) {
    WideObjective stored = this;
    return new WideObjective() {
      @Override
      public DiagonalSum evaluate(double[] gamma) {
        double[] theta = point.toStored(gamma);
        DiagonalSum sum = stored.evaluate(theta);
        int[] intercepts = point.intercepts();
        int count = intercepts.length;
        double[] units = new double[theta.length * count];
        for (int p = 0; p < count; p++) {
          units[intercepts[p] * count + p] = 1;
        }
        double[] diagonal = sum.diagonal();
        point.diagonalToPoint(diagonal, stored.products(theta, count, units));
        double[] gradient = sum.gradient();
        point.gradientToPoint(gradient);
        return new DiagonalSum(sum.value(), gradient, diagonal);
      }

      @Override
      public double[] products(double[] gamma, int count, double[] vectors) {
        double[] at = new double[vectors.length];
        for (int k = 0; k < count; k++) {
          put(point.toStored(column(vectors, count, k)), at, count, k);
        }
        double[] products = stored.products(point.toStored(gamma), count, at);
        for (int k = 0; k < count; k++) {
          double[] product = column(products, count, k);
          point.gradientToPoint(product);
          put(product, products, count, k);
        }
        return products;
      }
    };
  }

  private static double[] column(double[] vectors, int count, int k) {
    double[] column = new double[vectors.length / count];
    for (int j = 0; j < column.length; j++) {
      column[j] = vectors[j * count + k];
    }
    return column;
  }

  private static void put(double[] column, double[] vectors, int count, int k) {
    for (int j = 0; j < column.length; j++) {
      vectors[j * count + k] = column[j];
    }
  }
}
