package org.lampyris.samplers.laplace;

import java.util.function.ToDoubleFunction;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Posterior of one or two coefficients on a grid in u = L⁻¹(θ − θ̂), |u_j| ≤ 14: a trapezoid rule,
 * whose error is far below the Monte-Carlo errors of the tests.
 */
final class GridPosterior {
  private static final double REACH = 14;

  private final double[][] thetas;
  private final double[] weights;

  GridPosterior(MemoryRun run) {
    double[] mode = run.fit().theta();
    int d = mode.length;
    double step = d == 1 ? 0.001 : 0.1;
    int side = (int) Math.round(2 * REACH / step) + 1;
    int nodes = (int) Math.pow(side, d);
    Preconditioner factor = Preconditioner.of(run.fit().laplace());
    double peak = run.logPosterior(mode);
    thetas = new double[nodes][];
    weights = new double[nodes];
    double sum = 0;
    for (int node = 0; node < nodes; node++) {
      double[] u = new double[d];
      for (int j = 0, rest = node; j < d; j++, rest /= side) {
        u[j] = (rest % side) * step - REACH;
      }
      thetas[node] = mode.clone();
      factor.addTo(u, 1, thetas[node]);
      double density = Math.exp(run.logPosterior(thetas[node]) - peak);
      weights[node] = Double.isNaN(density) ? 0 : density;
      sum += weights[node];
    }
    for (int node = 0; node < nodes; node++) {
      weights[node] /= sum;
    }
  }

  /** Returns the expectation of a function of θ. */
  double mean(ToDoubleFunction<double[]> of) {
    double sum = 0;
    for (int node = 0; node < weights.length; node++) {
      sum += weights[node] == 0 ? 0 : weights[node] * of.applyAsDouble(thetas[node]);
    }
    return sum;
  }

  double mean(int j) {
    return mean(theta -> theta[j]);
  }

  double sd(int j) {
    double mean = mean(j);
    return Math.sqrt(mean(theta -> (theta[j] - mean) * (theta[j] - mean)));
  }
}
