package org.lampyris.samplers.firefly;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.firefly.FireflyRows.Answer;
import org.lampyris.samplers.firefly.FireflyRows.Question;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.CarriedTable;
import org.lampyris.samplers.run.RegionKernel;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.SamplingContext;

/** Firefly Monte Carlo on the resident rows, one question at a time or in segments. */
final class FireflyRun
    implements ResidentAlgorithm<
        BoundBlock, FireflyKernel.State<Generation>, FireflyKernel.State<Brightness.Carried>> {
  /** Anchors and rates. */
  private static final long PASSES = 1;

  private final FireflySampler sampler;
  private final ResidentRows<BoundBlock> rows;
  private final RowStates<BoundBlock, Brightness.OfPlace, Question, Answer> states;
  private final Function<List<RowStates.Asked<Question>>, List<Answer>> job;
  private final double bytesPerRow;
  private final long tableRows;

  /** About how many candidates a chain has in an iteration. */
  private final double candidates;

  private final long expectedBright;
  private final long evaluations;

  FireflyRun(SamplingContext context, FireflySettings settings) {
    FireflyBounds bounds = FireflyBounds.of(context, settings);
    FireflyMixing mixing = FireflyMixing.of(context, bounds);
    if (mixing.isBeyondRounding()) {
      throw tooLoose(context);
    }
    LowerBound lower = bounds.bound();
    this.tableRows = context.table().rows();
    boolean perRow = settings.zKernel() == FireflySettings.ZKernel.PER_ROW;
    double slack = perRow ? mixing.slack(settings) : 0;
    PerRowRates expected =
        perRow || PerRowRates.applyTo(lower)
            ? FireflyCost.rates(context, bounds, settings.rates(), slack)
            : null;
    FireflyCost.Brightness brightness =
        FireflyCost.brightness(context, bounds, expected, settings.rates(), slack);
    PerRowRates rates = perRow ? expected : null;
    this.expectedBright = (long) Math.ceil(brightness.withSlack() * tableRows);
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
              out[1] = rated ? block.rates().expectedCandidates() : 0;
            });
    this.bytesPerRow = sums[0] / tableRows;
    this.candidates = rated ? sums[1] : selected(settings, tableRows);
    RegionKernel.Around<BoundBlock> around =
        lower
            .region()
            .map(region -> RegionKernel.Around.of(context, region, CarriedTable.of(rows, sums[0])))
            .orElse(null);
    this.sampler =
        new FireflySampler(
            lower.restricted(context.model().prior()),
            bounds.collapsed(),
            new FireflyPass(lower, context.streams()),
            rated
                ? zStep(
                    new ImplicitBrightness(EventSource.suitingWindow(candidates), settings.qDark()),
                    RowSelection.Size.fixed(0))
                : explicit(context, settings),
            settings.thetaSteps(),
            around);
    this.states = rows.states(sampler.pass(), context.chains());
    this.job = states::answer;
  }

  private static UserException tooLoose(SamplingContext context) {
    return UserException.usage(
        Text.of(
            "sampler.algorithm: firefly does not apply to these %,d rows. The lower bounds of %s"
                + " hold within %.3g posterior sds of the mode, and over that range they are so"
                + " loose that rounding errors would exceed the log-likelihood's changes. Set"
                + " sampler.algorithm: auto.",
            context.table().rows(), context.model().spec().name(), context.bounds().radius()));
  }

  /** Returns the rule for resident blocks: anchors, and the rates of candidates. */
  private static BlockRule<BoundBlock> rule(
      FireflyBounds bounds,
      FireflySettings settings,
      @Nullable PerRowRates rates,
      double slack,
      double mean) {
    FireflyBounds.AnchorRule anchors = bounds.rule();
    if (rates != null) {
      double byRate = settings.rates().slackByRate(slack);
      boolean certain = FireflyMixing.isCertain(slack);
      return block -> {
        Anchors own = anchors.anchors(block);
        BlockRates ofRows = rates.rates(rates.expectedBrightness(block, own), mean);
        return new BoundBlock(block, own, ofRows, byRate, certain);
      };
    }
    if (settings.zKernel() == FireflySettings.ZKernel.EXPLICIT) {
      return block -> new BoundBlock(block, anchors.anchors(block), null);
    }
    double q = settings.q();
    return block ->
        new BoundBlock(block, anchors.anchors(block), new BlockRates.Uniform(q, block.rows()));
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
          "sampler.firefly.z_kernel: explicit selects rows by their place in blocks of equal size,"
              + " but data.group_by gave the blocks of this table different sizes. Choose implicit"
              + " or per-row, or prepare the table without data.group_by.");
    }
    long draws = selected(settings, rows);
    RowSelection random = new RowSelection.Random(context.streams().seed(), rows, blockRows);
    int period = (int) Math.ceil(1 / settings.selection().fraction());
    RowSelection scheduled = new RowSelection.Scheduled(period, blockRows);
    return switch (settings.selection().scheme()) {
      case WITH_REPLACEMENT ->
          zStep(new ExplicitBrightness(random), RowSelection.Size.distinctOf(draws, rows));
      case WITHOUT_REPLACEMENT ->
          zStep(new ExplicitBrightness(random), RowSelection.Size.fixed(draws));
      case SCHEDULED -> zStep(new ExplicitBrightness(scheduled), RowSelection.Size.fixed(0));
    };
  }

  private static FireflyKernel.ZStep zStep(BrightnessKernel kernel, RowSelection.Size size) {
    return new FireflyKernel.ZStep(kernel, size);
  }

  @Override
  public ResidentRows<BoundBlock> rows() {
    return rows;
  }

  @Override
  public TransitionKernel<FireflyKernel.State<Generation>> kernel(
      int chain, RowClient<BoundBlock> client) {
    return sampler.kernel(
        chain, new FireflyRows.Asked(chain, asked -> client.ask(job, asked)), client);
  }

  /** {@inheritDoc} Its chain has its brightness with it. */
  @Override
  public TransitionKernel<FireflyKernel.State<Brightness.Carried>> kernelWithinSegment(
      int chain, RowClient<BoundBlock> client) {
    return sampler.kernel(chain, new FireflyRows.Carrying(sampler.pass(), client), client);
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    int window = sampler.zStep().kernel().window();
    return Optional.of(new SegmentSize(tableRows, bytesPerRow, candidates, expectedBright, window));
  }

  @Override
  public SegmentWork<BoundBlock, FireflyKernel.State<Brightness.Carried>> segmentWork() {
    return sampler;
  }

  /** {@inheritDoc} Their bright rows come along, with their data. */
  @Override
  public List<ChainState<FireflyKernel.State<Brightness.Carried>>> carrying(
      List<ChainState<FireflyKernel.State<Generation>>> asked) {
    List<Brightness.Carried> bright = states.collect(new Brightness.Gathered());
    return IntStream.range(0, asked.size())
        .mapToObj(
            c ->
                asked
                    .get(c)
                    .with(new FireflyKernel.State<>(asked.get(c).state().point(), bright.get(c))))
        .toList();
  }

  @Override
  public Optional<RowStates<?, ?, ?, ?>> rowStates() {
    return Optional.of(states);
  }

  @Override
  public RegionKernel.@Nullable Around<BoundBlock> around() {
    return sampler.around();
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
