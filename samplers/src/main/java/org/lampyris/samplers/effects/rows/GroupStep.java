package org.lampyris.samplers.effects.rows;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A Metropolis–Hastings step of the effects b of one group, by the curvature where it is: b' = b +
 * τA⁻¹s + √(τ(2 − τ))·R⁻ᵀz, z ~ N(0, I), with s the gradient of the log posterior of b at b, and A =
 * RRᵀ that of minus its curvature, where that is positive. For a normal posterior it leaves the
 * posterior invariant without a rejection, at τ = 1 as independent draws. Most steps have τ = 1; the
 * others one that is drawn, so that no place far out holds a group fast.
 *
 * <p>The log-likelihood of a group is known by its sums: value, gradient g, then the lower triangle
 * of its curvature H, row by row; the prior is N(0, P⁻¹). Not safe for use by several threads.
 *
 * <p>Source: the Langevin proposal with a position-dependent metric of Girolami and Calderhead
 * (2011), section 4, in its simplified form, with the Crank–Nicolson noise of Cotter, Roberts, Stuart
 * and White (2013), equation 4.9.
 */
public final class GroupStep {
  /** How many steps are whole ones. */
  private static final double WHOLE = 0.8;

  /** The least τ, decimal log. */
  private static final double LEAST = -2;

  private final int size;
  private final double[] precision;
  private final boolean settle;
  private final UniformRandomProvider rng;
  private final SharedStateContinuousSampler normal;
  private final double[] metric;
  private final double[] metricThere;
  private final double[] slope;
  private final double[] noise;
  private double tau;
  private double logDensity;
  private boolean possible;

  /**
   * Prepares steps.
   *
   * @param size q
   * @param precision P
   * @param settle whether what is denser is always accepted: before the chain has arrived
   */
  public GroupStep(int size, double[] precision, boolean settle, UniformRandomProvider rng) {
    this.size = size;
    this.precision = precision;
    this.settle = settle;
    this.rng = rng;
    this.normal = ZigguratSampler.NormalizedGaussian.of(rng);
    this.metric = new double[size * size];
    this.metricThere = new double[size * size];
    this.slope = new double[size];
    this.noise = new double[size];
  }

  /** Returns how many numbers the sums of a group are. */
  public static int sums(int size) {
    return 1 + size + size * (size + 1) / 2;
  }

  /**
   * Draws a proposal.
   *
   * @param b the effects, at {@code b[at …]}
   * @param sums the group's sums there, at {@code sums[from …]}
   * @param out the proposal is written to {@code out[at …]}. Modified.
   */
  public void propose(double[] b, double[] sums, int from, double[] out, int at) {
    tau = rng.nextDouble() < WHOLE ? 1 : Math.pow(10, LEAST * rng.nextDouble());
    for (int e = 0; e < size; e++) {
      noise[e] = normal.sample();
    }
    logDensity = posterior(b, at, sums, from, metric);
    possible = SmallFactor.factorise(metric, size);
    if (!possible) {
      System.arraycopy(b, at, out, at, size);
      return;
    }
    double[] step = noise.clone();
    SmallFactor.solveTransposed(metric, size, step);
    SmallFactor.solve(metric, size, slope);
    SmallFactor.solveTransposed(metric, size, slope);
    double spread = Math.sqrt(tau * (2 - tau));
    for (int e = 0; e < size; e++) {
      out[at + e] = b[at + e] + tau * slope[e] + spread * step[e];
    }
  }

  /**
   * Decides about the proposal.
   *
   * @param sumsThere the group's sums at the proposal
   */
  public boolean accept(
      double[] b, double[] sums, int from, double[] proposal, double[] sumsThere, int at) {
    double u = rng.nextDouble();
    if (!possible) {
      return false;
    }
    double there = posterior(proposal, at, sumsThere, from, metricThere);
    if (Double.isNaN(there)
        || there == Double.NEGATIVE_INFINITY
        || !SmallFactor.factorise(metricThere, size)) {
      return false;
    }
    if (settle && there > logDensity) {
      return true;
    }
    // The noise that would lead back: z' = R'ᵀ(b − b' − τA'⁻¹s')/√(τ(2 − τ)).
    SmallFactor.solve(metricThere, size, slope);
    SmallFactor.solveTransposed(metricThere, size, slope);
    double spread = Math.sqrt(tau * (2 - tau));
    double ratio = there - logDensity;
    for (int e = 0; e < size; e++) {
      double back = 0;
      for (int f = e; f < size; f++) {
        back +=
            metricThere[f * size + e] * (b[at + f] - proposal[at + f] - tau * slope[f]) / spread;
      }
      ratio += 0.5 * (noise[e] * noise[e] - back * back);
      ratio += Math.log(metricThere[e * size + e] / metric[e * size + e]);
    }
    return Math.log(u) < ratio;
  }

  /** Returns log L − ½bᵀPb, and writes the gradient to {@code slope} and A to {@code to}. */
  private double posterior(double[] b, int at, double[] sums, int from, double[] to) {
    double value = sums[from];
    int k = from + 1 + size;
    for (int e = 0; e < size; e++) {
      double pull = 0;
      for (int f = 0; f < size; f++) {
        pull += precision[e * size + f] * b[at + f];
      }
      value -= 0.5 * b[at + e] * pull;
      slope[e] = sums[from + 1 + e] - pull;
      for (int f = 0; f <= e; f++) {
        to[e * size + f] = sums[k++] + precision[e * size + f];
      }
    }
    return value;
  }
}
