package org.lampyris.samplers.run;

import java.util.Arrays;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.kernel.LogDensity;

/**
 * The posterior of one chain, log p(θ) + Σ_n log L_n(θ): every evaluation is a pass over all rows,
 * and is counted. Not safe for use by several threads.
 */
public final class PosteriorDensity implements LogDensity {
  private final Prior prior;
  private final LikelihoodRows rows;
  private long evaluations;

  /** Joins prior and rows. */
  public PosteriorDensity(Prior prior, LikelihoodRows rows) {
    this.prior = prior;
    this.rows = rows;
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  @Override
  public void values(double[][] thetas, double[] out) {
    double[] answer =
        rows.ask(Arrays.stream(thetas).map(prior::known).toArray(double[][]::new), false);
    evaluations += rows.rows() * thetas.length;
    for (int k = 0; k < thetas.length; k++) {
      out[k] = prior.logDensity(thetas[k]) + answer[k];
    }
  }

  @Override
  public double valueAndGradient(double[] theta, double[] gradient) {
    double[] answer = rows.ask(new double[][] {prior.known(theta)}, true);
    evaluations += rows.rows();
    Arrays.fill(gradient, 0);
    System.arraycopy(answer, 1, gradient, 0, prior.known());
    return answer[0] + prior.addGradient(theta, gradient);
  }

  /** Returns the number of (row, θ) pairs evaluated since the last call. */
  public long takeEvaluations() {
    long taken = evaluations;
    evaluations = 0;
    return taken;
  }
}
