package org.lampyris.samplers.firefly;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.numbers.gamma.Erfcx;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
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
 * <p>A sampled scale τ of coefficients b_j ~ N(0, τ²) that rows know with precision h_j has the
 * information 2Σ_j t(h_j)² about log τ, t(h) = τ²h/(1 + τ²h), b integrated out. With brightness, h
 * becomes h + 2(q − h), q the bounds' precision: where rows say little of b that is a factor
 * squared. So the scale's time is 1 + 2(I′ − I)·Var(log τ), with I′ and I these sums. Example:
 * 20,000 negative binomial counts in 220 levels, 4,000 draws. With a slack of ¼ it expects a time
 * of 10.4, and 281 draws were effective; with 8 it expects 2.8, and 624 were. By {@code metropolis}
 * 1,340 were.
 *
 * <p>Compared with measured effective draws an iteration, for Hamiltonian trajectories of 8 steps
 * with per-row rates (docs/kernels.md), smallest and median over coefficients: 0.027 and 0.12
 * predicted, 0.027 and 0.15 measured on MNIST (51 coefficients). On rare events (4), 0.011 and
 * 0.015 predicted, 0.005 and 0.012 measured; with all rows as candidates, 0.017 measured. The
 * alternative γ = 1 − 1/ρ, the autocorrelation of δ² and the time 2ρ − 1, would predict 0.052 and
 * 0.21, 0.022 and 0.029. The worst direction instead of the worst coefficient predicts 0.022 on
 * MNIST, and 0.4 instead of 0.6 for generated tables of 20 features.
 *
 * @param longestTime the longest time of a coefficient, without slack
 * @param scales sampled scales that coefficients share
 */
record FireflyMixing(double longestTime, List<Scale> scales) {
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

  /**
   * How much larger the variance of a log sd is than the Laplace approximation's, where rows say
   * little of it: 2.7 times for the counts above.
   */
  private static final double SKEWED = 2.5;

  /**
   * Coefficients that share a scale, and how precisely rows and bounds know them.
   *
   * @param variance the posterior variance of log τ
   * @param rows τ²h_j
   * @param bounds τ²q_j
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Scale(double variance, double[] rows, double[] bounds) {
    /** Returns the time with a share of what brightness says. */
    double time(double share) {
      double more = 0;
      for (int j = 0; j < rows.length; j++) {
        double known = shrinkage(rows[j]);
        double withBrightness = shrinkage(rows[j] + 2 * share * Math.max(0, bounds[j] - rows[j]));
        more += 2 * (withBrightness * withBrightness - known * known);
      }
      return 1 + 2 * variance * more;
    }

    private static double shrinkage(double h) {
      return h / (1 + h);
    }
  }

  /** Returns the mixing with a table's bounds. Cost O(d³). */
  static FireflyMixing of(SamplingContext context, FireflyBounds bounds) {
    LaplaceApproximation laplace = context.laplace();
    return new FireflyMixing(
        longestTime(bounds.collapsed(), context.model().priorGivenScales(), laplace),
        context.model().prior().term() instanceof ScaledPrior scales
            ? scales(scales, bounds.collapsed(), laplace)
            : List.of());
  }

  /** Returns what rows and bounds know of the coefficients of each shared scale. */
  static List<Scale> scales(
      ScaledPrior scales, CollapsedQuadratic bounds, LaplaceApproximation laplace) {
    int d = laplace.dimension();
    double[] precision = laplace.precision().orElseThrow().matrix();
    double[] wide = scales.precisions(scales.wide());
    double[] packed = bounds.packed();
    List<Scale> all = new ArrayList<>();
    int first = 0;
    for (ScaleGroup group : scales.groups()) {
      int[] places = group.coefficients();
      double[] sds =
          group.sds(Arrays.copyOfRange(scales.centre(), first, first + group.parameters()));
      for (int k : group.shared()) {
        int[] governed = group.governed(k);
        if (governed != null) {
          double[] rows = new double[governed.length];
          double[] ofBounds = new double[governed.length];
          for (int i = 0; i < governed.length; i++) {
            int j = places[governed[i]];
            double variance = sds[governed[i]] * sds[governed[i]];
            rows[i] = variance * Math.max(0, precision[j * d + j] - wide[j]);
            ofBounds[i] = -2 * variance * packed[j * (j + 1) / 2 + j];
          }
          double spread = scales.spread()[first + k];
          all.add(new Scale(SKEWED * spread * spread, rows, ofBounds));
        }
      }
      first += group.parameters();
    }
    return all;
  }

  /** Returns the configured slack, or otherwise the one that suits the times without. */
  double slack(FireflySettings settings) {
    Double given = settings.rates().slack();
    if (given != null) {
      return given;
    }
    return settings.bound() == FireflySettings.Bound.UNTUNED ? LITTLE_SLACK : slack();
  }

  /**
   * Returns the slack: {@value #LITTLE_SLACK}, doubled up to {@value #MUCH_SLACK} until the longest
   * time is at most {@value #LONG} iterations. If it is then still above {@value #TOO_LONG}, slack
   * is doubled as often as it takes: rows whose bounds are of no use are {@linkplain #isCertain
   * always bright}.
   */
  double slack() {
    double slack = LITTLE_SLACK;
    while (slack < MUCH_SLACK && left(slack) > LONG) {
      slack *= 2;
    }
    if (left(slack) > TOO_LONG) {
      while (left(slack) > LONG) {
        slack *= 2;
      }
    }
    return slack;
  }

  /** Returns whether rows that are candidates in every iteration stay bright. */
  static boolean isCertain(double slack) {
    return slack > MUCH_SLACK;
  }

  /** Returns whether bounds are too loose for arithmetic in doubles. */
  boolean isBeyondRounding() {
    return longestTime > BEYOND_ROUNDING;
  }

  /** Returns the longest time that slack leaves. */
  double left(double slack) {
    double share = leftBy(slack);
    double longest = 1 + (Math.min(longestTime, BEYOND_ROUNDING) - 1) * share;
    for (Scale scale : scales) {
      longest = Math.max(longest, scale.time(share));
    }
    return longest;
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

  /** Returns E[x²/(x² + s)], x ~ N(0, 1), which is 1 − √(πs/2)·exp(s/2)·erfc(√(s/2)). */
  static double leftBy(double slack) {
    return 1 - Math.sqrt(0.5 * Math.PI * slack) * Erfcx.value(Math.sqrt(0.5 * slack));
  }
}
