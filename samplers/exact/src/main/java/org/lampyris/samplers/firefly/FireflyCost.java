package org.lampyris.samplers.firefly;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Expected cost of Firefly before sampling: from E[1 − B_n/L_n] under the Laplace approximation, on
 * a sample of the rows, and from {@link FireflyMixing}.
 *
 * <p>The costs come from {@code docs/benchmarks.md}. An iteration costs some 40 µs in addition to
 * its evaluations, and an evaluation of a row that must be found some 0.5 µs. In a set-up pass, a
 * row takes 0.2 µs and 2 ns for each element of Σ̂ that it meets, and an evaluation for its rate
 * 0.12 µs.
 */
final class FireflyCost {
  /** Number of blocks that is enough for a mean over all rows, and the share of many. */
  private static final long ENOUGH = 64;

  private static final long SHARE = 100;

  /** Costs: an iteration without its evaluations; the extra for finding a row; set-up. */
  private static final double OVERHEAD = 1000;

  private static final double PICKED = 11;

  /** Usual steps of a trajectory that turns about the bounds' mode. */
  private static final int USUAL_STEPS = 4;

  /** Effective draws of an iteration with such trajectories, if brightness does not matter. */
  private static final double EFFECTIVE_DRAWS = 0.7;

  private static final double SETUP = 5;
  private static final double SETUP_SQUARE = 0.05;
  private static final double SETUP_EVALUATION = 3;

  private FireflyCost() {}

  /** Returns the rule for the candidate rates of rows. */
  static PerRowRates rates(
      SamplingContext context, FireflyBounds bounds, FireflySettings.Rates rates, double slack) {
    return new PerRowRates(
        bounds.bound(), context.laplace(), rates.kappaOfTight(slack), rates.floor());
  }

  /**
   * Expected brightness of a row.
   *
   * @param mean the mean of E[1 − B_n/L_n]
   * @param withSlack the same for bounds with slack
   * @param candidate the mean of q_n
   * @param rows of how many rows
   * @param evaluations how often their likelihood was evaluated to learn it
   */
  record Brightness(
      double mean, double withSlack, double candidate, double rows, double evaluations) {
    /** Returns how often a row's likelihood is evaluated for its own. */
    double evaluationsPerRow() {
      return rows == 0 ? 0 : evaluations / rows;
    }
  }

  /** Returns the expected brightness from some blocks; 1 if the bound has no rates to show it. */
  static Brightness brightness(
      SamplingContext context,
      FireflyBounds bounds,
      @Nullable PerRowRates rates,
      FireflySettings.Rates wanted,
      double slack) {
    if (rates == null) {
      return new Brightness(1, 1, 1, 0, 0);
    }
    long blocks = context.table().blocks();
    long sampled = Math.min(blocks, Math.max(ENOUGH, blocks / SHARE));
    return brightness(context, bounds, rates, wanted, slack, sampled);
  }

  private static Brightness brightness(
      SamplingContext context,
      FireflyBounds bounds,
      PerRowRates rates,
      FireflySettings.Rates wanted,
      double slack,
      long sampled) {
    FireflyBounds.AnchorRule rule = bounds.rule();
    double kappa = wanted.kappaOfTight(slack);
    double byRate = wanted.slackByRate(slack);
    boolean certain = FireflyMixing.isCertain(slack);
    double[] sums =
        context.sampledSum(
            sampled,
            5,
            (block, out) -> {
              PerRowRates.Expected expected = rates.expected(block, rule.anchors(block));
              for (double bright : expected.brightness()) {
                double rate = Math.min(1, Math.max(kappa * bright, Double.MIN_NORMAL));
                double loose = BoundBlock.slackOf(rate, byRate, certain);
                out[0] += bright;
                out[4] += rate;
                out[3] += 1 - (1 - bright) * Math.exp(-loose);
              }
              out[1] += block.rows();
              out[2] += expected.evaluations();
            });
    double all = sums[1];
    return new Brightness(sums[0] / all, sums[3] / all, sums[4] / all, all, sums[2]);
  }

  /**
   * Returns the expected cost with trajectories, if the posterior lies in the region; empty if
   * bounds are {@linkplain FireflyMixing#isBeyondRounding too loose}. To what trajectories lose,
   * what the alternation with brightness does is added. (Their product expects 0.02 effective draws
   * on MNIST, where 0.03 are measured.)
   *
   * @param context the model and the rows
   * @param settings the section {@code sampler.firefly}
   * @param own the settings of all kernels
   */
  static Optional<ExpectedCost> expected(
      SamplingContext context, FireflySettings settings, OwnSettings own) {
    FireflyBounds bounds = FireflyBounds.of(context, settings);
    FireflyMixing mixing = FireflyMixing.of(context, bounds);
    if (mixing.isBeyondRounding()) {
      return Optional.empty();
    }
    double slack = mixing.slack(settings);
    PerRowRates rates = rates(context, bounds, settings.rates(), slack);
    long sampled = Math.max(1, context.table().blocks() / SHARE);
    Brightness expected = brightness(context, bounds, rates, settings.rates(), slack, sampled);
    double rows = context.table().rows();
    double bright = expected.withSlack() * rows;
    double iterations = mixing.left(slack) + 1 / EFFECTIVE_DRAWS - 1;
    int d = context.laplace().dimension();
    double inPass = ExpectedCost.inPass(context);
    double rate = SETUP_EVALUATION * inPass * expected.evaluationsPerRow();
    int inRow = ExpectedCost.inRow(context);
    double row = SETUP + SETUP_SQUARE * inRow * inRow + rate;
    double candidates = expected.candidate() * rows;
    int gradients = gradients(own.of(Hmc.Settings.class), d, slack);
    double evaluations = bright * gradients + candidates;
    return Optional.of(
        new ExpectedCost(row * rows, OVERHEAD, PICKED + inPass, evaluations, iterations));
  }

  /**
   * Returns the usual gradients of a trajectory. A trajectory turns about the bounds' mode in long
   * steps, but not if rows are certainly bright: these then carry most of the information.
   */
  private static int gradients(Hmc.Settings settings, int dimension, double slack) {
    boolean given = settings.leapfrogSteps() != null || FireflyMixing.isCertain(slack);
    return 1 + (given ? settings.usualGradients(dimension) : USUAL_STEPS);
  }
}
