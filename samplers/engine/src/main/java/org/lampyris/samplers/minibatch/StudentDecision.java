package org.lampyris.samplers.minibatch;

import java.util.function.LongFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Sequential t-test of μ &gt; μ_0 against μ &lt; μ_0, with μ the mean of all N values v_n and μ_0 =
 * (log u − rest)/N. With n values looked at, of mean v̄ and standard deviation s_v,
 *
 * <pre>s = s_v/√n · √(1 − (n − 1)/(N − 1)), t = (v̄ − μ_0)/s,</pre>
 *
 * <p>and it ends as soon as 1 − Φ_{n−1}(|t|) &lt; ε, with Φ the distribution function of Student's
 * t, or all rows have been read, and then the decision is exact. If s_v = 0, s is unknown, and more
 * rows are drawn. ε bounds the error of one look, not of the whole test.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), Algorithm 1, equations 2 to 5.
 *
 * @param batch m, by how many rows the batch grows
 * @param epsilon ε; 0 looks at all rows
 */
public record StudentDecision(long batch, double epsilon) implements BatchDecision {
  @Override
  public boolean accepts(Trial trial, UniformRandomProvider rng) {
    return isAbove(trial, trial.threshold(rng.nextDouble()));
  }

  /** Returns whether the mean of all v_n is above a threshold, by this test. */
  public boolean isAbove(Trial trial, double threshold) {
    return isAbove(trial.rows(), count -> trial.lookAt(count, batch), threshold);
  }

  /**
   * Returns whether the mean of N values is above a threshold, by this test.
   *
   * @param rows N
   * @param looks takes the size to which the batch should grow, and returns the moments of all of
   *     it; below N the size need not be exact
   */
  public boolean isAbove(long rows, LongFunction<BatchMoments> looks, double threshold) {
    long n = 0;
    while (true) {
      n = epsilon == 0 ? rows : Math.min(rows, n + batch);
      BatchMoments seen = looks.apply(n);
      if (n == rows || isSure(seen, rows, threshold)) {
        return seen.mean() > threshold;
      }
    }
  }

  private boolean isSure(BatchMoments seen, long rows, double threshold) {
    double error = seen.standardError(rows);
    if (!(error > 0)) {
      return false;
    }
    double t = Math.abs(seen.mean() - threshold) / error;
    return TDistribution.of(seen.count() - 1.0).survivalProbability(t) < epsilon;
  }
}
