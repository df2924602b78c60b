package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.Section;

/**
 * The section {@code sampler.firefly}: Firefly Monte Carlo, Maclaurin and Adams (2014).
 *
 * @param bound where the lower bounds are tight
 * @param anchor ξ of the untuned bounds; by default {@code precompute}'s
 * @param zKernel how brightness is resampled
 * @param q the probability q_{d→b} with which the implicit kernel proposes a dark row; by default
 *     0.1 for untuned and 0.01 for MAP-tuned bounds
 * @param qDark the probability q_{b→d} with which bright rows propose to go dark
 * @param rates the candidate rates of the per-row kernel
 * @param selection which rows the explicit kernel resamples
 * @param thetaSteps how many updates of θ follow each update of brightness
 */
public record FireflySettings(
    Bound bound,
    double anchor,
    ZKernel zKernel,
    double q,
    double qDark,
    @Inline Rates rates,
    @Inline Selection selection,
    int thetaSteps)
    implements Serializable {

  /**
   * The per-row kernel's candidate rates, and the slack of bounds that goes with them.
   *
   * @param kappa row n is proposed with probability q_n = kappa times its expected brightness under
   *     the Laplace approximation
   * @param floor the least q_n, as a multiple of the mean of all q_n
   * @param slack how much brighter than need be rows are made: their bounds are lowered by slack
   *     times their expected brightness, for which see {@link
   *     org.lampyris.samplers.firefly.BoundBlock}; null for what the table asks for
   */
  public record Rates(double kappa, double floor, @Nullable Double slack) implements Serializable {
    /** Returns κ for the brightness without slack. */
    double kappaOfTight(double chosenSlack) {
      return kappa * (1 + chosenSlack);
    }

    /** Returns the slack of a row as a multiple of its q_n. */
    double slackByRate(double chosenSlack) {
      return chosenSlack / kappaOfTight(chosenSlack);
    }
  }

  /**
   * Rows that the explicit kernel resamples.
   *
   * @param fraction the share of rows whose brightness is resampled per iteration
   * @param scheme how these rows are picked
   */
  public record Selection(double fraction, Scheme scheme) implements Serializable {}

  /** Anchors of the lower bounds. */
  public enum Bound {
    /** {@link #LOCAL} if the family has such a bound, {@link #MAP_TUNED} otherwise. */
    AUTO,
    /** At the mode: ξ_n = |x_nᵀθ̂|. */
    MAP_TUNED,
    /** At the mode, and holding in a ball about it; beyond it chains go on without bounds. */
    LOCAL,
    /** At one ξ for all rows. */
    UNTUNED
  }

  /** Kernel that resamples brightness. */
  public enum ZKernel {
    /** Gibbs on a subset of rows: Algorithm 1. */
    EXPLICIT,
    /** Metropolis–Hastings with one q for all dark rows: Algorithm 2. */
    IMPLICIT,
    /** Metropolis–Hastings with q_n for each row. */
    PER_ROW
  }

  /** Scheme by which the explicit kernel selects rows. */
  public enum Scheme {
    /** At random, with replacement, as in Algorithm 1. */
    WITH_REPLACEMENT,
    /** At random, each row at most once. */
    WITHOUT_REPLACEMENT,
    /** Every row in its turn. */
    SCHEDULED
  }

  static FireflySettings read(Section section, OwnSection.Defaults defaults) {
    Bound bound = section.choice("bound", Bound.AUTO);
    return new FireflySettings(
        bound,
        section.number("anchor", defaults.anchor(), Interval.NON_NEGATIVE),
        section.choice("z_kernel", ZKernel.PER_ROW),
        section.number("q", bound == Bound.UNTUNED ? 0.1 : 0.01, Interval.PROBABILITY),
        section.number("q_dark", 1, Interval.PROBABILITY),
        new Rates(
            section.number("kappa", 3, Interval.POSITIVE),
            section.number("floor", 0.1, Interval.PROBABILITY),
            section.number("slack", Interval.NON_NEGATIVE)),
        new Selection(
            section.number("fraction", 0.1, Interval.PROBABILITY),
            section.choice("scheme", Scheme.WITH_REPLACEMENT)),
        section.whole("theta_steps", 1, 1, 1_000_000));
  }
}
