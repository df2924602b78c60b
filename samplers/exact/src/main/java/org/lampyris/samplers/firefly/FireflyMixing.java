package org.lampyris.samplers.firefly;

import org.apache.commons.numbers.gamma.Erfcx;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.run.SamplingContext;

/**
 * How well Firefly mixes, from what is known before sampling: the integrated autocorrelation time
 * of its alternation of θ given brightness and brightness given θ, each drawn anew.
 *
 * <p>Let H be the precision of the posterior at its mode and Q that of the collapsed bounds and the
 * prior, Q ≥ H. A row whose gap is g = ½cδ² along a direction δ is bright with probability 1 −
 * exp(−g), which tells of δ the Fisher information g'²/(exp(g) − 1) → 2c; over all rows that is 2(Q
 * − H), so θ and brightness together have the information 2Q − H. With ρ = u'Qu/u'Hu a direction u
 * lacks the fraction γ = 2(ρ − 1)/(2ρ − 1) of it, γ is the autocorrelation at lag 1 of an
 * alternation that is normal (Liu, Wong and Kong 1994), and the time is (1 + γ)/(1 − γ) = 4ρ − 3. A
 * coefficient is a weighted sum over directions that are independent a posteriori; its time is
 * their mean, with the share of its variance as weights, 4ρ_j − 3 with ρ_j = (Σ̂QΣ̂)_jj/Σ̂_jj.
 *
 * <p>Slack s·E[g], added to the gap ({@link FireflySettings.Rates}), leaves the share E[x²/(x² +
 * s)] of that information, x = δ/sd(δ), and so of ρ − 1 in the time.
 *
 * <p>Held against the effective draws an iteration that Hamiltonian trajectories of 8 steps have
 * with per-row rates (docs/kernels.md), the least of a coefficient and the median: 0.027 and 0.12
 * expected, 0.027 and 0.15 measured on MNIST (51 coefficients); 0.011 and 0.015 expected, 0.005 and
 * 0.012 measured on rare events (4), where all rows as candidates give 0.017. The alternative γ = 1
 * − 1/ρ, the autocorrelation of δ² and the time 2ρ − 1, would expect 0.052 and 0.21, 0.022 and
 * 0.029; the worst direction in place of the worst coefficient expects 0.022 on MNIST, and 0.4 in
 * place of 0.6 for generated tables of 20 features.
 */
final class FireflyMixing {
  /** The slack that costs least where bounds are good: see docs/decisions/0017. */
  private static final double LITTLE_SLACK = 0.25;

  private static final double MUCH_SLACK = 8;

  /** An alternation that takes longer than this is worth more bright rows. */
  private static final double LONG = 6;

  private FireflyMixing() {}

  /** Returns the slack that is set, or else the one that the table asks for. */
  static double slack(SamplingContext context, FireflyBounds bounds, FireflySettings settings) {
    Double given = settings.rates().slack();
    if (given != null) {
      return given;
    }
    return settings.bound() == FireflySettings.Bound.UNTUNED
        ? LITTLE_SLACK
        : slackFor(longestTime(bounds.collapsed(), context.model().prior(), context.laplace(), 0));
  }

  /**
   * Returns the slack for bounds whose longest time without slack is given: {@value #LITTLE_SLACK},
   * or twice as much, and so on, up to {@value #MUCH_SLACK}, until that time is at most {@value
   * #LONG} iterations.
   */
  static double slackFor(double longestTime) {
    double slack = LITTLE_SLACK;
    while (slack < MUCH_SLACK && 1 + (longestTime - 1) * leftBy(slack) > LONG) {
      slack *= 2;
    }
    return slack;
  }

  /**
   * Returns the integrated autocorrelation time of the coefficient that has the longest: 1 where
   * bounds are exact. Cost O(d³).
   *
   * @param bounds Σ log B_n of bounds that are tight at the mode; of others it is a rough guess
   * @param laplace N(θ̂, Σ̂ = H⁻¹)
   * @param slack s, at least 0
   */
  static double longestTime(
      CollapsedQuadratic bounds, Prior prior, LaplaceApproximation laplace, double slack) {
    double[] covariance = laplace.covariance();
    int d = laplace.dimension();
    double[] curvature = new double[d];
    prior.addCurvature(laplace.mode(), curvature);
    double largest = 1;
    double[] column = new double[d];
    for (int j = 0; j < d; j++) {
      System.arraycopy(covariance, j * d, column, 0, d);
      double information = -2 * quadraticForm(bounds.packed(), column);
      for (int i = 0; i < d; i++) {
        information -= curvature[i] * column[i] * column[i];
      }
      largest = Math.max(largest, information / column[j]);
    }
    return 1 + 4 * (largest - 1) * leftBy(slack);
  }

  /** Returns E[x²/(x² + s)], x ~ N(0, 1), which is 1 − √(πs/2)·exp(s/2)·erfc(√(s/2)). */
  static double leftBy(double slack) {
    return 1 - Math.sqrt(0.5 * Math.PI * slack) * Erfcx.value(Math.sqrt(0.5 * slack));
  }

  /** Returns v'Av. */
  private static double quadraticForm(double[] packed, double[] v) {
    double sum = 0;
    int k = 0;
    for (int i = 0; i < v.length; i++) {
      double row = 0;
      for (int j = 0; j < i; j++) {
        row += packed[k++] * v[j];
      }
      sum += v[i] * (2 * row + packed[k++] * v[i]);
    }
    return sum;
  }
}
