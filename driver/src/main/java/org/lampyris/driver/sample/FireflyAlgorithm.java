package org.lampyris.driver.sample;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.FireflyConfig;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.executors.firefly.BoundTable;
import org.lampyris.executors.firefly.FireflyJobs;
import org.lampyris.executors.firefly.FireflySegments;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.firefly.BrightnessKernel;
import org.lampyris.samplers.firefly.CandidateRates;
import org.lampyris.samplers.firefly.CandidateWindow;
import org.lampyris.samplers.firefly.CarriedBrightness;
import org.lampyris.samplers.firefly.ExplicitBrightness;
import org.lampyris.samplers.firefly.FireflyAnswer;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyQuestion;
import org.lampyris.samplers.firefly.FireflySampler;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.firefly.SelectionSize;
import org.lampyris.samplers.random.Streams;

/** Firefly Monte Carlo on the resident rows, one question at a time or in segments. */
final class FireflyAlgorithm implements Algorithm {
  /** Anchors, hazards, and the full draw of brightness that every chain begins with. */
  private static final long PASSES = 2;

  private static final String LARGER_BALL =
      "set precompute.radius larger and run precompute again, or choose sampler.firefly.bound:"
          + " map-tuned";

  private final int chains;
  private final FireflySampler sampler;
  private final BoundTable bound;
  private final FireflyJobs jobs;
  private final BoundTable.Size size;

  /** About how many candidates a chain has in an iteration. */
  private final double candidates;

  private final Optional<Confinement> confinement;

  FireflyAlgorithm(
      BlockTable table,
      BoundsArtefact artefact,
      ModelOfTable family,
      Prior prior,
      SamplerConfig config,
      Streams streams) {
    FireflyConfig firefly = config.firefly();
    FireflyBounds bounds = FireflyBounds.of(artefact, family, firefly);
    LowerBound lower = bounds.bound();
    this.confinement = lower.ball().map(ball -> new Confinement(ball, LARGER_BALL));
    this.chains = config.chains();
    this.bound = bound(table, artefact, bounds, firefly);
    this.size = bound.size();
    CandidateRates rates = rates(firefly);
    this.candidates = rates == null ? selected(firefly, size.rows()) : bound.hazard(rates);
    this.sampler =
        new FireflySampler(
            lower.restricted(prior, artefact.theta()),
            bounds.collapsed(),
            new FireflyPass(lower, streams),
            rates == null
                ? explicit(firefly, table.schema(), streams)
                : implicit(rates, candidates),
            firefly.thetaSteps());
    this.jobs = new FireflyJobs(bound, sampler.pass(), chains, config.checkpointInterval());
  }

  private static BoundTable bound(
      BlockTable table, BoundsArtefact artefact, FireflyBounds bounds, FireflyConfig firefly) {
    if (firefly.zKernel() != FireflyConfig.ZKernel.PER_ROW) {
      return BoundTable.uniform(table.blocks(), table.ranges(), bounds.rule());
    }
    PerRowRates rates =
        new PerRowRates(
            bounds.bound(),
            artefact.theta(),
            artefact.fit().covariance(),
            firefly.kappa(),
            firefly.floor());
    return BoundTable.perRow(table.blocks(), table.ranges(), bounds.rule(), rates);
  }

  /** Returns the rates of candidates, or null where rows are selected otherwise. */
  private static @Nullable CandidateRates rates(FireflyConfig firefly) {
    return switch (firefly.zKernel()) {
      case PER_ROW -> new CandidateRates.PerRow();
      case IMPLICIT -> new CandidateRates.Uniform(firefly.q());
      case EXPLICIT -> null;
    };
  }

  private static FireflyKernel.ZStep implicit(CandidateRates rates, double hazard) {
    return zStep(
        new ImplicitBrightness(rates, CandidateWindow.length(hazard)), SelectionSize.fixed(0));
  }

  /** Returns how many rows an explicit update draws from the table. */
  private static long selected(FireflyConfig firefly, long rows) {
    return (long) Math.ceil(rows * firefly.fraction());
  }

  private static FireflyKernel.ZStep explicit(
      FireflyConfig firefly, TableSchema schema, Streams streams) {
    if (schema.grouping() != null) {
      throw UserException.usage(
          "sampler.firefly.z_kernel explicit selects rows by their place in blocks of equal size,"
              + " and data.group_by has made the blocks of this table of different sizes; choose"
              + " implicit or per-row, or prepare the table without data.group_by.");
    }
    long rows = schema.rows();
    long draws = selected(firefly, rows);
    RowSelection random = new RowSelection.Random(streams.seed(), rows, schema.blockRows());
    int period = (int) Math.ceil(1 / firefly.fraction());
    RowSelection scheduled = new RowSelection.Scheduled(period, schema.blockRows());
    return switch (firefly.scheme()) {
      case WITH_REPLACEMENT ->
          zStep(new ExplicitBrightness(random), SelectionSize.distinctOf(draws, rows));
      case WITHOUT_REPLACEMENT -> zStep(new ExplicitBrightness(random), SelectionSize.fixed(draws));
      case SCHEDULED -> zStep(new ExplicitBrightness(scheduled), SelectionSize.fixed(0));
    };
  }

  private static FireflyKernel.ZStep zStep(BrightnessKernel kernel, SelectionSize size) {
    return new FireflyKernel.ZStep(kernel, size);
  }

  @Override
  public Questions questions() {
    QuestionBatcher<FireflyQuestion, FireflyAnswer> batcher = new QuestionBatcher<>(chains, jobs);
    return new Questions(
        chain -> sampler.kernel(chain, question -> batcher.ask(chain, question)), batcher);
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    return Optional.of(
        new SegmentSize(
            size.rows(),
            (double) size.bytes() / size.rows(),
            candidates,
            jobs.mostBright(),
            sampler.zStep().kernel().window()));
  }

  @Override
  public Segments segments(ChainRunner runner, List<ChainState> states) {
    return new FireflyChains(bound, sampler, runner, states, jobs.carry());
  }

  @Override
  public Optional<Confinement> confinement() {
    return confinement;
  }

  @Override
  public long passes() {
    return PASSES;
  }

  @Override
  public void close() {
    jobs.close();
    bound.close();
  }

  /** The chains between two segments. */
  private static final class FireflyChains implements Segments {
    private final FireflySegments segments;
    private List<FireflySampler.Chain> chains;

    FireflyChains(
        BoundTable bound,
        FireflySampler sampler,
        ChainRunner runner,
        List<ChainState> states,
        List<CarriedBrightness> bright) {
      this.segments = new FireflySegments(bound, sampler, runner, states.size());
      this.chains =
          IntStream.range(0, states.size())
              .mapToObj(c -> new FireflySampler.Chain(states.get(c), bright.get(c)))
              .toList();
    }

    @Override
    public List<ChainTrace> run(int iterations, int following) {
      List<FireflySampler.Segment> after = segments.run(chains, iterations, following);
      chains = after.stream().map(FireflySampler.Segment::chain).toList();
      return after.stream().map(FireflySampler.Segment::trace).toList();
    }

    @Override
    public long jobs() {
      return segments.jobs();
    }

    @Override
    public void close() {
      segments.close();
    }
  }
}
