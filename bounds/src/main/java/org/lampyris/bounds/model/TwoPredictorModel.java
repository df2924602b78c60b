package org.lampyris.bounds.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;

/**
 * Model with θ = (β, γ), whose rows depend on two linear predictors, η_n = x_nᵀβ + o_n and, for the
 * logarithm or logit of a second parameter, τ_n = z_nᵀγ: ℓ_n(θ) = w_n · log L(η_n, τ_n; y_n),
 * natural log. x_n and z_n are columns of the row, which may share some.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian, which a block pass builds
 * from three weighted Gram matrices of D columns. Source: Rigby and Stasinopoulos (2005),
 * "Generalized additive models for location, scale and shape", section 2.
 */
public final class TwoPredictorModel implements Model {
  private final DispersedLikelihood likelihood;
  private final Predictors predictors;

  /** Takes log L and the columns of η and of τ. */
  public TwoPredictorModel(DispersedLikelihood likelihood, Predictors predictors) {
    if (predictors.count() != 2) {
      throw new IllegalArgumentException(predictors.count() + " predictors");
    }
    this.likelihood = Objects.requireNonNull(likelihood);
    this.predictors = predictors;
  }

  /** Returns log L, for a row of weight 1. */
  public DispersedLikelihood likelihood() {
    return likelihood;
  }

  @Override
  public int dimension() {
    return predictors.coefficients();
  }

  /** {@inheritDoc} Here η without its offset, and τ. */
  @Override
  public int functionals() {
    return 2;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return predictors.dot(block, row, k, u, from);
  }

  private double eta(DataBlock block, int row, double[] theta) {
    return functional(block, row, 0, theta, 0) + block.offset(row);
  }

  private DispersedLikelihood.At at(DataBlock block, int row, double[] theta) {
    return likelihood.at(functional(block, row, 1, theta, 0));
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    return block.weight(row)
        * at(block, row, theta).logLikelihood(eta(block, row, theta), block.response(row));
  }

  @Override
  public double largestTerm(DataBlock block, int row, double[] theta) {
    return block.weight(row)
        * at(block, row, theta).largestTerm(eta(block, row, theta), block.response(row));
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double[] out = new double[5];
    double w = block.weight(row);
    double value =
        at(block, row, theta).derivatives(eta(block, row, theta), block.response(row), out);
    predictors.addScaled(block, row, 0, w * out[0], gradient);
    predictors.addScaled(block, row, 1, w * out[1], gradient);
    return w * value;
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    double[][] full = new double[2 * thetas.length][];
    Arrays.setAll(full, i -> predictors.full(i % 2, thetas[i / 2], 0));
    double[][] slopes = gradients == null ? null : new double[full.length][predictors.width()];
    double[] out = new double[5];
    block.pass(
        full,
        new int[full.length],
        (from, to, products) -> {
          for (int k = 0; k < thetas.length; k++) {
            double[] eta = products[2 * k];
            double[] tau = products[2 * k + 1];
            double value = 0;
            for (int row = from; row < to; row++) {
              int i = row - from;
              double w = block.weight(row);
              double y = block.response(row);
              double own = eta[i] + block.offset(row);
              DispersedLikelihood.At at = likelihood.at(tau[i]);
              if (gradients == null) {
                value += w * at.logLikelihood(own, y);
              } else {
                value += w * at.derivatives(own, y, out);
                eta[i] = w * out[0];
                tau[i] = w * out[1];
              }
            }
            sums[k] += value;
          }
        },
        slopes);
    for (int i = 0; gradients != null && slopes != null && i < slopes.length; i++) {
      predictors.addFull(i % 2, slopes[i], gradients[i / 2]);
    }
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    return addHessians(block.select(new int[] {row}), theta, gradient, hessian);
  }

  /**
   * Adds the derivatives in θ.
   *
   * @param second w·∂²η, w·∂η∂τ and w·∂²τ of every row are written here. Modified.
   */
  private double addSlopes(DataBlock block, double[] theta, double[] gradient, double[][] second) {
    double[][] slopes = new double[2][predictors.width()];
    double[] out = new double[5];
    double[] sum = new double[1];
    block.pass(
        new double[][] {predictors.full(0, theta, 0), predictors.full(1, theta, 0)},
        new int[2],
        (from, to, products) -> {
          for (int row = from; row < to; row++) {
            int i = row - from;
            double w = block.weight(row);
            double own = products[0][i] + block.offset(row);
            sum[0] += w * likelihood.at(products[1][i]).derivatives(own, block.response(row), out);
            for (int k = 0; k < 2; k++) {
              products[k][i] = w * out[k];
            }
            for (int k = 0; k < 3; k++) {
              second[k][row] = w * out[2 + k];
            }
          }
        },
        slopes);
    predictors.addFull(0, slopes[0], gradient);
    predictors.addFull(1, slopes[1], gradient);
    return sum[0];
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    double[][] second = new double[3][block.rows()];
    double sum = addSlopes(block, theta, gradient, second);
    int d = dimension();
    addTiles(block, predictors, second, (i, j, value) -> hessian[i * d + j] += value);
    return sum;
  }

  /** Takes an element of a symmetric matrix, j ≤ i. */
  @FunctionalInterface
  public interface Elements {
    /** Adds a number to the element (i, j). */
    void add(int i, int j, double value);
  }

  /**
   * Adds Σ_n (a_n x_n x_nᵀ, b_n x_n z_nᵀ; b_n z_n x_nᵀ, c_n z_n z_nᵀ), the lower triangle of a
   * matrix d × d.
   *
   * @param factors a, b and c, of every row. Not modified.
   */
  public static void addTiles(
      DataBlock block, Predictors predictors, double[][] factors, Elements to) {
    int width = predictors.width();
    for (int k = 0; k < factors.length; k++) {
      double[] gram = new double[width * width];
      block.addOuters(factors[k], gram);
      int p = k == 0 ? 0 : 1;
      int q = k == 2 ? 1 : 0;
      int[] rows = predictors.columns(p);
      int[] columns = predictors.columns(q);
      for (int i = 0; i < rows.length; i++) {
        int end = p == q ? i + 1 : columns.length;
        for (int j = 0; j < end; j++) {
          int high = Math.max(rows[i], columns[j]);
          int low = Math.min(rows[i], columns[j]);
          to.add(predictors.start(p) + i, predictors.start(q) + j, gram[high * width + low]);
        }
      }
    }
  }

  @Override
  public double addDiagonals(
      DataBlock block, double[] theta, double[] gradient, double[] diagonal) {
    double[][] second = new double[3][block.rows()];
    double sum = addSlopes(block, theta, gradient, second);
    for (int p = 0; p < 2; p++) {
      double[] squares = new double[predictors.width()];
      block.addSquares(second[2 * p], squares, 0);
      predictors.addFull(p, squares, diagonal);
    }
    return sum;
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double eta = eta(block, row, center);
    double tau = functional(block, row, 1, center, 0);
    double u = eta(block, row, theta) - eta;
    double v = functional(block, row, 1, theta, 0) - tau;
    return block.weight(row)
        * DispersedModel.taylor(likelihood.at(tau), eta, block.response(row), order, u, v);
  }

  /** {@inheritDoc} As {@link DispersedModel#derivativeBound}. */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    double[] at = {eta(block, row, center), functional(block, row, 1, center, 0)};
    return block.weight(row)
        * DispersedModel.derivativeBound(
            likelihood, at, block.response(row), order, spread, radius);
  }
}
