package org.lampyris.samplers.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.random.Streams;

/**
 * The usual run of an algorithm: its rows are loaded, the chains begin by questions, and go on by
 * questions or in segments, whichever the plan says.
 */
public final class ResidentChains {
  private ResidentChains() {}

  /**
   * An algorithm with its resident rows.
   *
   * @param <S> the state of a chain that runs by questions
   */
  public interface Loaded<S extends SamplerState> extends ChainWork<S>, AutoCloseable {
    /** Returns the region where the algorithm's own kernel holds, if it is not everywhere. */
    default Optional<Region> region() {
      return Optional.empty();
    }

    /** Returns how often all rows have been read, in passes other than those of questions. */
    long passes();

    /** Returns how many (row, θ) pairs had their likelihood evaluated to load them. */
    default long evaluations() {
      return 0;
    }

    /** Returns what was decided to load them, or is to be known. */
    default List<Decision> decisions() {
      return List.of();
    }

    /** Returns how the chains go on, where that is known before they have begun. */
    default Optional<ExecutionPlan> plan() {
      return Optional.empty();
    }

    /** Returns what the draws are measured to be off by; null if that is not measured here. */
    default @Nullable Bias bias(List<ChainTrace> traces) {
      return null;
    }

    /** Is called once, when all chains have come to their end, with where they are. */
    default void finished(List<ChainState<?>> last) {}

    /** Drops what is resident. */
    @Override
    void close();
  }

  /**
   * Runs all chains.
   *
   * @param <S> the state of a chain
   * @param context what the run is given
   * @param target the mean acceptance probability that warm-up aims at, if the user wants no other
   * @param load makes the rows resident
   */
  public static <S extends SamplerState> RunResult run(
      SamplingContext context, double target, Supplier<Loaded<S>> load) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    List<Decision> decisions = new ArrayList<>();
    RunProgress progress = context.inputs().progress();
    long begun = System.nanoTime();
    progress.begin(RunResult.LOAD);
    try (Loaded<S> loaded = load.get()) {
      if (loaded.evaluations() > 0) {
        progress.note(
            String.format(
                Locale.ROOT, "%,d likelihood evaluations to set up", loaded.evaluations()));
      }
      loaded.decisions().forEach(decision -> progress.note(decision.text()));
      decisions.addAll(loaded.decisions());
      progress.end();
      seconds.put(RunResult.LOAD, 1e-9 * (System.nanoTime() - begun));
      ChainSettings chains = context.inputs().chains();
      Double wanted = context.kernel().targetAcceptance();
      ChainRunner.Length length =
          new ChainRunner.Length(
              chains.warmup(), chains.draws(), chains.thin(), wanted == null ? target : wanted);
      RunProgress.Chains shown = progress.chains(context.chains(), length);
      ChainRuns<S> runs =
          new ChainRuns<>(
              loaded,
              new ChainRunner(length, context.streams(), shown),
              shown,
              context.chains(),
              context.inputs().checkpoints());
      List<ChainTrace> traces;
      try (shown) {
        traces =
            runs.run(
                context.thetaKernel(),
                chain -> start(context.inputs(), chain),
                () ->
                    loaded
                        .plan()
                        .orElseGet(
                            () ->
                                ExecutionPlan.choose(
                                    context.inputs().plan(),
                                    context.chains(),
                                    loaded.segmentSize(),
                                    context::jobLatency)));
        decisions.add(Objects.requireNonNull(runs.plan()).why());
      }
      seconds.put(RunResult.WARMUP, shown.warmupSeconds());
      seconds.put(RunResult.SAMPLE, shown.samplingSeconds());
      loaded.finished(runs.states());
      loaded.region().ifPresent(region -> decisions.add(reach(region, traces, progress)));
      return new RunResult(
          traces,
          new RunResult.Cost(
              loaded.passes(),
              loaded.evaluations()
                  + traces.stream().mapToLong(ChainTrace::initialEvaluations).sum(),
              runs.jobs(),
              context.residentBytes()),
          seconds,
          decisions,
          loaded.bias(traces),
          null,
          loaded.beyond());
    }
  }

  private static double[] start(RunInputs inputs, int chain) {
    return StartingPoint.of(
        inputs.chains().init(),
        inputs.laplace(),
        inputs.model().prior(),
        inputs.streams().stream(Streams.Purpose.INITIAL, chain, 0, 0));
  }

  private static Decision reach(Region region, List<ChainTrace> traces, RunProgress progress) {
    progress.begin("reach");
    Decision reach = Reach.of(region, traces).decision();
    progress.note(reach.text());
    progress.end();
    return reach;
  }
}
