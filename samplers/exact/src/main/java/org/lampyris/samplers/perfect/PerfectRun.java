package org.lampyris.samplers.perfect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.kernel.DualAveraging;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Run of perfect draws: proposals, numbered from 1, are tested batch by batch, a job each. The k-th
 * accepted one is draw k; draws are dealt to the chains in turn, for readers who expect chains.
 *
 * <p>Batches have {@value #FIRST} proposals at first, twice as many each time, and {@value #MOST}
 * at most: their sizes are part of what a seed means, and depend on nothing else. A run that
 * resumes tests the batch again in which the first draw lies that it has not kept.
 */
final class PerfectRun {
  /** Number of proposals of the first batch. */
  static final int FIRST = 64;

  static final int MOST = 4096;

  /** Least acceptance rate, predicted or measured in the first batches. */
  static final double LEAST = 0.01;

  /** Share of a normal posterior in the inner shell, and the radius that is not worth a shell. */
  private static final double INNER = 0.98;

  private static final double NEAR_EDGE = 0.9;

  private final SamplingContext context;
  private final PerfectBlock.Rule rule;
  private final Envelope envelope;
  private final RowClient<PerfectBlock> rows;
  private final LikelihoodPass<PerfectBlock> all;
  private final int chains;
  private long jobs;

  private PerfectRun(
      SamplingContext context,
      PerfectBlock.Rule rule,
      Envelope envelope,
      ResidentRows<PerfectBlock> rows) {
    this.context = context;
    this.rule = rule;
    this.envelope = envelope;
    this.rows = RowClient.alone(rows);
    this.all = new LikelihoodPass<>(rule.model());
    this.chains = context.chains();
  }

  /**
   * Place before a batch, at which a run resumes.
   *
   * @param point the mode: a draw depends on none before it
   * @param batch the batch's number, from 1
   * @param accepted how many proposals of earlier batches were accepted
   * @param proposals how many proposals came after the last of these
   * @param evaluations how many evaluations these took
   */
  record At(Point point, long batch, long accepted, long proposals, long evaluations)
      implements SamplerState {}

  /**
   * A draw.
   *
   * @param at the place before its batch
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Draw(double[] theta, ChainTrace.Iteration info, At at) {}

  /** Runs the algorithm. */
  static RunResult run(SamplingContext context, PerfectAlgorithm.Settings settings) {
    PerfectAlgorithm.require(context, isQuadratic(context));
    double[] radii = radii(context);
    return run(context, settings, radii, boundsOf(context, radii));
  }

  /**
   * Runs the algorithm with given shells.
   *
   * @param radii r_1 &lt; … &lt; r_K. Not modified.
   * @param bounds the local bounds of their balls; none if the log-likelihood is quadratic
   */
  static RunResult run(
      SamplingContext context,
      PerfectAlgorithm.Settings settings,
      double[] radii,
      List<LowerBound> bounds) {
    RunProgress progress = context.inputs().progress();
    Map<String, Double> seconds = new LinkedHashMap<>();
    long begun = System.nanoTime();
    progress.begin(RunResult.LOAD);
    PerfectBlock.Rule rule =
        new PerfectBlock.Rule(context.model().model(), context.laplace(), bounds);
    try (ResidentRows<PerfectBlock> resident = context.resident(rule)) {
      double[] sums = resident.sum(rule.sumLength(), rule::addTo);
      Optional<Envelope> enveloped =
          Envelope.of(context.laplace(), radii, uppers(context, sums), context.model().prior());
      if (enveloped.isEmpty()) {
        progress.expects(Double.POSITIVE_INFINITY);
        throw PerfectAlgorithm.withoutEnvelope(context);
      }
      Envelope envelope = enveloped.get();
      Envelope.Tries tries =
          envelope.tries(
              context.streams().stream(Streams.Purpose.THETA, 0, 0, 0),
              (double) context.chains() * context.inputs().chains().draws());
      Prediction predicted = Prediction.of(context, envelope, tries, sums, radii.length);
      progress.note(predicted.line());
      progress.expects(
          predicted.acceptance() >= LEAST ? predicted.evaluations() : Double.POSITIVE_INFINITY);
      predicted.require(context.table().rows());
      progress.end();
      seconds.put(RunResult.LOAD, 1e-9 * (System.nanoTime() - begun));
      PerfectRun run = new PerfectRun(context, rule, envelope, resident);
      ChainRunner.Length length =
          new ChainRunner.Length(0, context.inputs().chains().draws(), 1, predicted.acceptance());
      RunProgress.Chains shown = progress.chains(context.chains(), length);
      List<ChainTrace> traces;
      try (shown) {
        traces = run.draw(settings.maxProposals(), shown);
      }
      seconds.put(RunResult.SAMPLE, shown.samplingSeconds());
      List<Decision> found = predicted.found(context, envelope, tries, traces, settings);
      progress.begin(Decision.EVIDENCE);
      found.forEach(decision -> progress.note(decision.text()));
      progress.end();
      return new RunResult(
          traces,
          new RunResult.Cost(1, context.table().rows(), run.jobs, context.residentBytes()),
          seconds,
          found,
          null,
          null);
    }
  }

  /** Returns r_1 &lt; … &lt; r_K: +∞ alone if no ball is needed. */
  static double[] radii(SamplingContext context) {
    if (isQuadratic(context)) {
      return new double[] {Double.POSITIVE_INFINITY};
    }
    double radius = context.bounds().radius();
    double inner =
        Math.sqrt(
            ChiSquaredDistribution.of(context.laplace().dimension())
                .inverseCumulativeProbability(INNER));
    return inner < NEAR_EDGE * radius ? new double[] {inner, radius} : new double[] {radius};
  }

  /** Returns whether the log-likelihood is quadratic, and needs no bound. */
  static boolean isQuadratic(SamplingContext context) {
    return context.model().isLeastSquares() && context.model().model().isConcave();
  }

  /** Returns the local bounds of the balls of some radii; none if none is needed. */
  static List<LowerBound> boundsOf(SamplingContext context, double[] radii) {
    return isQuadratic(context)
        ? List.of()
        : Arrays.stream(radii)
            .mapToObj(r -> context.model().localBound(context.laplace(), r).orElseThrow())
            .toList();
  }

  /** Returns the collapsed upper quadratics of the shells. */
  static List<CollapsedQuadratic> uppers(SamplingContext context, double[] sums) {
    double[] mode = context.laplace().mode();
    int packed = CollapsedQuadratic.packedLength(mode.length);
    return IntStream.range(0, sums.length / (packed + 1))
        .mapToObj(k -> k * (packed + 1))
        .map(at -> new CollapsedQuadratic(mode, Arrays.copyOfRange(sums, at, at + packed)))
        .toList();
  }

  /** Returns how many proposals a batch has. */
  static int size(long batch) {
    return batch > Long.numberOfTrailingZeros(MOST / FIRST) ? MOST : FIRST << (batch - 1);
  }

  /** Returns how many proposals there are before a batch. */
  static long before(long batch) {
    int growing = Long.numberOfTrailingZeros(MOST / FIRST);
    return batch <= growing + 1
        ? ((long) FIRST << (batch - 1)) - FIRST
        : (long) MOST - FIRST + (batch - 1 - growing) * MOST;
  }

  /** Draws until all chains have their draws, or the next batch would exceed the most proposals. */
  private List<ChainTrace> draw(long most, RunProgress.Chains shown) {
    Checkpoints checkpoints = context.inputs().checkpoints();
    Optional<Checkpoints.Resumed> kept = checkpoints.resumed();
    List<ChainTrace> traces =
        kept.map(Checkpoints.Resumed::traces)
            .orElseGet(
                () -> IntStream.rangeClosed(1, chains).mapToObj(ChainTrace::overflowing).toList());
    traces.forEach(trace -> trace.begin(0, Double.NaN));
    At at = new At(Point.at(context.laplace().mode()), 1, 0, 0, 0);
    if (kept.isPresent()) {
      at = (At) kept.get().checkpoint().chains().get(0).state();
      jobs = kept.get().checkpoint().jobs();
      shown.segment(traces);
    }
    int draws = context.inputs().chains().draws();
    At place = at;
    int size = traces.get(0).size();
    ArrayDeque<Draw> pending = new ArrayDeque<>();
    while (traces.get(0).size() < draws && isWithin(most, at.batch)) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("the draws were interrupted");
      }
      long known = (long) chains * traces.get(0).size() + pending.size();
      at = test(at, known, pending);
      requireAcceptance(at);
      while (pending.size() >= chains && traces.get(0).size() < draws) {
        for (ChainTrace trace : traces) {
          Draw draw = pending.remove();
          trace.add(draw.theta, Double.NaN, draw.info);
          shown.iteration(trace.chain(), trace.size(), draw.info.info());
        }
      }
      // A run that ends by the most proposals resumes from there, once there may be more.
      boolean ended = traces.get(0).size() == draws || !isWithin(most, at.batch);
      At next = pending.isEmpty() ? at : pending.element().at;
      // A checkpoint at the place of the last one would let a run that always ends there go on
      // forever.
      boolean further = next.batch > place.batch || traces.get(0).size() > size;
      if (checkpoints.isKept() && (ended || (further && checkpoints.isDue()))) {
        keep(checkpoints, next, traces);
        place = next;
        size = traces.get(0).size();
      }
    }
    if (traces.get(0).size() == 0) {
      throw UserException.usage(
          "sampler.perfect.max_proposals: %d proposals gave %d draws, but %d chains need one each. Raise it."
              .formatted(most, pending.size(), chains));
    }
    return traces;
  }

  private static boolean isWithin(long most, long batch) {
    return before(batch) + size(batch) <= most;
  }

  private void keep(Checkpoints checkpoints, At next, List<ChainTrace> traces) {
    List<ChainState.Kept> states =
        IntStream.rangeClosed(1, chains)
            .mapToObj(
                chain ->
                    new ChainState.Kept(
                        chain,
                        traces.get(0).size(),
                        next,
                        context.thetaKernel().stepSize(),
                        DualAveraging.start(1, 0.5, 1),
                        null))
            .toList();
    ExecutionPlan plan =
        ExecutionPlan.stepwise(Map.of(), Text.of("plan: a job tests up to %,d proposals", MOST));
    checkpoints.keep(
        traces.get(0).size(), store -> new Checkpoint(plan, states, null, jobs), traces, List.of());
  }

  /**
   * Tests a batch.
   *
   * @param at the place before it
   * @param known how many draws are known, to which the further ones are added. Modified.
   * @return the place after it
   */
  private At test(At at, long known, ArrayDeque<Draw> pending) {
    long begun = System.nanoTime();
    Streams streams = context.streams();
    int size = size(at.batch);
    List<Envelope.Proposal> proposals =
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    envelope.propose(
                        streams.stream(Streams.Purpose.THETA, 0, before(at.batch) + i + 1, 0)))
            .toList();
    int[] read = decided(at.batch, proposals);
    double seconds = 1e-9 * (System.nanoTime() - begun) / size;
    double rate = (double) Arrays.stream(read).filter(n -> n >= 0).count() / size;
    long accepted = at.accepted;
    long since = at.proposals;
    long evaluations = at.evaluations;
    for (int i = 0; i < size; i++) {
      since++;
      evaluations += read[i] < 0 ? ~read[i] : read[i];
      if (read[i] >= 0) {
        accepted++;
        if (accepted > known) {
          StepInfo info =
              new StepInfo(rate, evaluations, false, Double.NaN, List.of((double) since));
          pending.add(
              new Draw(
                  proposals.get(i).theta(), new ChainTrace.Iteration(info, seconds * since), at));
        }
        since = 0;
        evaluations = 0;
      }
    }
    return new At(at.point, at.batch + 1, accepted, since, evaluations);
  }

  /** Returns for each proposal how many rows it read, or the complement of that if it failed. */
  private int[] decided(long batch, List<Envelope.Proposal> proposals) {
    int size = proposals.size();
    int shells = rule.bounds().size();
    int[] shell = new int[size];
    double[][] thetas = new double[size][];
    double[] heights = new double[size];
    List<Integer> beyond = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Envelope.Proposal proposal = proposals.get(i);
      shell[i] = proposal.shell();
      thetas[i] = proposal.theta();
      boolean inside = proposal.shell() < shells;
      heights[i] = inside && proposal.isPossible() ? proposal.height() : 0;
      if (shells > 0 && !inside && proposal.isPossible()) {
        beyond.add(i);
      }
    }
    int[] read = new int[size];
    if (shells > 0) {
      read =
          rows.ask(
              new PerfectBlock.Points(rule, context.streams()),
              new PerfectBlock.Batch(batch, shell, thetas, heights));
      jobs++;
    }
    boolean[] failed = new boolean[size];
    for (int i = 0; i < size; i++) {
      failed[i] = read[i] < 0 || !proposals.get(i).isPossible();
      read[i] = Math.abs(read[i]);
    }
    if (!beyond.isEmpty()) {
      long rowsOfTable = context.table().rows();
      double[] sums =
          all.rows(rowsOfTable, rows)
              .ask(beyond.stream().map(i -> thetas[i]).toArray(double[][]::new), false);
      jobs++;
      for (int k = 0; k < sums.length; k++) {
        int i = beyond.get(k);
        failed[i] = !(sums[k] > proposals.get(i).least());
        read[i] = (int) Math.min(Integer.MAX_VALUE - 1, rowsOfTable);
      }
    }
    for (int i = 0; i < size; i++) {
      read[i] = failed[i] ? ~read[i] : read[i];
    }
    return read;
  }

  /** Refuses to go on if hardly any of the first proposals was accepted. */
  private void requireAcceptance(At at) {
    long proposals = before(at.batch);
    if (proposals >= 100 / LEAST && at.accepted < 0.5 * LEAST * proposals) {
      context.inputs().progress().expects(Double.POSITIVE_INFINITY);
      throw PerfectAlgorithm.tooFew(
          Text.of("accepted %,d of %,d proposals", at.accepted, proposals));
    }
  }
}
