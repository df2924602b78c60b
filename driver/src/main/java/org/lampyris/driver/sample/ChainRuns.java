package org.lampyris.driver.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.lampyris.driver.progress.Progress;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.ThetaKernel;

/** Runs all chains of an algorithm: begins them, chooses a plan, and follows it to the end. */
final class ChainRuns {
  /** A segment is cut so that a user sees something move about as often. */
  private static final double SECONDS_PER_SEGMENT = 3;

  private static final int FIRST_SEGMENT = 256;
  private static final int GROWTH = 4;

  private final Algorithm algorithm;
  private final ChainRunner runner;
  private final ChainProgress shown;
  private final int chains;
  private long jobs;
  private String planLine = "";

  /**
   * Takes what is run.
   *
   * @param algorithm the algorithm
   * @param runner the length of the chains and the run's streams; tells {@code shown}
   * @param shown shows how far the chains are
   * @param chains how many chains
   */
  ChainRuns(Algorithm algorithm, ChainRunner runner, ChainProgress shown, int chains) {
    this.algorithm = algorithm;
    this.runner = runner;
    this.shown = shown;
    this.chains = chains;
  }

  /**
   * Runs the chains.
   *
   * @param kernel the θ-kernel with the step size to begin with
   * @param start the starting point of each chain
   * @param plan chooses, once the chains have begun
   * @param progress is told the choice
   */
  List<ChainTrace> run(
      ThetaKernel kernel,
      IntFunction<double[]> start,
      Function<Algorithm, ExecutionPlan> plan,
      Progress progress) {
    List<ChainTrace> traces = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      traces.add(new ChainTrace(c));
    }
    List<ChainState> begun =
        team(
            (c, transition) -> runner.begin(traces.get(c - 1), transition, kernel, start.apply(c)));
    ExecutionPlan chosen = plan.apply(algorithm);
    progress.note(chosen.line());
    planLine = chosen.line();
    if (chosen.segment() > 0) {
      inSegments(begun, chosen.segment(), traces);
    } else {
      long end = runner.length().iterations();
      team((c, transition) -> runner.advance(begun.get(c - 1), end, transition, traces.get(c - 1)));
    }
    return traces;
  }

  /** Returns what plan was chosen, and why. */
  String plan() {
    return planLine;
  }

  /** Returns how many Spark jobs were run. */
  long jobs() {
    return jobs;
  }

  private List<ChainState> team(ChainTeam.Work<ChainState> work) {
    Algorithm.Questions questions = algorithm.questions();
    List<ChainState> after =
        ChainTeam.run(chains, questions.batcher(), c -> work.of(c, questions.kernels().apply(c)));
    jobs += questions.batcher().jobs();
    return after;
  }

  private void inSegments(List<ChainState> begun, int longest, List<ChainTrace> traces) {
    long left = runner.length().iterations();
    try (Algorithm.Segments segments = algorithm.segments(runner, begun)) {
      int size = Math.min(longest, FIRST_SEGMENT);
      int now = (int) Math.min(stretch(left), size);
      double wanted = longest;
      while (left > 0) {
        // The next segment is settled before this one has been timed: its pool is drawn meanwhile.
        int next = (int) Math.max(1, Math.min(Math.min(longest, wanted), GROWTH * (double) size));
        int following = (int) Math.min(stretch(left - now), next);
        long clock = System.nanoTime();
        List<ChainTrace> done = segments.run(now, following);
        if (now == size) {
          wanted = now * SECONDS_PER_SEGMENT / (1e-9 * (System.nanoTime() - clock));
        }
        size = next;
        for (int c = 0; c < chains; c++) {
          traces.get(c).append(done.get(c));
        }
        shown.segment(done);
        left -= now;
        now = following;
      }
      jobs += segments.jobs();
    }
  }

  /** Returns how many iterations are left of the phase: no segment has draws and warm-up both. */
  private long stretch(long left) {
    long sampling = runner.length().iterations() - runner.length().warmup();
    return left > sampling ? left - sampling : left;
  }
}
