package org.lampyris.samplers.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.Segmented;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.rows.RowStates;

/**
 * Runs all chains of an algorithm: begins them, chooses a plan, and follows it to the end.
 *
 * @param <S> the state of a chain that runs by questions
 */
public final class ChainRuns<S extends SamplerState> {
  /** A segment is cut so that a user sees something move about as often. */
  private static final double SECONDS_PER_SEGMENT = 3;

  private static final int FIRST_SEGMENT = 256;

  /** How many rows a chain looks at in its first segment, if each is looked at but once. */
  private static final double ROWS_AT_FIRST = 1e5;

  private static final int FIRST_LEG = 8;
  private static final int GROWTH = 4;

  private final ChainWork<S> work;
  private final ChainRunner runner;
  private final RunProgress.Chains shown;
  private final int chains;
  private final Checkpoints checkpoints;
  private List<ChainState<?>> last = List.of();
  private long jobs;
  private @Nullable ExecutionPlan plan;

  /**
   * Takes what is run.
   *
   * @param work the algorithm with its rows
   * @param runner the length of the chains and the run's streams; tells {@code shown}
   * @param shown shows how far the chains are
   * @param chains how many chains
   * @param checkpoints keeps where the chains are, and may have them go on from there
   */
  public ChainRuns(
      ChainWork<S> work,
      ChainRunner runner,
      RunProgress.Chains shown,
      int chains,
      Checkpoints checkpoints) {
    this.work = work;
    this.runner = runner;
    this.shown = shown;
    this.chains = chains;
    this.checkpoints = checkpoints;
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
    Optional<Checkpoints.Resumed> resumed = checkpoints.resumed();
    return resumed.isPresent() ? goOn(resumed.get()) : begin(kernel, start, plan);
  }

  private List<ChainTrace> begin(
      ThetaKernel kernel, IntFunction<double[]> start, Supplier<ExecutionPlan> plan) {
    List<ChainTrace> traces = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      traces.add(ChainTrace.overflowing(c));
    }
    List<ChainState<S>> begun =
        team(
            (c, transition) -> runner.begin(traces.get(c - 1), transition, kernel, start.apply(c)));
    ExecutionPlan chosen = chosen(plan.get());
    if (chosen.segment() > 0) {
      inSegments(work.segmented(runner, begun), chosen, traces);
    } else {
      byQuestions(begun, chosen, traces);
    }
    return traces;
  }

  @SuppressWarnings("unchecked") // the states of chains that have run by questions
  private List<ChainTrace> goOn(Checkpoints.Resumed resumed) {
    Checkpoint from = resumed.checkpoint();
    List<ChainTrace> traces = resumed.traces();
    shown.segment(traces);
    shown.note(
        String.format(Locale.ROOT, "resumed after %,d iterations of each chain", from.iteration()));
    jobs = from.jobs();
    ExecutionPlan chosen = chosen(from.plan());
    if (chosen.segment() > 0) {
      inSegments(work.resumed(runner, from.chains()), chosen, traces);
    } else {
      RowStates.Kept rows = from.rows();
      if (rows != null) {
        work.rowStates().orElseThrow().resume(rows, resumed.rows());
      }
      byQuestions(
          from.chains().stream().map(state -> (ChainState<S>) state).toList(), chosen, traces);
    }
    return traces;
  }

  private ExecutionPlan chosen(ExecutionPlan made) {
    shown.note(made.line());
    plan = made;
    return made;
  }

  /** Returns where the chains are at their end, in their order. */
  public List<ChainState<?>> states() {
    return last;
  }

  /** Returns how the chains went on, and why; null before they have begun. */
  public @Nullable ExecutionPlan plan() {
    return plan;
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

  /** Makes iterations by jobs, all chains halting together as often as checkpoints may be due. */
  private void byQuestions(List<ChainState<S>> begun, ExecutionPlan plan, List<ChainTrace> traces) {
    long end = runner.length().iterations();
    List<ChainState<S>> now = begun;
    long leg = checkpoints.isKept() ? FIRST_LEG : end;
    while (now.get(0).iteration() < end) {
      List<ChainState<S>> from = now;
      long to = Math.min(end, from.get(0).iteration() + leg);
      long clock = System.nanoTime();
      now = team((c, chain) -> runner.advance(from.get(c - 1), to, chain, traces.get(c - 1)));
      double wanted = leg * SECONDS_PER_SEGMENT / (1e-9 * (System.nanoTime() - clock));
      keepIfDue(plan, List.copyOf(now), traces);
      leg = (long) Math.max(1, Math.min(wanted, GROWTH * (double) leg));
    }
    last = List.copyOf(now);
  }

  private void inSegments(Segmented going, ExecutionPlan plan, List<ChainTrace> traces) {
    long before = jobs;
    try (Segmented segments = going) {
      last = segments.states();
      long left = runner.length().iterations() - last.get(0).iteration();
      int size = Math.min(plan.segment(), firstSegment());
      int now = (int) Math.min(stretch(left), size);
      double wanted = plan.segment();
      while (left > 0) {
        // The next segment is settled before this one has been timed: its pool is drawn meanwhile.
        int next =
            (int) Math.max(1, Math.min(Math.min(plan.segment(), wanted), GROWTH * (double) size));
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
        last = segments.states();
        jobs = before + segments.jobs();
        keepIfDue(plan, last, traces);
      }
    }
  }

  /** Where chains look at all rows, 256 iterations may take minutes, in which none can halt. */
  private int firstSegment() {
    double rows = work.segmentSize().map(SegmentSize::bright).orElse(0L);
    return (int) Math.max(1, Math.min(FIRST_SEGMENT, ROWS_AT_FIRST / Math.max(1, rows)));
  }

  private void keepIfDue(ExecutionPlan plan, List<ChainState<?>> states, List<ChainTrace> traces) {
    boolean ended = states.get(0).iteration() == runner.length().iterations();
    if (!checkpoints.isKept() || !(ended || checkpoints.isDue())) {
      return;
    }
    checkpoints.keep(
        states.get(0).iteration(),
        store -> {
          RowStates.Kept rows =
              plan.segment() > 0
                  ? null
                  : work.rowStates().map(kept -> kept.keep(store)).orElse(null);
          return new Checkpoint(plan, List.copyOf(states), rows, jobs);
        },
        traces,
        work.beyond().names());
  }

  /** Returns how many iterations are left of the phase: no segment has draws and warm-up both. */
  private long stretch(long left) {
    long sampling = runner.length().iterations() - runner.length().warmup();
    return left > sampling ? left - sampling : left;
  }
}
