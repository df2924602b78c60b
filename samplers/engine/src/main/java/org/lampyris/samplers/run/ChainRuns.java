package org.lampyris.samplers.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentedChains;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.StoredForm;

/**
 * Run of an algorithm: its rows are loaded, all chains start by questions, and continue by
 * questions or in segments, according to the plan. {@link #follow} is the loop over iterations.
 *
 * @param <S> the state of a chain that asks the rows
 * @param <T> the state of a chain between two segments
 */
public final class ChainRuns<
    B extends RowBlock<B>, S extends SamplerState, T extends SamplerState> {
  /** A segment is cut so that a user sees something move about as often. */
  private static final double SECONDS_PER_SEGMENT = 3;

  private static final int FIRST_SEGMENT = 256;

  /** Number of rows that a chain reads in its first segment, if each is read only once. */
  private static final double ROWS_AT_FIRST = 1e5;

  private static final int FIRST_LEG = 8;
  private static final int GROWTH = 4;

  private final ResidentAlgorithm<B, S, T> algorithm;
  private final ChainRunner runner;
  private final RunProgress.Chains shown;
  private final int chains;
  private final Checkpoints checkpoints;
  private final LongSupplier clock;
  private List<ChainTrace> traces = new ArrayList<>();
  private List<ChainState<?>> last = List.of();
  private long jobs;
  private List<Decision> decided = List.of();

  /**
   * Takes the inputs of the run.
   *
   * @param runner the length of the chains and the run's streams; reports to {@code shown}
   * @param shown shows how far the chains are
   * @param chains how many chains
   * @param checkpoints keeps where the chains are, and may have them go on from there
   */
  public ChainRuns(
      ResidentAlgorithm<B, S, T> algorithm,
      ChainRunner runner,
      RunProgress.Chains shown,
      int chains,
      Checkpoints checkpoints) {
    this(algorithm, runner, shown, chains, checkpoints, System::nanoTime);
  }

  /** Takes them with the clock, in nanoseconds, by which the legs are cut. */
  ChainRuns(
      ResidentAlgorithm<B, S, T> algorithm,
      ChainRunner runner,
      RunProgress.Chains shown,
      int chains,
      Checkpoints checkpoints,
      LongSupplier clock) {
    this.clock = clock;
    this.algorithm = algorithm;
    this.runner = runner;
    this.shown = shown;
    this.chains = chains;
    this.checkpoints = checkpoints;
  }

  /**
   * Runs an algorithm from its rows to its result.
   *
   * @param context what the run is given
   * @param target the mean acceptance probability that warm-up aims at, if the user wants no other
   * @param load makes the rows resident
   */
  public static <B extends RowBlock<B>, S extends SamplerState, T extends SamplerState>
      RunResult run(
          SamplingContext context, double target, Supplier<ResidentAlgorithm<B, S, T>> load) {
    RunInputs inputs = context.inputs();
    RunProgress progress = inputs.progress();
    Map<String, Double> seconds = new LinkedHashMap<>();
    long begun = System.nanoTime();
    progress.begin(RunResult.LOAD);
    try (ResidentAlgorithm<B, S, T> loaded = load.get()) {
      if (loaded.evaluations() > 0) {
        progress.note(
            String.format(
                Locale.ROOT, "%,d likelihood evaluations to set up", loaded.evaluations()));
      }
      loaded.decisions().forEach(decision -> progress.note(decision.text()));
      List<Decision> decisions = new ArrayList<>(loaded.decisions());
      progress.end();
      seconds.put(RunResult.LOAD, 1e-9 * (System.nanoTime() - begun));
      ChainSettings of = inputs.chains();
      Double wanted = context.kernel().targetAcceptance();
      ChainRunner.Length length =
          new ChainRunner.Length(
              of.warmup(), of.draws(), of.thin(), wanted == null ? target : wanted);
      RunProgress.Chains shown = progress.chains(context.chains(), length);
      ChainRunner runner = new ChainRunner(length, context.streams(), shown);
      ChainRuns<B, S, T> runs =
          new ChainRuns<>(loaded, runner, shown, context.chains(), inputs.checkpoints());
      List<ChainTrace> traces;
      try (shown) {
        traces =
            runs.run(
                context.thetaKernel(),
                chain -> start(inputs, chain),
                () -> loaded.plan().orElseGet(() -> chosen(context, loaded.segmentSize())));
        decisions.addAll(runs.decided);
      }
      seconds.put(RunResult.WARMUP, shown.warmupSeconds());
      seconds.put(RunResult.SAMPLE, shown.samplingSeconds());
      loaded.finished(runs.last);
      RegionKernel.Around<B> around = loaded.around();
      if (around != null) {
        decisions.addAll(reach(around.region(), traces, progress));
      }
      long initial = traces.stream().mapToLong(ChainTrace::initialEvaluations).sum();
      return new RunResult(
          traces,
          new RunResult.Cost(
              loaded.passes(), loaded.evaluations() + initial, runs.jobs, context.residentBytes()),
          seconds,
          decisions,
          loaded.bias(traces),
          null,
          loaded.beyond());
    }
  }

  private static ExecutionPlan chosen(SamplingContext context, Optional<SegmentSize> size) {
    return ExecutionPlan.choose(
        context.inputs().plan(), context.chains(), size, context::jobLatency);
  }

  private static double[] start(RunInputs inputs, int chain) {
    return StartingPoint.of(
        inputs.chains().init(),
        inputs.laplace(),
        inputs.model().prior(),
        inputs.streams().stream(Streams.Purpose.INITIAL, chain, 0, 0));
  }

  private static List<Decision> reach(
      Region region, List<ChainTrace> traces, RunProgress progress) {
    progress.begin("reach");
    RegionKernel.Reach reach = RegionKernel.Reach.of(region, traces);
    progress.note(reach.line());
    progress.end();
    return Stream.concat(Stream.of(reach.decision()), reach.rarelyCrossed().stream()).toList();
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
    Optional<Checkpoints.Resumed> kept = checkpoints.resumed();
    if (kept.isPresent()) {
      resume(kept.get(), kernel);
    } else {
      traces = IntStream.rangeClosed(1, chains).mapToObj(ChainTrace::overflowing).toList();
      List<ChainState<S>> begun =
          team((c, own) -> runner.begin(traces.get(c - 1), own, kernel, start.apply(c)));
      if (checkpoints.isKept()) {
        requireStored(begun.get(0));
      }
      ExecutionPlan chosen = noted(plan.get());
      follow(
          chosen,
          chosen.segment() > 0 ? new InSegments(algorithm.carrying(begun)) : new Asking(begun));
    }
    return traces;
  }

  /** Refuses a state that no checkpoint can hold at once, and not after the first hours. */
  private static void requireStored(ChainState<?> state) {
    try {
      byte[] unused = StoredForm.bytes(state.kept());
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "The state of this algorithm's chains is not data: %s. Make it such a record, or set sampler.checkpoint_minutes: 0."
              .formatted(e.getMessage()),
          e);
    }
  }

  private void resume(Checkpoints.Resumed resumed, ThetaKernel begun) {
    Checkpoint from = resumed.checkpoint();
    traces = resumed.traces();
    shown.segment(traces);
    shown.note(
        String.format(Locale.ROOT, "resumed after %,d iterations of each chain", from.iteration()));
    jobs = from.jobs();
    ExecutionPlan plan = noted(from.plan());
    RowStates.Kept rows = from.rows();
    if (plan.segment() > 0) {
      List<ChainState<T>> states =
          resumed(from, begun, chain -> algorithm.kernelWithinSegment(chain, all()));
      follow(plan, new InSegments(states));
      return;
    }
    if (rows != null) {
      algorithm.rowStates().orElseThrow().resume(rows, resumed.rows());
    }
    follow(plan, new Asking(resumed(from, begun, chain -> algorithm.kernel(chain, all()))));
  }

  private RowClient<B> all() {
    return RowClient.alone(algorithm.rows());
  }

  private static <U extends SamplerState> List<ChainState<U>> resumed(
      Checkpoint from, ThetaKernel begun, IntFunction<TransitionKernel<U>> kernels) {
    return from.chains().stream()
        .map(kept -> kept.resumed(kernels.apply(kept.chain()).restored(kept.state()), begun))
        .toList();
  }

  private ExecutionPlan noted(ExecutionPlan plan) {
    shown.note(plan.line());
    decided = List.of(plan.why());
    return plan;
  }

  /** Runs all chains leg by leg, and keeps their states whenever that is due. */
  private void follow(ExecutionPlan plan, Legs going) {
    try (Legs legs = going) {
      last = legs.states();
      Pace pace = new Pace(plan, runner.length().iterations() - last.get(0).iteration());
      while (pace.now > 0) {
        long before = clock.getAsLong();
        double own = legs.run(pace.now, pace.following);
        double seconds = 1e-9 * (clock.getAsLong() - before);
        pace.took(seconds, Math.min(own, seconds));
        last = legs.states();
        keepIfDue(plan);
      }
    }
  }

  /** Iterations of all chains, which halt together; their step sizes adapt on the way. */
  private interface Legs extends AutoCloseable {
    /**
     * Runs iterations of every chain; {@code following} are announced, 0 if none.
     *
     * @return the seconds that the slowest chain's iterations took by themselves, if that is known
     */
    double run(long iterations, long following);

    /** Returns the states of the chains, all at the same iteration, in order. */
    List<ChainState<?>> states();

    @Override
    void close();
  }

  private interface Work<S extends SamplerState> {
    ChainState<S> of(int chain, TransitionKernel<S> kernel);
  }

  private List<ChainState<S>> team(Work<S> each) {
    ResidentAlgorithm.Questions<S> questions = algorithm.questions(chains);
    List<ChainState<S>> after = questions.team().run(c -> each.of(c, questions.kernels().apply(c)));
    jobs += questions.team().jobs();
    return after;
  }

  /** Chains that ask the rows. */
  private final class Asking implements Legs {
    private List<ChainState<S>> states;

    Asking(List<ChainState<S>> begun) {
      states = begun;
    }

    @Override
    public double run(long iterations, long following) {
      List<ChainState<S>> from = states;
      long to = from.get(0).iteration() + iterations;
      states = team((c, own) -> runner.advance(from.get(c - 1), to, own, traces.get(c - 1)));
      return Double.MAX_VALUE; // each iteration waits for its jobs
    }

    @Override
    public List<ChainState<?>> states() {
      return List.copyOf(states);
    }

    @Override
    public void close() {
      // The rows stay.
    }
  }

  /** Chains that go on in segments. */
  private final class InSegments implements Legs {
    private final SegmentedChains<T> segments;
    private final long before = jobs;

    InSegments(List<ChainState<T>> begun) {
      RegionKernel.Around<B> around = algorithm.around();
      segments =
          new SegmentedChains<>(
              algorithm.rows().segments(algorithm.segmentWork(), runner, chains),
              runner,
              begun,
              chain -> algorithm.kernelWithinSegment(chain, all()),
              state -> around != null && around.needsAllRows(state));
    }

    @Override
    public double run(long iterations, long following) {
      List<ChainTrace> done = segments.run((int) iterations, (int) following);
      for (int c = 0; c < chains; c++) {
        traces.get(c).append(done.get(c));
      }
      shown.segment(done);
      jobs = before + segments.jobs();
      return done.stream().mapToDouble(InSegments::seconds).max().orElse(0);
    }

    private static double seconds(ChainTrace of) {
      return Stream.concat(of.warmup().stream(), of.sampling().stream())
          .mapToDouble(ChainTrace.Iteration::seconds)
          .sum();
    }

    @Override
    public List<ChainState<?>> states() {
      return segments.states();
    }

    @Override
    public void close() {
      segments.close();
    }
  }

  /**
   * Length of legs: as many iterations as take {@value #SECONDS_PER_SEGMENT} seconds, or as long as
   * a job takes without iterations, but growing from small legs by {@value #GROWTH} at most. Two
   * legs of different lengths separate the time of an iteration from the fixed time of a job, so a
   * slow job does not shorten the legs. A segment that follows is settled before this one has been
   * timed, as its pool is drawn meanwhile, and none has draws and warm-up both. Chains that ask
   * halt for checkpoints only.
   */
  private final class Pace {
    private final boolean announces;
    private final double most;
    private Leg other = new Leg(0, 0);
    private long left;
    private long size;
    private double wanted;
    private long next;
    private long now;
    private long following;

    Pace(ExecutionPlan plan, long iterations) {
      announces = plan.segment() > 0;
      most = announces ? plan.segment() : Double.MAX_VALUE;
      left = iterations;
      size =
          announces
              ? Math.min(plan.segment(), firstSegment())
              : checkpoints.isKept() ? FIRST_LEG : left;
      wanted = most;
      now = Math.min(stretch(left), size);
      if (announces) {
        settle();
      }
    }

    /** A leg that was timed. */
    private record Leg(long length, double seconds) {}

    private void settle() {
      next = (long) Math.max(1, Math.min(Math.min(most, wanted), GROWTH * (double) size));
      following = Math.min(stretch(left - now), next);
    }

    void took(double seconds, double own) {
      if (Math.max(now, other.length) > 1.5 * Math.min(now, other.length) && other.length > 0) {
        double each = Math.max(0, (seconds - other.seconds) / (now - other.length));
        double fixed = Math.max(0, seconds - each * now);
        wanted = Math.max(SECONDS_PER_SEGMENT, fixed) / each;
      } else if (other.length == 0) {
        // Longer legs if the iterations of this were fast, however slow its job was; else shorter.
        wanted = own < 2 * SECONDS_PER_SEGMENT ? most : Math.max(1, now / 2);
      }
      other = new Leg(now, seconds);
      if (!announces) {
        settle();
      }
      left -= now;
      now = following;
      size = next;
      if (announces) {
        settle();
      }
    }

    /** If chains read all rows, 256 iterations may take minutes, in which none can halt. */
    private int firstSegment() {
      double rows = algorithm.segmentSize().map(SegmentSize::bright).orElse(0L);
      return (int) Math.max(1, Math.min(FIRST_SEGMENT, ROWS_AT_FIRST / Math.max(1, rows)));
    }

    /** Returns how many iterations are left, in segments of their phase. */
    private long stretch(long iterations) {
      long sampling = runner.length().iterations() - runner.length().warmup();
      return announces && iterations > sampling ? iterations - sampling : iterations;
    }
  }

  private void keepIfDue(ExecutionPlan plan) {
    boolean ended = last.get(0).iteration() == runner.length().iterations();
    if (!checkpoints.isKept() || !(ended || checkpoints.isDue())) {
      return;
    }
    checkpoints.keep(
        last.get(0).iteration(),
        store ->
            new Checkpoint(
                plan,
                last.stream().map(ChainState::kept).toList(),
                plan.segment() > 0
                    ? null
                    : algorithm.rowStates().map(kept -> kept.keep(store)).orElse(null),
                jobs),
        traces,
        algorithm.beyond().names());
  }
}
