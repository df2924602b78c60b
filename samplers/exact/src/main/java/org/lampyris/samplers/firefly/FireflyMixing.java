package org.lampyris.samplers.firefly;

import org.apache.commons.numbers.gamma.Erfcx;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Mixing of Firefly predicted before sampling: the integrated autocorrelation time of alternating θ
 * given brightness and brightness given θ, each drawn independently.
 *
 * <p>Let H be the precision of the posterior at its mode, and Q the precision of the collapsed
 * bounds with the prior, Q ≥ H. A row whose gap is g = ½cδ² along a direction δ is bright with
 * probability 1 − exp(−g), which carries the Fisher information g'²/(exp(g) − 1) → 2c about δ. Over
 * all rows that is 2(Q − H), so θ and brightness together have the information 2Q − H. With ρ =
 * u'Qu/u'Hu, a direction u lacks the fraction γ = 2(ρ − 1)/(2ρ − 1) of it. γ is the lag-1
 * autocorrelation of an alternation between normal distributions (Liu, Wong and Kong 1994), and the
 * time is (1 + γ)/(1 − γ) = 4ρ − 3. A coefficient is a weighted sum over directions that are
 * independent a posteriori. Its time is their mean, weighted by shares of its variance: 4ρ_j − 3
 * with ρ_j = (Σ̂QΣ̂)_jj/Σ̂_jj.
 *
 * <p>Slack s·E[g], added to the gap ({@link FireflySettings.Rates}), leaves the share E[x²/(x² +
 * s)] of that information, x = δ/sd(δ), and so of ρ − 1 in the time.
 *
 * <p>Compared with measured effective draws an iteration, for Hamiltonian trajectories of 8 steps
 * with per-row rates (docs/kernels.md), smallest and median over coefficients: 0.027 and 0.12
 * predicted, 0.027 and 0.15 measured on MNIST (51 coefficients). On rare events (4), 0.011 and
 * 0.015 predicted, 0.005 and 0.012 measured; with all rows as candidates, 0.017 measured. The
 * alternative γ = 1 − 1/ρ, the autocorrelation of δ² and the time 2ρ − 1, would predict 0.052 and
 * 0.21, 0.022 and 0.029. The worst direction instead of the worst coefficient predicts 0.022 on
 * MNIST, and 0.4 instead of 0.6 for generated tables of 20 features.
 */
final class FireflyMixing {
  /** The cheapest slack for good bounds: see docs/decisions/0017. */
  private static final double LITTLE_SLACK = 0.25;

  private static final double MUCH_SLACK = 8;

  /** An alternation that takes longer than this is worth more bright rows. */
  private static final double LONG = 6;

  /** With an alternation that takes longer than this, chains do not represent the posterior. */
  private static final double TOO_LONG = 20;

  /**
   * A time without slack at which the bounds' sum and the gaps, which cancel for bright rows, are
   * so large that their rounding is no longer small beside 1.
   */
  private static final double BEYOND_ROUNDING = 1e11;

  private FireflyMixing() {}

  /** Returns the configured slack, or otherwise the one that suits the longest time without. */
  static double slack(double longestTime, FireflySettings settings) {
    Double given = settings.rates().slack();
    if (given != null) {
      return given;
    }
    return settings.bound() == FireflySettings.Bound.UNTUNED ? LITTLE_SLACK : slackFor(longestTime);
  }

  /**
   * Returns the slack for bounds with a given longest time without slack: {@value #LITTLE_SLACK},
   * doubled up to {@value #MUCH_SLACK} until that time is at most {@value #LONG} iterations. If it
   * is then still above {@value #TOO_LONG}, slack is doubled as often as it takes: rows whose
   * bounds are of no use are {@linkplain #isCertain always bright}.
   */
  static double slackFor(double longestTime) {
    double slack = LITTLE_SLACK;
    while (slack < MUCH_SLACK && isLong(longestTime, slack, LONG)) {
      slack *= 2;
    }
    if (isLong(longestTime, slack, TOO_LONG)) {
      while (isLong(longestTime, slack, LONG)) {
        slack *= 2;
      }
    }
    return slack;
  }

  private static boolean isLong(double longestTime, double slack, double limit) {
    return left(Math.min(longestTime, BEYOND_ROUNDING), slack) > limit;
  }

  /** Returns whether rows that are candidates in every iteration stay bright. */
  static boolean isCertain(double slack) {
    return slack > MUCH_SLACK;
  }

  /** Returns whether bounds with a given longest time are too loose for arithmetic in doubles. */
  static boolean isBeyondRounding(double longestTime) {
    return longestTime > BEYOND_ROUNDING;
  }

  /** Returns the longest time of a table's bounds without slack. Cost O(d³). */
  static double longestTime(SamplingContext context, FireflyBounds bounds) {
    return longestTime(bounds.collapsed(), context.model().priorGivenScales(), context.laplace());
  }

  /**
   * Returns the longest integrated autocorrelation time among coefficients, without slack: 1 for
   * exact bounds. Cost O(d³).
   *
   * @param bounds Σ log B_n of bounds that are tight at the mode; of others it is a rough guess
   * @param laplace N(θ̂, Σ̂ = H⁻¹)
   */
  static double longestTime(CollapsedQuadratic bounds, Prior prior, LaplaceApproximation laplace) {
    double[] covariance = laplace.covariance();
    int d = laplace.dimension();
    double[] curvature = new double[d];
    prior.addCurvature(laplace.mode(), curvature);
    QuadraticForm form = bounds.form();
    double largest = 1;
    double[] column = new double[d];
    for (int j = 0; j < d; j++) {
      System.arraycopy(covariance, j * d, column, 0, d);
      double information = -2 * form.half(column);
      for (int i = 0; i < d; i++) {
        information -= curvature[i] * column[i] * column[i];
      }
      largest = Math.max(largest, information / column[j]);
    }
    return 1 + 4 * (largest - 1);
  }

  /** Returns the longest time that slack leaves. */
  static double left(double longestTime, double slack) {
    return 1 + (longestTime - 1) * leftBy(slack);
  }

  /** Returns E[x²/(x² + s)], x ~ N(0, 1), which is 1 − √(πs/2)·exp(s/2)·erfc(√(s/2)). */
  static double leftBy(double slack) {
    return 1 - Math.sqrt(0.5 * Math.PI * slack) * Erfcx.value(Math.sqrt(0.5 * slack));
  }
}
