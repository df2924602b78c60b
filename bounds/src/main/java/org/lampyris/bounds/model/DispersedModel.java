package org.lampyris.bounds.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Model with θ = (β, τ), whose rows depend on η_n = x_nᵀβ + o_n and the logarithms τ of m sampled
 * parameters: ℓ_n(θ) = w_n · log L(η_n, τ; y_n), natural log.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian.
 */
public class DispersedModel implements PredictorModel {
  private final JointLikelihood likelihood;
  private final int columns;

  /** Takes D, how many features a row has; θ has m elements more. */
  public DispersedModel(JointLikelihood likelihood, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException(columns + " columns");
    }
    this.likelihood = Objects.requireNonNull(likelihood);
    this.columns = columns;
  }

  @Override
  public double expense() {
    return likelihood.expense();
  }

  @Override
  public final int columns() {
    return columns;
  }

  private JointLikelihood.At at(double[] theta) {
    return likelihood.at(Arrays.copyOfRange(theta, columns, columns + likelihood.parameters()));
  }

  private double[] derivatives() {
    return new double[JointLikelihood.slopes(1 + likelihood.parameters())];
  }

  /** Adds w times the derivatives in τ. */
  private void addShared(double w, double[] derivatives, double[] gradient) {
    for (int j = columns; j < gradient.length; j++) {
      gradient[j] += w * derivatives[1 + j - columns];
    }
  }

  @Override
  public Likelihood given(double[] theta) {
    return new GivenDispersion(at(theta), likelihood.parameters());
  }

  @Override
  public void addShared(
      DataBlock block, int from, int to, double[] theta, double[] eta, double[] gradient) {
    JointLikelihood.At at = at(theta);
    double[] out = derivatives();
    double[] sum = new double[dimension()];
    for (int row = from; row < to; row++) {
      at.gradient(eta[row - from], block.response(row), out);
      addShared(block.weight(row), out, sum);
    }
    for (int j = columns; j < sum.length; j++) {
      gradient[j] += sum[j];
    }
  }

  @Override
  public int dimension() {
    return columns + likelihood.parameters();
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row) * at(theta).logLikelihood(eta, block.response(row));
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    JointLikelihood.At at = at(theta);
    double[] out = derivatives();
    double eta = block.linearPredictor(row, theta);
    double y = block.response(row);
    double w = block.weight(row);
    double value = at.gradient(eta, y, out);
    block.addScaled(row, w * out[0], gradient, 0);
    addShared(w, out, gradient);
    return w * value;
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    JointLikelihood.At[] likelihoods =
        Arrays.stream(thetas).map(this::at).toArray(JointLikelihood.At[]::new);
    double[] out = derivatives();
    block.pass(
        thetas,
        new int[thetas.length],
        (from, to, eta) -> {
          for (int k = 0; k < thetas.length; k++) {
            double value = 0;
            double[] slopes = new double[dimension()];
            for (int row = from; row < to; row++) {
              double w = block.weight(row);
              double y = block.response(row);
              double own = eta[k][row - from] + block.offset(row);
              if (gradients == null) {
                value += w * likelihoods[k].logLikelihood(own, y);
              } else {
                value += w * likelihoods[k].gradient(own, y, out);
                addShared(w, out, slopes);
                eta[k][row - from] = w * out[0];
              }
            }
            sums[k] += value;
            for (int j = columns; gradients != null && j < slopes.length; j++) {
              gradients[k][j] += slopes[j];
            }
          }
        },
        gradients);
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    JointLikelihood.At at = at(theta);
    int m = likelihood.parameters();
    int d = dimension();
    double[] out = derivatives();
    double[] scale = new double[block.rows()];
    double[][] slopes = new double[1 + m][columns];
    slopes[0] = gradient;
    double[][] thetas = new double[1 + m][];
    Arrays.fill(thetas, theta);
    double[] sum = new double[1];
    block.pass(
        thetas,
        new int[1 + m],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            int i = row - from;
            double w = block.weight(row);
            double own = eta[0][i] + block.offset(row);
            sum[0] += w * at.derivatives(own, block.response(row), out);
            scale[row] = w * out[1 + m];
            addShared(w, out, gradient);
            for (int p = 1; p <= m; p++) {
              eta[p][i] = w * out[1 + m + p];
              for (int q = 1; q <= p; q++) {
                hessian[(columns + p - 1) * d + columns + q - 1] +=
                    w * out[JointLikelihood.place(1 + m, q, p)];
              }
            }
            eta[0][i] = w * out[0];
          }
        },
        slopes);
    double[] gram = new double[columns * columns];
    block.addOuters(scale, gram);
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        hessian[i * d + j] += gram[i * columns + j];
      }
      for (int p = 1; p <= m; p++) {
        hessian[(columns + p - 1) * d + i] += slopes[p][i];
      }
    }
    return sum[0];
  }

  /** Returns η and τ. */
  private double[] numbers(DataBlock block, int row, double[] theta) {
    double[] numbers = new double[1 + likelihood.parameters()];
    numbers[0] = block.linearPredictor(row, theta);
    System.arraycopy(theta, columns, numbers, 1, numbers.length - 1);
    return numbers;
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double[] at = numbers(block, row, center);
    double[] to = numbers(block, row, theta);
    return block.weight(row) * taylor(likelihood, at, block.response(row), order, to);
  }

  /** Returns the Taylor polynomial of log L about some (η, τ), at another. */
  static double taylor(
      JointLikelihood likelihood, double[] center, double y, int order, double[] to) {
    int n = center.length;
    double[] out = new double[JointLikelihood.slopes(n)];
    double[] tau = Arrays.copyOfRange(center, 1, n);
    double value = likelihood.at(tau).derivatives(center[0], y, out);
    for (int i = 0; i < n; i++) {
      value += out[i] * (to[i] - center[i]);
    }
    for (int i = 0; order == 2 && i < n; i++) {
      for (int j = i; j < n; j++) {
        double factor = i == j ? 0.5 : 1;
        double second = out[JointLikelihood.place(n, i, j)];
        value += factor * second * (to[i] - center[i]) * (to[j] - center[j]);
      }
    }
    return value;
  }

  /**
   * {@inheritDoc}
   *
   * <p>For a direction in (η, τ) with components of at most their lengths a_i, and bounds M_ijk on
   * third derivatives in the ball, c = Σ M_ijk a_i a_j a_k for k = 3. For k = 2 it uses the second
   * derivatives at θ⋆ and their largest change up to the ball's edge.
   */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    return block.weight(row)
        * derivativeBound(
            likelihood, numbers(block, row, center), block.response(row), order, spread, radius);
  }

  /** Returns the same of a row of weight 1, at given η and τ. */
  static double derivativeBound(
      JointLikelihood likelihood,
      double[] center,
      double y,
      int order,
      double[] spread,
      double radius) {
    int n = center.length;
    double[] a = new double[n];
    double[] r = new double[n];
    for (int i = 0; i < n; i++) {
      a[i] = Math.sqrt(spread[i * n + i]);
      r[i] = a[i] == 0 ? 0 : radius * a[i];
    }
    double[] third = new double[JointLikelihood.thirds(n)];
    likelihood.thirdDerivatives(center, r, y, third);
    double[] bound = new double[1];
    // Of a monomial of second derivatives and one more factor: r for k = 2, a for k = 3.
    double[] last = order == 3 ? a : r;
    JointLikelihood.forThirds(
        n, third, (i, j, k, m) -> bound[0] += m * a[i] * a[j] * last[k] * orders(i, j, k));
    if (order == 2) {
      double[] at = new double[JointLikelihood.slopes(n)];
      likelihood.at(Arrays.copyOfRange(center, 1, n)).derivatives(center[0], y, at);
      for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
          double second = Math.abs(at[JointLikelihood.place(n, i, j)]);
          bound[0] += (i == j ? 1 : 2) * a[i] * a[j] * second;
        }
      }
    }
    return Double.isNaN(bound[0]) ? Double.POSITIVE_INFINITY : bound[0];
  }

  /** Returns in how many orders three indices can be written. */
  private static int orders(int i, int j, int k) {
    return i == k ? 1 : i == j || j == k ? 3 : 6;
  }
}
