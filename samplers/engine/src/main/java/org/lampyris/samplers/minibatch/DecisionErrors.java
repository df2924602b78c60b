package org.lampyris.samplers.minibatch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Measured rate of wrong decisions by batches: on proposals from draws of the run, each decided as
 * in an iteration after its last one, and again by all rows, with the same u.
 *
 * @param knob what the user turns to make it less, with its value
 */
public record DecisionErrors(SamplingContext context, String knob)
    implements MinibatchRun.Measure<TrialKernel.State> {
  /** Kernel whose decisions can be repeated by all rows. */
  public interface Checked {
    /**
     * Returns whether a proposal from a point is decided upon otherwise than by all rows, with the
     * same u.
     */
    boolean isWrong(Point from, long iteration, ThetaKernel kernel, Streams streams, int chain);
  }

  /** Largest and smallest number of proposals. */
  private static final int MOST = 200;

  private static final int LEAST = 20;

  /** Confidence of the reported limit. */
  private static final double CONFIDENCE = 0.95;

  @Override
  public Bias of(List<ChainTrace> traces, ResidentAlgorithm.Questions<TrialKernel.State> asked) {
    int chains = traces.size();
    double decision = 2.0 * context.table().rows() * LogPosteriors.work(context);
    double affordable = LogPosteriors.WORTH_IT / decision;
    int proposals = (int) Math.max(LEAST, Math.min(MOST, affordable));
    int each = Math.max(1, proposals / chains);
    int wrong =
        asked
            .team()
            .run(c -> wrong((Checked) asked.kernels().apply(c), traces.get(c - 1), each))
            .stream()
            .mapToInt(count -> count)
            .sum();
    return bias(wrong, chains * each);
  }

  private int wrong(Checked rows, ChainTrace trace, int count) {
    ThetaKernel kernel = context.thetaKernel().withStepSize(trace.stepSize());
    long last = context.inputs().chains().warmup() + (long) trace.sampling().size();
    Streams streams = context.streams();
    return (int)
        IntStream.range(0, count)
            .filter(
                i -> {
                  double[] theta = trace.draws().get((int) ((long) i * trace.size() / count));
                  return rows.isWrong(
                      Point.at(theta), last + 1 + i, kernel, streams, trace.chain());
                })
            .count();
  }

  private Bias bias(int wrong, int proposals) {
    double rate = (double) wrong / proposals;
    // Clopper and Pearson's upper limit.
    double limit =
        wrong == proposals
            ? 1
            : BetaDistribution.of(wrong + 1.0, proposals - wrong)
                .inverseCumulativeProbability(CONFIDENCE);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("decisions", (double) proposals);
    figures.put("wrong_decisions", (double) wrong);
    figures.put("decision_error_rate", rate);
    figures.put("decision_error_rate_at_most", limit);
    return new Bias(
        knob,
        figures,
        Text.of(
            "%d of %d decisions on the run's proposals differ from the decision with all rows: %.1f"
                + " %%, with 95 %% confidence at most %.1f %% (%s)",
            wrong, proposals, 100 * rate, 100 * limit, knob));
  }
}
