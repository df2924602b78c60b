package org.lampyris.samplers.algorithm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Log posterior log p(θ) + Σ_n log L_n(θ) at every kept draw, natural log, without the evidence. If
 * an algorithm's chains know another density (given the rows' states, or of proxies), it is
 * computed after sampling, with all rows read once for many draws.
 *
 * @param values chains × draws; null if they are left out
 * @param how what was done, and why; null where the chains knew it
 */
public record LogPosteriors(double @Nullable [][] values, @Nullable Decision how) {
  /**
   * The work that is worth it: some seconds of two cores. Measured for logistic regression with 5,
   * 20 and 50 coefficients on a busy machine: 5 to 7·10⁸ a second and core.
   */
  public static final double WORTH_IT = 5e9;

  private static final String TOPIC = "lp__";

  /** Cost of a row's logistic likelihood without its linear predictor, in coefficients. */
  static final int LIKELIHOOD = 20;

  /** The work of a unit of {@link ExpectedCost}: an evaluation with 20 coefficients. */
  public static final int UNIT = 20 + LIKELIHOOD;

  /** Coefficients of the draws of one pass: 8 MB, sent to every task. */
  private static final int PASS_COEFFICIENTS = 1 << 20;

  /** Whether unknown values are computed. */
  public enum When {
    /** If it takes no more than some seconds. */
    AUTO,
    /** However long it takes. */
    ALWAYS,
    /** Never: only algorithms that know them report them. */
    NEVER
  }

  /**
   * Returns the log posterior at the draws of an algorithm's chains of equal length, computed if it
   * is unknown and wanted.
   *
   * @param settings which algorithm, chosen, and when it is computed
   */
  public static LogPosteriors of(
      SamplerSettings settings, SamplingContext context, List<ChainTrace> chains) {
    SamplingAlgorithm algorithm = settings.type().orElseThrow();
    When when = settings.lp();
    if (algorithm.has(Trait.KNOWS_LOG_POSTERIOR)) {
      return new LogPosteriors(
          chains.stream()
              .map(chain -> chain.logDensities().stream().mapToDouble(x -> x).toArray())
              .toArray(double[][]::new),
          null);
    }
    if (context.model().isProgram()) {
      return new LogPosteriors(null, null);
    }
    long draws = chains.stream().mapToLong(ChainTrace::size).sum();
    double work = (double) context.table().rows() * draws * work(context);
    if (when == When.NEVER || (when == When.AUTO && work > WORTH_IT)) {
      return new LogPosteriors(
          null,
          new Decision(
              TOPIC,
              "left out",
              Map.of("evaluations", (double) context.table().rows() * draws),
              leftOut(when, context, draws)));
    }
    Prior prior = algorithm.prior(context, settings.own());
    return computed(context, prior, chains);
  }

  /** Returns the work of one evaluation of a row's likelihood. */
  public static double work(SamplingContext context) {
    return ExpectedCost.inRow(context) + LIKELIHOOD * context.model().model().expense();
  }

  private static String leftOut(When when, SamplingContext context, long draws) {
    return when == When.NEVER
        ? "lp__: not computed, as set by sampler.lp: never"
        : Text.of(
            "lp__: not computed, because the log posterior of %d draws on %d rows takes several"
                + " seconds; set sampler.lp: always to compute it",
            draws, context.table().rows());
  }

  private static LogPosteriors computed(
      SamplingContext context, Prior prior, List<ChainTrace> chains) {
    int each = chains.get(0).size();
    double[] all =
        at(context, prior, chains.size() * each, i -> chains.get(i / each).draws().get(i % each));
    int passes = passes(context, all.length);
    double[][] values = new double[chains.size()][];
    int next = 0;
    for (int c = 0; c < values.length; c++) {
      values[c] = Arrays.copyOfRange(all, next, next + chains.get(c).size());
      next += values[c].length;
    }
    return new LogPosteriors(
        values,
        new Decision(
            TOPIC,
            "computed",
            Map.of("passes", (double) passes),
            Text.of(
                "lp__: the log posterior of %d draws, computed in %d pass%s over the rows after"
                    + " sampling",
                all.length, passes, passes == 1 ? "" : "es")));
  }

  /**
   * Returns log p(θ) + Σ_n log L_n(θ) at many points, natural log; −∞ outside of the support. Rows
   * are read once for as many points as 8 MB hold.
   *
   * @param size how many points there are
   * @param theta the point of a number from 0; asked for once
   */
  public static double[] at(
      SamplingContext context, Prior prior, int size, IntFunction<double[]> theta) {
    Model model = context.model().model();
    int ofPass = drawsOfPass(context);
    double[] all = new double[size];
    for (int first = 0; first < size; first += ofPass) {
      int last = Math.min(size, first + ofPass);
      double[][] asked = IntStream.range(first, last).mapToObj(theta).toArray(double[][]::new);
      double[] sums =
          context.sampledSum(
              context.table().blocks(),
              asked.length,
              (block, out) -> model.addLogLikelihoods(block, asked, out));
      for (int i = 0; i < sums.length; i++) {
        double logPrior = prior.logDensity(asked[i]);
        // Beyond the support the likelihood need not be a number.
        all[first + i] =
            logPrior > Double.NEGATIVE_INFINITY ? logPrior + sums[i] : Double.NEGATIVE_INFINITY;
      }
    }
    return all;
  }

  /** Returns how many passes over the rows {@link #at} makes. */
  public static int passes(SamplingContext context, int size) {
    return (size + drawsOfPass(context) - 1) / drawsOfPass(context);
  }

  private static int drawsOfPass(SamplingContext context) {
    return Math.max(1, PASS_COEFFICIENTS / context.model().model().dimension());
  }
}
