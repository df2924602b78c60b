package org.lampyris.samplers.firefly;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.JobQuestion;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.Segmented;
import org.lampyris.samplers.chain.SegmentedChains;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.RowStates.Asked;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.CarriedTable;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.LikelihoodQuestions;
import org.lampyris.samplers.run.LikelihoodRows;
import org.lampyris.samplers.run.RegionAndBeyond;
import org.lampyris.samplers.run.ResidentChains;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Firefly Monte Carlo on the resident rows, one question at a time or in segments. */
final class FireflyRun implements ResidentChains.Loaded<FireflyState<Generation>> {
  /** Anchors and rates. */
  private static final long PASSES = 1;

  private final int chains;
  private final FireflySampler sampler;
  private final ResidentRows<BoundBlock> rows;
  private final RowStates<BoundBlock, BrightnessBitmap, FireflyQuestion, FireflyAnswer> states;
  private final double bytesPerRow;
  private final long tableRows;

  /** About how many candidates a chain has in an iteration. */
  private final double candidates;

  private final Function<List<LikelihoodQuestions.Question>, List<double[]>> passes;
  private final long expectedBright;
  private final long evaluations;

  FireflyRun(SamplingContext context, FireflySettings settings) {
    FireflyBounds bounds = FireflyBounds.of(context, settings);
    LowerBound lower = bounds.bound();
    this.chains = context.chains();
    this.tableRows = context.table().rows();
    boolean perRow = settings.zKernel() == FireflySettings.ZKernel.PER_ROW;
    double slack = perRow ? FireflyMixing.slack(context, bounds, settings) : 0;
    PerRowRates expected =
        perRow || PerRowRates.applyTo(lower)
            ? FireflyCost.rates(context, bounds, settings.rates(), slack)
            : null;
    FireflyCost.Brightness brightness = FireflyCost.brightness(context, bounds, expected);
    PerRowRates rates = perRow ? expected : null;
    this.expectedBright = (long) Math.ceil((1 + slack) * brightness.mean() * tableRows);
    this.evaluations =
        (long)
            (brightness.evaluations()
                + (rates == null ? 0 : brightness.evaluationsPerRow() * tableRows));
    this.rows = context.resident(rule(bounds, settings, rates, slack, brightness.mean()));
    boolean rated = settings.zKernel() != FireflySettings.ZKernel.EXPLICIT;
    double[] sums =
        rows.sum(
            2,
            (block, out) -> {
              out[0] = block.packedBytes();
              out[1] = rated ? block.rates().hazardTo(block.data().rows() - 1) : 0;
            });
    this.bytesPerRow = sums[0] / tableRows;
    this.candidates = rated ? sums[1] : selected(settings, tableRows);
    LikelihoodPass likelihood = new LikelihoodPass(context.model().model());
    this.passes = rows.questions(new LikelihoodQuestions<>(likelihood));
    RegionAndBeyond<BoundBlock> beyond =
        lower
            .region()
            .map(
                region ->
                    RegionAndBeyond.of(
                        context,
                        region,
                        CarriedTable.of(likelihood, rows, tableRows, sums[0]).orElse(null)))
            .orElse(null);
    this.sampler =
        new FireflySampler(
            lower.restricted(context.model().prior()),
            bounds.collapsed(),
            new FireflyPass(lower, context.streams()),
            rated
                ? zStep(
                    new ImplicitBrightness(EventSource.suitingWindow(candidates)),
                    SelectionSize.fixed(0))
                : explicit(context, settings),
            settings.thetaSteps(),
            beyond);
    this.states = rows.states(new BrightnessEvolution(sampler.pass()), chains);
  }

  /** Returns what makes a resident block: anchors, and the rates of candidates. */
  private static BlockRule<BoundBlock> rule(
      FireflyBounds bounds,
      FireflySettings settings,
      @Nullable PerRowRates rates,
      double slack,
      double mean) {
    FireflyBounds.AnchorRule anchors = bounds.rule();
    if (rates != null) {
      double byRate = settings.rates().slackByRate(slack);
      return block -> {
        Anchors own = anchors.anchors(block);
        return new BoundBlock(
            block, own, rates.rates(rates.expectedBrightness(block, own), mean), byRate);
      };
    }
    if (settings.zKernel() == FireflySettings.ZKernel.EXPLICIT) {
      return block -> new BoundBlock(block, anchors.anchors(block), null);
    }
    double q = settings.q();
    return block ->
        new BoundBlock(block, anchors.anchors(block), new UniformRates(q, block.rows()));
  }

  /** Returns how many rows an explicit update draws from the table. */
  private static long selected(FireflySettings settings, long rows) {
    return (long) Math.ceil(rows * settings.selection().fraction());
  }

  private static FireflyKernel.ZStep explicit(SamplingContext context, FireflySettings settings) {
    long rows = context.table().rows();
    int blockRows = context.table().blockRows();
    if (blockRows == 0) {
      throw UserException.usage(
          "sampler.firefly.z_kernel explicit selects rows by their place in blocks of equal size,"
              + " and data.group_by has made the blocks of this table of different sizes; choose"
              + " implicit or per-row, or prepare the table without data.group_by.");
    }
    long draws = selected(settings, rows);
    RowSelection random = new RowSelection.Random(context.streams().seed(), rows, blockRows);
    int period = (int) Math.ceil(1 / settings.selection().fraction());
    RowSelection scheduled = new RowSelection.Scheduled(period, blockRows);
    return switch (settings.selection().scheme()) {
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
  public Questions<FireflyState<Generation>> questions() {
    QuestionBatcher<JobQuestion<?, ?>, Object> batcher = JobQuestion.batcher(chains);
    Function<List<Asked<FireflyQuestion>>, List<FireflyAnswer>> rowJob = states::answer;
    LikelihoodRows all =
        LikelihoodQuestions.rows(
            tableRows,
            (chain, question) -> new JobQuestion<>(passes, question).ask(batcher, chain));
    return new Questions<>(
        chain ->
            sampler.kernel(
                chain,
                new AskedRows(chain, asked -> new JobQuestion<>(rowJob, asked).ask(batcher, chain)),
                beyond -> all),
        batcher);
  }

  /** The rows of a chain, which answer by jobs. */
  private record AskedRows(int chain, Function<Asked<FireflyQuestion>, FireflyAnswer> ask)
      implements FireflyRows<Generation> {
    @Override
    public Generation dark() {
      return Generation.first(chain);
    }

    @Override
    public Answered<Generation> ask(Generation before, FireflyQuestion question) {
      return new Answered<>(before.next(), ask.apply(new Asked<>(before, question)));
    }
  }

  /** The rows of a chain that carries its brightness along, which answer by jobs. */
  private record CarryingRows(
      Function<List<CarriedQuestions.Question>, List<FireflyRows.Answered<CarriedBrightness>>> job)
      implements FireflyRows<CarriedBrightness> {
    @Override
    public CarriedBrightness dark() {
      return CarriedBrightness.dark();
    }

    @Override
    public Answered<CarriedBrightness> ask(CarriedBrightness before, FireflyQuestion question) {
      return job.apply(List.of(new CarriedQuestions.Question(before.brightness(), question)))
          .get(0);
    }
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    int window = sampler.zStep().kernel().window();
    return Optional.of(new SegmentSize(tableRows, bytesPerRow, candidates, expectedBright, window));
  }

  @Override
  public Segmented segmented(ChainRunner runner, List<ChainState<FireflyState<Generation>>> begun) {
    List<CarriedBrightness> bright = states.collect(new BrightnessEvolution.Collector());
    return segments(
        runner,
        IntStream.range(0, chains).mapToObj(c -> carrying(begun.get(c), bright.get(c))).toList());
  }

  @Override
  @SuppressWarnings("unchecked") // the states of these segments
  public Segmented resumed(ChainRunner runner, List<ChainState<?>> kept) {
    return segments(
        runner,
        kept.stream().map(state -> (ChainState<FireflyState<CarriedBrightness>>) state).toList());
  }

  private Segmented segments(
      ChainRunner runner, List<ChainState<FireflyState<CarriedBrightness>>> from) {
    CarryingRows carrying = new CarryingRows(rows.questions(new CarriedQuestions(sampler.pass())));
    LikelihoodRows all =
        LikelihoodQuestions.rows(
            tableRows, (chain, question) -> passes.apply(List.of(question)).get(0));
    return new SegmentedChains<>(
        rows.segments(sampler, runner, chains),
        runner,
        from,
        chain -> sampler.kernel(chain, carrying, beyond -> all),
        state -> RegionAndBeyond.needsAllRows(sampler.beyond(), state));
  }

  private static ChainState<FireflyState<CarriedBrightness>> carrying(
      ChainState<FireflyState<Generation>> begun, CarriedBrightness bright) {
    return begun.with(new FireflyState<>(begun.state().point(), bright));
  }

  @Override
  public Optional<RowStates<?, ?, ?, ?>> rowStates() {
    return Optional.of(states);
  }

  @Override
  public Optional<Region> region() {
    return Optional.ofNullable(sampler.beyond()).map(RegionAndBeyond::region);
  }

  @Override
  public long passes() {
    return PASSES;
  }

  @Override
  public long evaluations() {
    return evaluations;
  }

  @Override
  public void close() {
    states.close();
    rows.close();
  }
}
