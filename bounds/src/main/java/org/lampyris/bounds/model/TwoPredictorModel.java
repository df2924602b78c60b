package org.lampyris.bounds.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;

/**
 * Model with θ = (β, γ, τ), whose rows depend on two linear predictors, η_n = x_nᵀβ + o_n and, for
 * the logarithm or logit of a second parameter, z_nᵀγ, and on logarithms τ of further parameters
 * that all rows share, if any: ℓ_n(θ) = w_n · log L(η_n, z_nᵀγ, τ; y_n), natural log. x_n and z_n
 * are columns of the row, which may share some.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian, which a block pass builds
 * from three weighted Gram matrices of D columns. Source: Rigby and Stasinopoulos (2005),
 * "Generalized additive models for location, scale and shape", section 2.
 */
public final class TwoPredictorModel implements Model {
  private final JointLikelihood likelihood;
  private final Predictors predictors;
  private final int count;

  /** Takes log L and the columns of η and of the first of its parameters. */
  public TwoPredictorModel(JointLikelihood likelihood, Predictors predictors) {
    if (predictors.count() != 2) {
      throw new IllegalArgumentException(predictors.count() + " predictors");
    }
    this.likelihood = Objects.requireNonNull(likelihood);
    this.predictors = predictors;
    this.count = 1 + likelihood.parameters();
  }

  /**
   * Returns log L at the parameters of a draw of θ, for a row of weight 1.
   *
   * @param second z_nᵀγ
   */
  public JointLikelihood.At at(double second, double[] theta) {
    double[] tau = new double[count - 1];
    tau[0] = second;
    System.arraycopy(theta, predictors.coefficients(), tau, 1, count - 2);
    return likelihood.at(tau);
  }

  @Override
  public double expense() {
    return likelihood.expense();
  }

  @Override
  public int dimension() {
    return predictors.coefficients() + count - 2;
  }

  /** {@inheritDoc} Here η without its offset, then the parameters. */
  @Override
  public int functionals() {
    return count;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return functional(predictors, block, row, k, u, from);
  }

  /** Returns a linear predictor without its offset, or else a shared parameter. */
  public static double functional(
      Predictors predictors, DataBlock block, int row, int k, double[] u, int from) {
    return k < predictors.count()
        ? predictors.dot(block, row, k, u, from)
        : u[from + predictors.coefficients() + k - predictors.count()];
  }

  private double eta(DataBlock block, int row, double[] theta) {
    return functional(block, row, 0, theta, 0) + block.offset(row);
  }

  private JointLikelihood.At at(DataBlock block, int row, double[] theta) {
    return at(functional(block, row, 1, theta, 0), theta);
  }

  private double[] derivatives() {
    return new double[JointLikelihood.slopes(count)];
  }

  private void addShared(double w, double[] derivatives, double[] gradient) {
    for (int k = 2; k < count; k++) {
      gradient[predictors.coefficients() + k - 2] += w * derivatives[k];
    }
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
    double[] out = derivatives();
    double w = block.weight(row);
    double value = at(block, row, theta).gradient(eta(block, row, theta), block.response(row), out);
    predictors.addScaled(block, row, 0, w * out[0], gradient);
    predictors.addScaled(block, row, 1, w * out[1], gradient);
    addShared(w, out, gradient);
    return w * value;
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    double[][] full = new double[2 * thetas.length][];
    Arrays.setAll(full, i -> predictors.full(i % 2, thetas[i / 2], 0));
    double[][] slopes = gradients == null ? null : new double[full.length][predictors.width()];
    double[] out = derivatives();
    block.pass(
        full,
        new int[full.length],
        (from, to, products) -> {
          for (int k = 0; k < thetas.length; k++) {
            double[] eta = products[2 * k];
            double[] second = products[2 * k + 1];
            double value = 0;
            for (int row = from; row < to; row++) {
              int i = row - from;
              double w = block.weight(row);
              double y = block.response(row);
              double own = eta[i] + block.offset(row);
              JointLikelihood.At at = at(second[i], thetas[k]);
              if (gradients == null) {
                value += w * at.logLikelihood(own, y);
              } else {
                value += w * at.gradient(own, y, out);
                eta[i] = w * out[0];
                second[i] = w * out[1];
                addShared(w, out, gradients[k]);
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
   * @param second w times the second derivatives of every row, in the order of {@link
   *     JointLikelihood}, are written here. Modified.
   */
  private double addSlopes(DataBlock block, double[] theta, double[] gradient, double[][] second) {
    double[][] slopes = new double[2][predictors.width()];
    double[] out = derivatives();
    double[] sum = new double[1];
    block.pass(
        new double[][] {predictors.full(0, theta, 0), predictors.full(1, theta, 0)},
        new int[2],
        (from, to, products) -> {
          for (int row = from; row < to; row++) {
            int i = row - from;
            double w = block.weight(row);
            double own = products[0][i] + block.offset(row);
            sum[0] += w * at(products[1][i], theta).derivatives(own, block.response(row), out);
            products[0][i] = w * out[0];
            products[1][i] = w * out[1];
            addShared(w, out, gradient);
            for (int k = 0; k < second.length; k++) {
              second[k][row] = w * out[count + k];
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
    double[][] second = new double[count * (count + 1) / 2][block.rows()];
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
   * Adds Σ_n Σ_kl a_nkl v_nk v_nlᵀ, the lower triangle of a matrix d × d, where v_nk is the
   * gradient of the functional k of the row n: its columns, or a unit vector.
   *
   * @param factors a_kl of every row, k ≤ l. Not modified.
   */
  public static void addTiles(
      DataBlock block, Predictors predictors, double[][] factors, Elements to) {
    int width = predictors.width();
    int linear = predictors.count();
    int count = (int) Math.round(Math.sqrt(2 * factors.length + 0.25) - 0.5);
    for (int q = 0; q < count; q++) {
      for (int p = q; p < count; p++) {
        double[] factor = factors[JointLikelihood.place(count, q, p) - count];
        if (p >= linear) {
          int at = predictors.coefficients() + p - linear;
          double[] row = new double[at + 1];
          addRow(block, predictors, factor, q, row);
          for (int j = 0; j <= at; j++) {
            to.add(at, j, row[j]);
          }
          continue;
        }
        double[] gram = new double[width * width];
        block.addOuters(factor, gram);
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
  }

  /** Adds Σ_n a_n v_nq. */
  private static void addRow(
      DataBlock block, Predictors predictors, double[] factor, int q, double[] to) {
    for (int n = 0; n < block.rows(); n++) {
      if (q < predictors.count()) {
        predictors.addScaled(block, n, q, factor[n], to);
      } else {
        to[predictors.coefficients() + q - predictors.count()] += factor[n];
      }
    }
  }

  @Override
  public double addDiagonals(
      DataBlock block, double[] theta, double[] gradient, double[] diagonal) {
    double[][] second = new double[count * (count + 1) / 2][block.rows()];
    double sum = addSlopes(block, theta, gradient, second);
    for (int p = 0; p < count; p++) {
      double[] own = second[JointLikelihood.place(count, p, p) - count];
      if (p < 2) {
        double[] squares = new double[predictors.width()];
        block.addSquares(own, squares, 0);
        predictors.addFull(p, squares, diagonal);
      } else {
        addRow(block, predictors, own, p, diagonal);
      }
    }
    return sum;
  }

  /** Returns η and the parameters. */
  private double[] numbers(DataBlock block, int row, double[] theta) {
    double[] numbers = new double[count];
    Arrays.setAll(numbers, k -> functional(block, row, k, theta, 0));
    numbers[0] += block.offset(row);
    return numbers;
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double[] at = numbers(block, row, center);
    double[] to = numbers(block, row, theta);
    return block.weight(row)
        * DispersedModel.taylor(likelihood, at, block.response(row), order, to);
  }

  /** {@inheritDoc} As {@link DispersedModel#derivativeBound}. */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    return block.weight(row)
        * DispersedModel.derivativeBound(
            likelihood, numbers(block, row, center), block.response(row), order, spread, radius);
  }
}
