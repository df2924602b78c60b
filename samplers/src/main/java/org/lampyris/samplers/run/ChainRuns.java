package org.lampyris.samplers.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.density.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.segment.ExecutionPlan;
import org.lampyris.samplers.segment.Segmented;

/**
 * Runs all chains of an algorithm: begins them, chooses a plan, and follows it to the end.
 *
 * @param <S> the state of a chain that runs by questions
 */
public final class ChainRuns<S extends SamplerState> {
  /** A segment is cut so that a user sees something move about as often. */
  private static final double SECONDS_PER_SEGMENT = 3;

  private static final int FIRST_SEGMENT = 256;
  private static final int GROWTH = 4;

  private final ChainWork<S> work;
  private final ChainRunner runner;
  private final RunProgress.Chains shown;
  private final int chains;
  private long jobs;
  private String planLine = "";

  /**
   * Takes what is run.
   *
   * @param work the algorithm with its rows
   * @param runner the length of the chains and the run's streams; tells {@code shown}
   * @param shown shows how far the chains are
   * @param chains how many chains
   */
  public ChainRuns(ChainWork<S> work, ChainRunner runner, RunProgress.Chains shown, int chains) {
    this.work = work;
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
   */
  public List<ChainTrace> run(
      ThetaKernel kernel, IntFunction<double[]> start, Supplier<ExecutionPlan> plan) {
    List<ChainTrace> traces = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      traces.add(new ChainTrace(c));
    }
    List<ChainState<S>> begun =
        team(
            (c, transition) -> runner.begin(traces.get(c - 1), transition, kernel, start.apply(c)));
    ExecutionPlan chosen = plan.get();
    shown.note(chosen.line());
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
  public String plan() {
    return planLine;
  }

  /** Returns how many jobs were run. */
  public long jobs() {
    return jobs;
  }

  private List<ChainState<S>> team(ChainTeam.Work<S, ChainState<S>> each) {
    ChainWork.Questions<S> questions = work.questions();
    List<ChainState<S>> after =
        ChainTeam.run(chains, questions.batcher(), c -> each.of(c, questions.kernels().apply(c)));
    jobs += questions.batcher().jobs();
    return after;
  }

  private void inSegments(List<ChainState<S>> begun, int longest, List<ChainTrace> traces) {
    long left = runner.length().iterations();
    try (Segmented segments = work.segmented(runner, begun)) {
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
