package org.lampyris.samplers.multilevel;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A Metropolis–Hastings step of the effects b of one group, by the normal distribution N(m, A⁻¹), A
 * = KKᵀ, that they are {@linkplain LevelEffects about}. Most steps are Crank–Nicolson Langevin
 * steps, b' = b + τA⁻¹s + √(τ(2 − τ))·K⁻ᵀz, z ~ N(0, I), s the gradient of the log posterior at b.
 * At τ = 1 draws are independent and never rejected, if the posterior has the precision A, with any
 * mean. Some have a random τ below 1, some of those use P instead of A, and some proposals are
 * drawn from N(m, A⁻¹), so that a group does not get stuck if its rows carry less or more
 * information than in the approximation.
 *
 * <p>The log-likelihood of a group is known by its sums: value, then gradient; the prior is N(0,
 * P⁻¹). Not safe for use by several threads.
 *
 * <p>Source: Cotter, Roberts, Stuart and White (2013), equation 4.9, with the posterior's
 * covariance in the place of the prior's.
 */
public final class LevelStep {
  /** Share of steps with τ = 1. */
  private static final double WHOLE = 0.65;

  /** Share of steps with A, and τ = 1 or less. */
  private static final double LANGEVIN = 0.8;

  /** Share of steps with A or P. */
  private static final double GRADIENT = 0.9;

  /** The least τ, decimal log. */
  private static final double LEAST = -2;

  private final int size;
  private final double[] precision;
  private final boolean settle;
  private final UniformRandomProvider rng;
  private final SharedStateContinuousSampler normal;
  private final double[] slope;
  private final double[] noise;
  private final double[] prior;
  private boolean isByPrior;
  private double tau;
  private double logDensity;

  /**
   * Prepares steps.
   *
   * @param size q
   * @param precision P
   * @param settle whether what is denser is always accepted: before the chain has arrived
   */
  public LevelStep(int size, double[] precision, boolean settle, UniformRandomProvider rng) {
    this.size = size;
    this.precision = precision;
    this.settle = settle;
    this.rng = rng;
    this.normal = ZigguratSampler.NormalizedGaussian.of(rng);
    this.slope = new double[size];
    this.noise = new double[size];
    this.prior = precision.clone();
    SmallFactor.factorise(prior, size);
  }

  /** Returns how many numbers the sums of a group are. */
  public static int sums(int size) {
    return 1 + size;
  }

  /** The normal distribution that the effects of a group are about. */
  public record About(double[] mode, double[] factor) {}

  /** Values with which the proposals of many groups were drawn, until they are decided. */
  public static final class Drawn {
    private final double[] tau;
    private final boolean[] byPrior;
    private final double[] noise;

    /** Allocates room for groups of q effects. */
    public Drawn(int groups, int size) {
      tau = new double[groups];
      byPrior = new boolean[groups];
      noise = new double[groups * size];
    }
  }

  /** Stores the values of a group's proposal. */
  public void keep(int group, Drawn drawn) {
    drawn.tau[group] = tau;
    drawn.byPrior[group] = isByPrior;
    System.arraycopy(noise, 0, drawn.noise, group * size, size);
  }

  /**
   * Takes up the proposal of a group again.
   *
   * @param b the effects that it was made at, at {@code b[at …]}
   * @param sums the group's sums there, at {@code sums[from …]}
   */
  public void resume(int group, Drawn drawn, double[] b, int at, double[] sums, int from) {
    tau = drawn.tau[group];
    System.arraycopy(drawn.noise, group * size, noise, 0, size);
    logDensity = posterior(b, at, sums, from);
    isByPrior = drawn.byPrior[group];
  }

  /**
   * Draws a proposal.
   *
   * @param b the effects, at {@code b[at …]}
   * @param sums the group's sums there, at {@code sums[from …]}
   * @param about m and K
   * @param out the proposal is written to {@code out[at …]}. Modified.
   */
  public void propose(double[] b, double[] sums, int from, About about, double[] out, int at) {
    double kind = rng.nextDouble();
    tau = kind < WHOLE ? 1 : kind < GRADIENT ? Math.pow(10, LEAST * rng.nextDouble()) : 0;
    isByPrior = kind >= LANGEVIN && tau != 0;
    double[] factor = isByPrior ? prior : about.factor;
    for (int e = 0; e < size; e++) {
      noise[e] = normal.sample();
    }
    logDensity = posterior(b, at, sums, from);
    System.arraycopy(noise, 0, out, at, size);
    solveTransposed(factor, out, at);
    if (tau == 0) {
      for (int e = 0; e < size; e++) {
        out[at + e] += about.mode[e];
      }
      return;
    }
    SmallFactor.solve(factor, size, slope);
    SmallFactor.solveTransposed(factor, size, slope);
    double spread = Math.sqrt(tau * (2 - tau));
    for (int e = 0; e < size; e++) {
      out[at + e] = b[at + e] + tau * slope[e] + spread * out[at + e];
    }
  }

  private void solveTransposed(double[] lower, double[] v, int at) {
    for (int i = size - 1; i >= 0; i--) {
      double sum = v[at + i];
      for (int k = i + 1; k < size; k++) {
        sum -= lower[k * size + i] * v[at + k];
      }
      v[at + i] = sum / lower[i * size + i];
    }
  }

  /**
   * Decides about the proposal.
   *
   * @param sumsThere the group's sums at the proposal
   */
  public boolean accept(
      double[] b, double[] proposal, double[] sumsThere, int from, About about, int at) {
    double u = rng.nextDouble();
    double there = posterior(proposal, at, sumsThere, from);
    if (Double.isNaN(there) || there == Double.NEGATIVE_INFINITY) {
      return false;
    }
    if (settle && there > logDensity) {
      return true;
    }
    double[] factor = isByPrior ? prior : about.factor;
    // The noise that would lead back.
    SmallFactor.solve(factor, size, slope);
    SmallFactor.solveTransposed(factor, size, slope);
    double spread = Math.sqrt(tau * (2 - tau));
    double ratio = there - logDensity;
    for (int e = 0; e < size; e++) {
      double back = 0;
      for (int f = e; f < size; f++) {
        double away =
            tau == 0
                ? b[at + f] - about.mode[f]
                : (b[at + f] - proposal[at + f] - tau * slope[f]) / spread;
        back += factor[f * size + e] * away;
      }
      ratio += 0.5 * (noise[e] * noise[e] - back * back);
    }
    return Math.log(u) < ratio;
  }

  /** Returns log L − ½bᵀPb, and writes the gradient to {@code slope}. */
  private double posterior(double[] b, int at, double[] sums, int from) {
    double value = sums[from];
    for (int e = 0; e < size; e++) {
      double pull = 0;
      for (int f = 0; f < size; f++) {
        pull += precision[e * size + f] * b[at + f];
      }
      value -= 0.5 * b[at + e] * pull;
      slope[e] = sums[from + 1 + e] - pull;
    }
    return value;
  }
}
