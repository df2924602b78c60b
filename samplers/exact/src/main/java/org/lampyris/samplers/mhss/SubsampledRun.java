package org.lampyris.samplers.mhss;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.JobQuestion;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.Segmented;
import org.lampyris.samplers.chain.SegmentedChains;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.run.CarriedTable;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.LikelihoodQuestions;
import org.lampyris.samplers.run.RegionAndBeyond;
import org.lampyris.samplers.run.ResidentChains;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings by Taylor proxies and a few rows, one question at a time or in segments. */
final class SubsampledRun implements ResidentChains.Loaded<Point> {
  /** The constants of the rows and their collapsed proxies. */
  private static final long PASSES = 1;

  /** Crank–Nicolson steps may come to their largest size, a random walk's hardly grow. */
  private static final double MOST_LONGER = 1.25;

  private final int chains;
  private final ResidentRows<ProxyBlock> rows;
  private final SubsampledSampler sampler;
  private final Function<List<PointQuestions.Question>, List<PointQuestions.Answer>> jobs;
  private final double pointsAnIteration;
  private final double bytesPerRow;
  private final double passesByJobs;
  private final Function<List<LikelihoodQuestions.Question>, List<double[]>> passes;

  /**
   * Computes the constants and collapses the proxies.
   *
   * @param context what the run is given
   * @param settings the order of the proxies and the ball
   * @param test how rows decide
   */
  SubsampledRun(SamplingContext context, SubsamplingSettings settings, RowDecision test) {
    ProposalKernel proposal = SamplingAlgorithm.requireProposal(context.thetaKernel());
    this.chains = context.chains();
    TaylorProxy proxy = settings.proxy(context);
    this.rows = context.resident(block -> ProxyBlock.of(proxy, block));
    int packed = CollapsedQuadratic.packedLength(proxy.dimension());
    double[] sums =
        rows.sum(
            packed + 3,
            (block, out) -> {
              CollapsedQuadratic sum = proxy.emptySum();
              proxy.collapse(block.data(), sum);
              System.arraycopy(sum.packed(), 0, out, 0, packed);
              out[packed] = block.data().rows();
              out[packed + 1] = block.total();
              out[packed + 2] = block.packedBytes();
            });
    CollapsedQuadratic collapsed =
        new CollapsedQuadratic(proxy.emptySum().origin(), Arrays.copyOf(sums, packed));
    PointSize size = new PointSize((long) sums[packed], sums[packed + 1]);
    this.bytesPerRow = sums[packed + 2] / size.rows();
    this.jobs = rows.questions(new PointQuestions(proxy));
    UniformRandomProvider rng = context.streams().stream(Streams.Purpose.INITIAL, 0, 0, 0);
    PointHeights heights = new PointHeights(proxy, longest(proposal), context.laplace(), rng);
    // From there on a step looks at all rows, and at no points.
    double allRows = size.rows() / size.total();
    double thickness = Math.min(allRows, heights.largest());
    this.pointsAnIteration = thickness * size.total();
    int window = EventSource.suitingWindow(pointsAnIteration);
    PointStream points = new PointStream(context.streams(), 1, window, thickness);
    LikelihoodPass likelihood = new LikelihoodPass(context.model().model());
    this.passes = rows.questions(new LikelihoodQuestions<>(likelihood));
    CarriedTable<ProxyBlock> whole =
        CarriedTable.of(likelihood, rows, size.rows(), sums[packed + 2]).orElse(null);
    this.passesByJobs = whole == null ? heights.shareFrom(allRows) : 0;
    Double radius = settings.radius();
    RegionAndBeyond<ProxyBlock> beyond =
        radius == null ? null : RegionAndBeyond.of(context, context.laplace().ball(radius), whole);
    this.sampler =
        new SubsampledSampler(
            proxy, context.model().prior(), collapsed, test, size, points, whole, beyond);
  }

  /** Returns a kernel whose steps are at least as long as those that warm-up will arrive at. */
  private static ProposalKernel longest(ProposalKernel kernel) {
    double largest = kernel.largestStepSize();
    double size = Double.isInfinite(largest) ? MOST_LONGER * kernel.stepSize() : largest;
    return (ProposalKernel) kernel.withStepSize(size);
  }

  @Override
  public Questions<Point> questions() {
    QuestionBatcher<JobQuestion<?, ?>, Object> batcher = JobQuestion.batcher(chains);
    return new Questions<>(
        chain ->
            kernel(
                chain,
                question -> new JobQuestion<>(jobs, question).ask(batcher, chain),
                question -> new JobQuestion<>(passes, question).ask(batcher, chain)),
        batcher);
  }

  private TransitionKernel<Point> kernel(
      int chain,
      Function<PointQuestions.Question, PointQuestions.Answer> points,
      Function<LikelihoodQuestions.Question, double[]> all) {
    return sampler.kernel(
        chain,
        new AskedRows(chain, points),
        beyond -> LikelihoodQuestions.rows(beyond.rows(), (c, question) -> all.apply(question)));
  }

  /** The rows as a chain sees them that asks for everything. */
  private final class AskedRows implements PointRows {
    private final PointStream points;
    private final Function<PointQuestions.Question, PointQuestions.Answer> ask;

    AskedRows(int chain, Function<PointQuestions.Question, PointQuestions.Answer> ask) {
      this.points = sampler.points().of(chain);
      this.ask = ask;
    }

    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      PointQuestions.Answer answer = ask(iteration, height, null, null);
      new PooledPointRows(answer.pools()).visit(iteration, height, visitor);
    }

    @Override
    public double differences(double[] from, double[] to) {
      return ask(0, 0, from, to).difference();
    }

    private PointQuestions.Answer ask(
        long iteration, double height, double @Nullable [] from, double @Nullable [] to) {
      return ask.apply(new PointQuestions.Question(points, iteration, 1, height, from, to));
    }
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    return Optional.of(
        new SegmentSize(
            sampler.size().rows(),
            bytesPerRow,
            pointsAnIteration,
            0,
            sampler.points().window(),
            passesByJobs));
  }

  @Override
  public Segmented segmented(ChainRunner runner, List<ChainState<Point>> begun) {
    return new SegmentedChains<>(
        rows.segments(sampler, runner, chains),
        runner,
        begun,
        chain ->
            kernel(
                chain,
                question -> jobs.apply(List.of(question)).get(0),
                question -> passes.apply(List.of(question)).get(0)),
        state -> RegionAndBeyond.needsAllRows(sampler.beyond(), state));
  }

  @Override
  public Optional<Region> region() {
    return Optional.ofNullable(sampler.beyond()).map(RegionAndBeyond::region);
  }

  @Override
  public long passes() {
    return PASSES;
  }

  /** {@inheritDoc} One a row, for its proxy at the mode. */
  @Override
  public long evaluations() {
    return sampler.size().rows();
  }

  @Override
  public void close() {
    rows.close();
  }
}
