package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.function.LongFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.NormalDistribution;
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
 * <p>In terms of normal quantiles a look ends the test beyond G = Φ⁻¹(1 − ε). That is Pocock's
 * boundary. With another {@linkplain Boundary#shape shape} Δ it is Wang and Tsiatis' G·(n/N)^(Δ −
 * ½): looks at few rows are more careful, and ε is the error of a look at nearly all rows. ε may
 * also {@linkplain #at fall} with the iterations of a chain.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), Algorithm 1, equations 2 to 5, and supplement,
 * section D, for boundaries; Wang and Tsiatis (1987).
 *
 * @param batch m, by how many rows the batch grows
 * @param epsilon ε; 0 looks at all rows
 * @param boundary how the boundary changes
 */
public record StudentDecision(long batch, double epsilon, Boundary boundary)
    implements BatchDecision {
  /**
   * Change of a boundary within a test, and along a chain.
   *
   * @param shape Δ in [0, ½]; ½ is Pocock's boundary, 0 is O'Brien and Fleming's
   * @param decay with which power ε falls, in [0, 1]
   * @param delay after how many iterations ε has fallen by 2 to that power
   */
  public record Boundary(double shape, double decay, double delay) implements Serializable {
    /** The same at every look and in every iteration. */
    public static final Boundary SAME = new Boundary(0.5, 0, 1);

    /** Returns the factor of G after a share of the rows: share^(Δ − ½). */
    public double factor(double share) {
      return Math.pow(share, shape - 0.5);
    }
  }

  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** A test whose boundary does not change. */
  public StudentDecision(long batch, double epsilon) {
    this(batch, epsilon, Boundary.SAME);
  }

  /** Returns the test of an iteration k, from 1: with ε_k = ε·(1 + (k − 1)/delay)^(−decay). */
  public StudentDecision at(long iteration) {
    double decay = boundary.decay;
    return decay == 0
        ? this
        : new StudentDecision(
            batch,
            epsilon * Math.pow(1 + (iteration - 1) / boundary.delay, -decay),
            new Boundary(boundary.shape, 0, boundary.delay));
  }

  @Override
  public boolean accepts(Trial trial, UniformRandomProvider rng) {
    return isAbove(trial, trial.threshold(rng.nextDouble()));
  }

  /** Returns whether the mean of all v_n is above a threshold, by this test. */
  public boolean isAbove(Trial trial, double threshold) {
    return at(trial.iteration())
        .isAbove(trial.rows(), count -> trial.lookAt(count, batch), threshold);
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
    double level =
        boundary.shape == 0.5
            ? epsilon
            : NORMAL.survivalProbability(
                NORMAL.inverseSurvivalProbability(epsilon)
                    * boundary.factor((double) seen.count() / rows));
    return TDistribution.of(seen.count() - 1.0).survivalProbability(t) < level;
  }
}
