package org.lampyris.bounds.family.ordinal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Cumulative logit regression of K ordered classes: P(y ≤ r) = σ(c_r − η), η = x_nᵀβ + o_n, θ = (β,
 * κ_1, …, κ_{K−2}) with c_0 = 0 and c_r = c_{r−1} + e^{κ_r}.
 *
 * <p>The first column is constant 1, and its coefficient moves all cut points against η: the free,
 * ordered cut points are −β_0 + c_r, and every θ is allowed. Formulas: see {@link CutPoints}; the
 * log-likelihood is concave in η. Cost O(D + K) a row for values and gradients, O(D² + KD + K²) for
 * Hessians. Source: McCullagh (1980).
 */
public final class OrdinalModel implements PredictorModel {
  private final int columns;
  private final int[] ranks;

  /**
   * Describes the model.
   *
   * @param columns D, how many features a row has, the first of them 1
   * @param ranks the place in the order, from 0, of the class that a response is the index of;
   *     copied
   */
  public OrdinalModel(int columns, int... ranks) {
    if (columns < 1 || ranks.length < 2) {
      throw new IllegalArgumentException(columns + " columns, " + ranks.length + " classes");
    }
    this.columns = columns;
    this.ranks = ranks.clone();
  }

  @Override
  public int columns() {
    return columns;
  }

  /** Returns D + K − 2. */
  @Override
  public double expense() {
    return 6;
  }

  @Override
  public int dimension() {
    return columns + ranks.length - 2;
  }

  /**
   * {@inheritDoc} Here for two classes only. With more, log L is concave in η and in the cut points
   * c, but c is a sum of exponentials of the sampled elements, and log σ(c_r − η) grows like e^κ if
   * η is far above c_r.
   */
  @Override
  public boolean isConcave() {
    return ranks.length == 2;
  }

  private CutPoints cuts(double[] theta) {
    return new CutPoints(theta, columns);
  }

  /** Returns the place in the order of the class that a response is the index of. */
  int rank(double y) {
    return ranks[(int) y];
  }

  @Override
  public Likelihood given(double[] theta) {
    return new GivenCuts(this, cuts(theta));
  }

  @Override
  public void addShared(
      DataBlock block, int from, int to, double[] theta, double[] eta, double[] gradient) {
    CutPoints cuts = cuts(theta);
    double[] at = new double[4];
    for (int row = from; row < to; row++) {
      int r = rank(block.response(row));
      cuts.at(eta[row - from], r, at);
      cuts.addGradient(r, block.weight(row), at, gradient, columns);
    }
  }

  /** log L as a function of η. Not sent anywhere: it is made where θ is. */
  @SuppressWarnings("serial")
  private record GivenCuts(OrdinalModel model, CutPoints cuts) implements Likelihood {
    @Override
    public double logLikelihood(double eta, double y) {
      return cuts.at(eta, model.rank(y), new double[4]);
    }

    @Override
    public double derivative(double eta, double y) {
      double[] at = new double[4];
      cuts.at(eta, model.rank(y), at);
      return -(at[0] + at[1]);
    }

    @Override
    public double secondDerivative(double eta, double y) {
      double[] at = new double[4];
      cuts.at(eta, model.rank(y), at);
      return at[2] + at[3];
    }
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row) * cuts(theta).at(eta, rank(block.response(row)), new double[4]);
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    CutPoints cuts = cuts(theta);
    double[] at = new double[4];
    int r = rank(block.response(row));
    double w = block.weight(row);
    double value = cuts.at(block.linearPredictor(row, theta), r, at);
    block.addScaled(row, -w * (at[0] + at[1]), gradient, 0);
    cuts.addGradient(r, w, at, gradient, columns);
    return w * value;
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    CutPoints[] cuts = Arrays.stream(thetas).map(this::cuts).toArray(CutPoints[]::new);
    double[] at = new double[4];
    block.pass(
        thetas,
        new int[thetas.length],
        (from, to, eta) -> {
          for (int k = 0; k < thetas.length; k++) {
            double value = 0;
            for (int row = from; row < to; row++) {
              double w = block.weight(row);
              int r = rank(block.response(row));
              value += w * cuts[k].at(eta[k][row - from] + block.offset(row), r, at);
              if (gradients != null) {
                eta[k][row - from] = -w * (at[0] + at[1]);
                cuts[k].addGradient(r, w, at, gradients[k], columns);
              }
            }
            sums[k] += value;
          }
        },
        gradients);
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    CutPoints cuts = cuts(theta);
    int n = dimension();
    int own = n - columns;
    double[] at = new double[4];
    double[] cross = new double[own];
    double[] scale = new double[block.rows()];
    double[] sum = new double[1];
    double[][] vectors = new double[1 + own][];
    Arrays.fill(vectors, theta);
    double[][] sums = new double[1 + own][columns];
    sums[0] = gradient;
    block.pass(
        vectors,
        new int[1 + own],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            double w = block.weight(row);
            int r = rank(block.response(row));
            sum[0] += w * cuts.at(eta[0][row - from] + block.offset(row), r, at);
            eta[0][row - from] = -w * (at[0] + at[1]);
            scale[row] = w * (at[2] + at[3]);
            cuts.cross(r, at, cross);
            for (int j = 0; j < own; j++) {
              eta[1 + j][row - from] = w * cross[j];
            }
            cuts.addGradient(r, w, at, gradient, columns);
            cuts.addHessian(r, w, at, hessian, n, columns);
          }
        },
        sums);
    double[] gram = new double[columns * columns];
    block.addOuters(scale, gram);
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        hessian[i * n + j] += gram[i * columns + j];
      }
      for (int k = 0; k < own; k++) {
        hessian[(columns + k) * n + i] += sums[1 + k][i];
      }
    }
    return sum[0];
  }

  /**
   * {@inheritDoc}
   *
   * <p>The form that {@link CutDerivatives} has, for steps of length 1.
   */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    if (!(radius < Double.POSITIVE_INFINITY)) {
      return Double.POSITIVE_INFINITY;
    }
    int p = functionals();
    double[] kappa = Arrays.copyOfRange(center, columns, center.length);
    double[] s = new double[p - 1];
    Arrays.setAll(s, j -> radius * Math.sqrt(spread[(j + 1) * (p + 1)]));
    double[] q = new double[p];
    double eta = block.linearPredictor(row, center);
    double r = radius * Math.sqrt(spread[0]);
    new CutDerivatives(kappa, s, 1).forms(order, eta, r, rank(block.response(row)), q);
    double bound = 0;
    for (int k = 0; k < p; k++) {
      bound += q[k] * spread[k * (p + 1)];
    }
    return block.weight(row) * (order == 3 ? bound / radius : bound);
  }
}
