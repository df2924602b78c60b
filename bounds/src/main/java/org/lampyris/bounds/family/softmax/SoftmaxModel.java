package org.lampyris.bounds.family.softmax;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.Softmax;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Softmax (multinomial logistic) regression with K classes: ℓ_n(θ) = w_n · (η_y − log Σ_k e^η_k),
 * natural log, with η_k = x_nᵀθ_k + o_n and the response y the index of the row's class, 0 … K − 1.
 *
 * <p>θ is class-major: θ_k = θ[k·D … k·D + D − 1]. If every class has coefficients, the data
 * determine only differences between classes, and the prior must be proper. If a reference class
 * has none, with η = 0, the others follow in order, and θ has (K − 1)·D elements.
 *
 * <p>With p = softmax(η): ∇ℓ = w·(e_y − p) ⊗ x and ∇²ℓ = −w·(diag p − ppᵀ) ⊗ xxᵀ. Accurate to a few
 * units in the last place at any η. Cost per row O(KD) for values and gradients, O(K²D²) for the
 * Hessian, which a block pass builds from K(K + 1)/2 weighted Gram matrices of D columns.
 *
 * <p>The row's offset o_n is added for every class but the reference class, as in brms. If every
 * class has coefficients, it cancels.
 */
public final class SoftmaxModel implements Model {
  /** In the place of a reference class: every class has coefficients. */
  public static final int NO_REFERENCE = -1;

  private final int columns;
  private final int classes;
  private final int reference;

  /**
   * Describes the model.
   *
   * @param columns D, how many features a row has
   * @param classes K, at least 2
   * @param reference the index of the class without coefficients, or {@link #NO_REFERENCE}
   */
  public SoftmaxModel(int columns, int classes, int reference) {
    if (columns < 1 || classes < 2 || reference < NO_REFERENCE || reference >= classes) {
      throw new IllegalArgumentException(
          columns + " columns, " + classes + " classes, reference class " + reference);
    }
    this.columns = columns;
    this.classes = classes;
    this.reference = reference;
  }

  /** Returns D. */
  public int columns() {
    return columns;
  }

  /** Returns K. */
  public int classes() {
    return classes;
  }

  /** Returns how many classes have coefficients. */
  @Override
  public int functionals() {
    return reference == NO_REFERENCE ? classes : classes - 1;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return block.dot(row, u, from + k * columns);
  }

  /** {@inheritDoc} Here log Σ exp is convex, and every logit linear in θ. */
  @Override
  public boolean isConcave() {
    return true;
  }

  @Override
  public double expense() {
    return 3.0 * classes;
  }

  @Override
  public int dimension() {
    return functionals() * columns;
  }

  /**
   * Returns the class whose coefficients come k-th in θ.
   *
   * @param k from 0 to {@link #functionals()} − 1
   */
  public int classAt(int k) {
    return reference == NO_REFERENCE || k < reference ? k : k + 1;
  }

  /** Returns η_k = x_nᵀθ_k + o_n for every class, 0 for the reference class. θ is not modified. */
  public double[] predictors(DataBlock block, int row, double[] theta) {
    double[] eta = new double[classes];
    for (int k = 0; k < functionals(); k++) {
      eta[classAt(k)] = functional(block, row, k, theta, 0) + block.offset(row);
    }
    return eta;
  }

  /** Returns the index of the row's class. */
  public int classOf(DataBlock block, int row) {
    return (int) block.response(row);
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    double[] eta = predictors(block, row, theta);
    int top = Softmax.largest(eta);
    double logSum = Softmax.logSum(eta, top);
    return block.weight(row) * (eta[classOf(block, row)] - eta[top] - logSum);
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double[][] eta = new double[functionals()][1];
    for (int k = 0; k < eta.length; k++) {
      eta[k][0] = functional(block, row, k, theta, 0);
    }
    double value = slopes(block, row, row + 1, eta, 0, null);
    for (int k = 0; k < eta.length; k++) {
      block.addScaled(row, eta[k][0], gradient, k * columns);
    }
    return value;
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    pass(block, thetas, sums, gradients, null);
  }

  /** Writes p, then 1 − p, of each row, for a single θ, unless it is null. */
  private void pass(
      DataBlock block,
      double[][] thetas,
      double[] sums,
      double @Nullable [][] gradients,
      double @Nullable [][] kept) {
    int functionals = functionals();
    double[][] vectors = new double[thetas.length * functionals][];
    double[][] out = gradients == null ? null : new double[vectors.length][];
    int[] starts = new int[vectors.length];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = thetas[i / functionals];
      starts[i] = i % functionals * columns;
      if (gradients != null && out != null) {
        out[i] = gradients[i / functionals];
      }
    }
    block.pass(
        vectors,
        starts,
        (from, to, predictors) -> {
          for (int m = 0; m < thetas.length; m++) {
            sums[m] += slopes(block, from, to, predictors, m * functionals, kept);
          }
        },
        out);
  }

  /** Replaces x_nᵀθ_k by w_n·∂log L/∂η_k, and returns Σ_n w_n·log L. */
  private double slopes(
      DataBlock block,
      int from,
      int to,
      double[][] predictors,
      int first,
      double @Nullable [][] kept) {
    double[] eta = new double[classes];
    double[] p = new double[classes];
    double[] complement = new double[classes];
    double sum = 0;
    for (int row = from; row < to; row++) {
      for (int k = 0; k < functionals(); k++) {
        eta[classAt(k)] = predictors[first + k][row - from] + block.offset(row);
      }
      int top = Softmax.largest(eta);
      double logSum = Softmax.probabilities(eta, top, p, complement);
      int y = classOf(block, row);
      double w = block.weight(row);
      for (int k = 0; k < functionals(); k++) {
        int c = classAt(k);
        predictors[first + k][row - from] = w * (c == y ? complement[c] : -p[c]);
      }
      if (kept != null) {
        kept[row] = Arrays.copyOf(p, 2 * classes);
        System.arraycopy(complement, 0, kept[row], classes, classes);
      }
      sum += w * (eta[y] - eta[top] - logSum);
    }
    return sum;
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    return addHessians(block.select(new int[] {row}), theta, gradient, hessian);
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    int rows = block.rows();
    double[][] at = new double[rows][];
    double[] sum = new double[1];
    pass(block, new double[][] {theta}, sum, new double[][] {gradient}, at);
    double[] scale = new double[rows];
    double[] gram = new double[columns * columns];
    for (int k = 0; k < functionals(); k++) {
      for (int l = 0; l <= k; l++) {
        for (int row = 0; row < rows; row++) {
          scale[row] = block.weight(row) * curvature(at[row], k, l);
        }
        Arrays.fill(gram, 0);
        block.addOuters(scale, gram);
        addTile(gram, k, l, hessian);
      }
    }
    return sum[0];
  }

  @Override
  public double addDiagonals(
      DataBlock block, double[] theta, double[] gradient, double[] diagonal) {
    int rows = block.rows();
    double[][] at = new double[rows][];
    double[] sum = new double[1];
    pass(block, new double[][] {theta}, sum, new double[][] {gradient}, at);
    double[] scale = new double[rows];
    for (int k = 0; k < functionals(); k++) {
      for (int row = 0; row < rows; row++) {
        scale[row] = block.weight(row) * curvature(at[row], k, k);
      }
      block.addSquares(scale, diagonal, k * columns);
    }
    return sum[0];
  }

  /**
   * Returns ∂² log L / ∂η_k ∂η_l of the k-th and the l-th class with coefficients, given p, then 1
   * − p.
   */
  private double curvature(double[] p, int k, int l) {
    int c = classAt(k);
    return k == l ? -p[c] * p[classes + c] : p[c] * p[classAt(l)];
  }

  /** Adds a symmetric D × D matrix, given by its lower triangle, to the tile (k, l), l ≤ k. */
  private void addTile(double[] lower, int k, int l, double[] hessian) {
    int d = dimension();
    for (int i = 0; i < columns; i++) {
      int out = (k * columns + i) * d + l * columns;
      int end = k == l ? i + 1 : columns;
      for (int j = 0; j < end; j++) {
        hessian[out + j] += j <= i ? lower[i * columns + j] : lower[j * columns + i];
      }
    }
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double[] p = new double[classes];
    double[] eta = predictors(block, row, center);
    double[] delta = predictors(block, row, theta);
    int top = Softmax.largest(eta);
    double logSum = Softmax.probabilities(eta, top, p, new double[classes]);
    double mean = 0;
    for (int k = 0; k < classes; k++) {
      delta[k] -= eta[k];
      mean += p[k] * delta[k];
    }
    double variance = 0;
    for (int k = 0; k < classes && order == 2; k++) {
      variance += p[k] * (delta[k] - mean) * (delta[k] - mean);
    }
    int y = classOf(block, row);
    double value = eta[y] - eta[top] - logSum + (delta[y] - mean) - 0.5 * variance;
    return block.weight(row) * value;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The k-th derivative along δ is the k-th cumulant of δ under p, up to sign. With s the range
   * of δ its absolute value is at most s²/4 for k = 2 and s³/(6√3) for k = 3, at any η.
   */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    int p = functionals();
    double squared = 0;
    for (int k = 0; k < p; k++) {
      double kk = spread[k * p + k];
      // The reference class does not move.
      squared = reference == NO_REFERENCE ? squared : Math.max(squared, kk);
      for (int l = 0; l < k; l++) {
        squared = Math.max(squared, kk + spread[l * p + l] - 2 * spread[k * p + l]);
      }
    }
    double bound = order == 2 ? 0.25 * squared : squared * Math.sqrt(squared) / (6 * Math.sqrt(3));
    return block.weight(row) * bound;
  }
}
