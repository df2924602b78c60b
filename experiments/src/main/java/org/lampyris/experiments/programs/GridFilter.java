package org.lampyris.experiments.programs;

import java.util.Arrays;

/**
 * Posterior of φ and σ² of short series, without Monte Carlo: for each pair on a grid, the
 * likelihood of every series by the forward recursion
 *
 * <pre>a_t(h) = N(x_t | 0, e^h) ∫ N(h | φh′, σ²) a_{t−1}(h′) dh′</pre>
 *
 * <p>on a grid of h, by the trapezoid rule. h_0 = 0, and h_t has at most the variance tσ², so nodes
 * up to 6 σ√T, at most 0.35 σ apart, leave errors far below any chain's.
 *
 * @param phi values of φ
 * @param variance values of σ²
 * @param weights the posterior by φ, then σ²; their sum is 1
 */
record GridFilter(double[] phi, double[] variance, double[][] weights) {
  private static final double REACH = 6;
  private static final double SPACING = 0.35;

  /**
   * Computes the posterior under Beta(5, 1) and InvGamma(5, 0.05).
   *
   * @param series x, a row each
   * @param cells how many values each parameter has
   * @param most the largest σ²
   */
  static GridFilter of(double[][] series, int cells, double most) {
    double[] phi = new double[cells];
    double[] variance = new double[cells];
    Arrays.setAll(phi, i -> (i + 0.5) / cells);
    Arrays.setAll(variance, i -> most * (i + 0.5) / cells);
    double[][] weights = new double[cells][cells];
    double top = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < cells; i++) {
      for (int j = 0; j < cells; j++) {
        double prior = 4 * Math.log(phi[i]) - 6 * Math.log(variance[j]) - 0.05 / variance[j];
        weights[i][j] = prior + logLikelihood(series, phi[i], Math.sqrt(variance[j]));
        top = Math.max(top, weights[i][j]);
      }
    }
    double sum = 0;
    for (double[] row : weights) {
      for (int j = 0; j < cells; j++) {
        row[j] = Math.exp(row[j] - top);
        sum += row[j];
      }
    }
    for (double[] row : weights) {
      for (int j = 0; j < cells; j++) {
        row[j] /= sum;
      }
    }
    return new GridFilter(phi, variance, weights);
  }

  /** Returns Σ log p(x_1 … x_T | φ, σ) over series, without the constants of x. */
  static double logLikelihood(double[][] series, double phi, double sigma) {
    int length = series[0].length;
    double reach = REACH * sigma * Math.sqrt(length);
    int nodes = 2 * (int) Math.ceil(reach / (SPACING * sigma)) + 1;
    double step = 2 * reach / (nodes - 1);
    double[] h = new double[nodes];
    double[] precision = new double[nodes];
    double[][] transition = new double[nodes][nodes];
    double scale = step / (sigma * Math.sqrt(2 * Math.PI));
    for (int i = 0; i < nodes; i++) {
      h[i] = -reach + i * step;
      precision[i] = Math.exp(-h[i]);
    }
    for (int i = 0; i < nodes; i++) {
      for (int j = 0; j < nodes; j++) {
        double z = (h[i] - phi * h[j]) / sigma;
        transition[i][j] = scale * Math.exp(-0.5 * z * z);
      }
    }
    double sum = 0;
    double[] at = new double[nodes];
    double[] next = new double[nodes];
    for (double[] x : series) {
      for (int t = 0; t < length; t++) {
        double square = 0.5 * x[t] * x[t];
        for (int i = 0; i < nodes; i++) {
          double moved = 0;
          if (t == 0) {
            moved = scale * Math.exp(-0.5 * (h[i] / sigma) * (h[i] / sigma));
          } else {
            double[] to = transition[i];
            for (int j = 0; j < nodes; j++) {
              moved += to[j] * at[j];
            }
          }
          next[i] = moved * Math.exp(-0.5 * h[i] - square * precision[i]);
        }
        double[] old = at;
        at = next;
        next = old;
      }
      sum += Math.log(Arrays.stream(at).sum());
    }
    return sum;
  }

  /** Returns the posterior of φ by cell. */
  double[] ofPhi() {
    return Arrays.stream(weights).mapToDouble(row -> Arrays.stream(row).sum()).toArray();
  }

  /** Returns the posterior of σ² by cell. */
  double[] ofVariance() {
    double[] sums = new double[variance.length];
    for (double[] row : weights) {
      Arrays.setAll(sums, j -> sums[j] + row[j]);
    }
    return sums;
  }

  /** Returns sup |F_n − F| over the edges of cells, of values that begin at 0. */
  static double distance(double[] draws, double[] cells, double width) {
    double[] counts = new double[cells.length];
    for (double draw : draws) {
      int cell = (int) (draw / width);
      if (cell < counts.length) {
        counts[cell] += 1.0 / draws.length;
      }
    }
    double off = 0;
    double most = 0;
    for (int i = 0; i < cells.length; i++) {
      off += counts[i] - cells[i];
      most = Math.max(most, Math.abs(off));
    }
    return most;
  }
}
