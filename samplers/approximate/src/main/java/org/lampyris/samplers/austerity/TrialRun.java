package org.lampyris.samplers.austerity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.BatchNormality;
import org.lampyris.samplers.minibatch.BatchQuestions;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Trial run: pairs (θ, θ′) as a chain meets them, θ from the Laplace approximation, θ′ proposed
 * with the first step size, evaluated on all rows. For the design of the test, and for the question
 * whether means of batches are normal, which all of it stands on.
 */
record TrialRun(
    SamplingContext context,
    ResidentRows<PlainBlock> rows,
    Remainders remainders,
    List<Known> known) {
  /** Number of pairs whose batches are compared with Student's t. */
  static final int CHECKED = BatchNormality.PAIRS;

  /** A pair with its evaluations. */
  record Known(double[] from, double[] to, TestDesign.Pair pair) {}

  /** Draws pairs, and reads all rows once for all of them. */
  static TrialRun of(
      SamplingContext context, ResidentRows<PlainBlock> rows, Remainders remainders, int pairs) {
    ProposalKernel kernel = (ProposalKernel) context.thetaKernel();
    Preconditioner factor = Preconditioner.of(context.laplace());
    Prior prior = context.model().prior();
    UniformRandomProvider rng = context.streams().stream(Streams.Purpose.INITIAL, 0, 1, 0);
    double[][] from = new double[pairs][];
    double[][] to = new double[pairs][];
    for (int i = 0; i < pairs; i++) {
      from[i] = kernel.start(StartingPoint.laplace(context.laplace().mode(), factor, 1, rng));
      to[i] = kernel.propose(from[i], rng);
    }
    double[] sums =
        rows.sum(
            2 * pairs,
            (block, out) -> {
              int[] all = new int[block.data().rows()];
              Arrays.setAll(all, row -> row);
              for (int i = 0; i < from.length; i++) {
                double[] one = new double[2];
                remainders.changes(from[i], to[i]).addTo(block.data(), all, one);
                out[2 * i] += one[0];
                out[2 * i + 1] += one[1];
              }
            });
    List<Known> known = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      BatchMoments all = new BatchMoments(context.table().rows(), sums[2 * i], sums[2 * i + 1]);
      double rest =
          prior.logDensity(to[i])
              - prior.logDensity(from[i])
              + kernel.correction(from[i], to[i])
              + remainders.proxies(to[i])
              - remainders.proxies(from[i]);
      if (rest > Double.NEGATIVE_INFINITY && all.variance(false) > 0) {
        double sd = Math.sqrt(all.variance(false));
        known.add(new Known(from[i], to[i], new TestDesign.Pair(rest, all.mean(), sd)));
      }
    }
    return new TrialRun(context, rows, remainders, known);
  }

  /** Returns the pairs for the design. */
  List<TestDesign.Pair> pairs() {
    return known.stream().map(Known::pair).toList();
  }

  /**
   * Returns a warning if t = (v̄ − μ)/s of batches does not follow Student's t: {@link
   * BatchNormality} for a few pairs.
   *
   * @param batch m
   */
  Optional<Decision> notNormal(long batch) {
    long all = context.table().rows();
    if (2 * batch > all) {
      return Optional.empty();
    }
    BatchQuestions questions =
        new BatchQuestions(context.streams().seed(), all, context.table().blockRows());
    double least = 1;
    List<Known> checked = known.subList(0, Math.min(CHECKED, known.size()));
    for (Known pair : checked) {
      List<BatchQuestions.Question> asked = new ArrayList<>();
      for (int k = 0; k < BatchNormality.BATCHES; k++) {
        asked.add(
            new BatchQuestions.Question(
                0, asked.size(), 0, batch, remainders.changes(pair.from, pair.to)));
      }
      List<BatchMoments> batches =
          rows.questions(questions).apply(asked).stream()
              .map(sums -> new BatchMoments(batch, sums[0], sums[1]))
              .toList();
      least = Math.min(least, BatchNormality.pValue(batches, pair.pair.mean(), all));
    }
    return !BatchNormality.isAlarm(least)
        ? Optional.empty()
        : Optional.of(
            Decision.of(
                "austerity",
                Map.of("p", least),
                Text.of(
                    "austerity: means of batches of %d rows are not normal here (p = %.1g)."
                        + " Decisions are then wrong more often than sampler.austerity.epsilon, and"
                        + " the bias may be large. Raise sampler.austerity.batch, set"
                        + " sampler.austerity.proxy: mode, or choose sampler.algorithm:"
                        + " confidence.",
                    batch, least)));
  }
}
