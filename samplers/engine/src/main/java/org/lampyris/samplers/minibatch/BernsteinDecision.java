package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Decision by batches that grow geometrically, until the mean v̄ of the values v_n so far is
 * farther from μ_0 = (log u − rest)/N than a {@linkplain Concentration concentration bound}
 * c_t(δ_k), or all rows have been read. With δ_k = (p − 1)/(p·k^p)·δ at the k-th look, p = 2, which
 * add up to less than δ, a decision is wrong with a probability of at most δ, given θ, θ′ and u. It
 * is wrong only if v̄ deviates from the mean of all v_n towards μ_0, so one side of the bound
 * suffices.
 *
 * <p>If the values have no known range, all rows are read, and the decision is exact.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), Figure 9 and section 7.1, there with replacement
 * and another bound, which they leave open; (2014), section 4, for δ_k.
 *
 * @param delta δ
 * @param growth γ, by what factor a batch grows
 * @param batch how many rows the first look takes
 * @param range bounds |v_n|
 */
public record BernsteinDecision(double delta, double growth, long batch, Range range)
    implements BatchDecision {
  /** Bounds |v_n| of all rows. */
  @FunctionalInterface
  public interface Range extends Serializable {
    /** Returns the bound for a change from one θ to another; +∞ if there is none. */
    double of(Remainders remainders, double[] from, double[] to);
  }

  @Override
  public boolean accepts(Trial trial, UniformRandomProvider rng) {
    double threshold = trial.threshold(rng.nextDouble());
    long rows = trial.rows();
    double length = 2 * range.of(trial.remainders(), trial.from(), trial.to());
    long t = length < Double.POSITIVE_INFINITY ? Math.min(rows, batch) : rows;
    for (int look = 1; ; look++) {
      BatchMoments seen = trial.lookAt(t);
      if (t == rows || Math.abs(seen.mean() - threshold) >= bound(seen, rows, length, look)) {
        return seen.mean() > threshold;
      }
      t = Math.min(rows, (long) Math.ceil(growth * t));
    }
  }

  private double bound(BatchMoments seen, long rows, double length, int look) {
    double sd = Math.sqrt(seen.variance(false));
    return Concentration.of(seen.count(), rows, sd, length, deltaAt(look));
  }

  /** Returns δ_k. */
  double deltaAt(int look) {
    return delta / (2.0 * look * look);
  }

  /** Returns the approximate number of rows read, if the values are at most {@code most}. */
  public long usual(long rows, double most) {
    double t = batch;
    for (int look = 1; t < rows; look++) {
      if (Concentration.of((long) t, rows, 0, 2 * most, deltaAt(look)) * rows < 1) {
        break;
      }
      t = Math.ceil(growth * t);
    }
    return (long) Math.min((double) rows, t);
  }

  /**
   * Empirical Bernstein–Serfling bound: of t values drawn without replacement from N in an interval
   * of length b − a, the mean exceeds the mean of all by more than
   *
   * <pre>c = σ̂_t √(2ρ_t log(5/δ)/t) + κ(b − a) log(5/δ)/t</pre>
   *
   * <p>with a probability of at most δ, and falls short of it likewise. Here κ = 7/3 + 3/√2, ρ_t =
   * 1 − (t − 1)/N for t ≤ N/2 and (1 − t/N)(1 + 1/t) from there on, and σ̂_t² has the divisor t.
   *
   * <p>Source: Bardenet and Maillard (2015), "Concentration inequalities for sampling without
   * replacement", Theorem 4.3.
   */
  static final class Concentration {
    private static final double KAPPA = 7.0 / 3 + 3 / Math.sqrt(2);

    private Concentration() {}

    /** Returns c. */
    static double of(long t, long rows, double sd, double range, double delta) {
      double log = Math.log(5 / delta);
      double share = (double) t / rows;
      double rho = share <= 0.5 ? 1 - (t - 1.0) / rows : (1 - share) * (1 + 1.0 / t);
      return sd * Math.sqrt(2 * rho * log / t) + KAPPA * range * log / t;
    }
  }
}
