package org.lampyris.samplers.mhss;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.run.CarriedTable;
import org.lampyris.samplers.run.RegionKernel;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings by Taylor proxies and a few rows, one question at a time or in segments. */
final class SubsampledRun implements ResidentAlgorithm<ProxyBlock, Point, Point> {

  /**
   * Allowed growth of steps: Crank–Nicolson steps may reach their largest size, a random walk's
   * hardly grow.
   */
  private static final double MOST_LONGER = 1.25;

  /** Share of proposals decided by all rows that is reported. */
  private static final double MANY = 0.05;

  private final ResidentRows<ProxyBlock> rows;
  private final SubsampledSampler sampler;
  private final double pointsAnIteration;
  private final double bytesPerRow;
  private final double passesByJobs;
  private final double shareByAll;
  private final long passes;
  private final long evaluations;

  /**
   * Computes the constants and collapses the proxies.
   *
   * @param context what the run is given
   * @param settings the order of the proxies and the ball
   * @param test how rows decide
   */
  SubsampledRun(SamplingContext context, SubsampledMetropolis.Settings settings, RowDecision test) {
    ProposalKernel proposal = SamplingAlgorithm.requireProposal(context.thetaKernel());
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
    PointStream.Size size = new PointStream.Size((long) sums[packed], sums[packed + 1]);
    this.bytesPerRow = sums[packed + 2] / size.rows();
    List<TaylorProxy> elsewhere =
        Remainders.elsewhere(context, proxy, settings.ball(), settings.points() - 1);
    List<Remainders> others =
        elsewhere.isEmpty() ? List.of() : Remainders.about(proxy.model(), elsewhere, rows);
    Remainders proxies = new Remainders(proxy.model(), proxy, collapsed, others);
    // The constants of the rows and their collapsed proxies; then the other points' proxies.
    this.passes = others.isEmpty() ? 1 : 2;
    this.evaluations = size.rows() * (1 + others.size());
    UniformRandomProvider rng = context.streams().stream(Streams.Purpose.INITIAL, 0, 0, 0);
    PointStream.Heights heights =
        new PointStream.Heights(
            (from, to) -> proxies.nearest(from, to).factor(from, to),
            longest(proposal),
            context.laplace(),
            rng);
    // From there on a step looks at all rows, and at no points.
    double allRows = size.rows() / size.total();
    double thickness = Math.min(allRows, heights.largest());
    this.pointsAnIteration = thickness * size.total();
    int window = EventSource.suitingWindow(pointsAnIteration);
    PointStream points = new PointStream(context.streams(), 1, window, thickness);
    CarriedTable<ProxyBlock> whole = CarriedTable.of(rows, sums[packed + 2]);
    this.shareByAll = heights.shareFrom(allRows);
    this.passesByJobs = whole == null ? shareByAll : 0;
    Double radius = settings.radius();
    RegionKernel.Around<ProxyBlock> around =
        radius == null
            ? null
            : RegionKernel.Around.of(context, context.laplace().ball(radius), whole);
    this.sampler =
        new SubsampledSampler(
            proxy, context.model().prior(), collapsed, others, test, size, points, whole, around);
  }

  /** Returns a kernel with steps at least as long as warm-up will reach. */
  private static ProposalKernel longest(ProposalKernel kernel) {
    double largest = kernel.largestStepSize();
    double size = Double.isInfinite(largest) ? MOST_LONGER * kernel.stepSize() : largest;
    return (ProposalKernel) kernel.withStepSize(size);
  }

  @Override
  public ResidentRows<ProxyBlock> rows() {
    return rows;
  }

  @Override
  public TransitionKernel<Point> kernel(int chain, RowClient<ProxyBlock> client) {
    return sampler.kernel(
        chain, new PointRows.Asked(sampler.proxy(), sampler.points().of(chain), client), client);
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
  public SegmentWork<ProxyBlock, Point> segmentWork() {
    return sampler;
  }

  @Override
  public RegionKernel.@Nullable Around<ProxyBlock> around() {
    return sampler.around();
  }

  /** {@inheritDoc} Says how many proposals all rows decide, if that is not a few. */
  @Override
  public List<Decision> decisions() {
    return shareByAll < MANY
        ? List.of()
        : List.of(
            Decision.of(
                "proposals",
                Map.of("decided_by_all_rows", shareByAll),
                String.format(
                    Locale.ROOT,
                    "%.0f %% of the proposals would take more points than the table has rows (%,d),"
                        + " so all rows decide these, as by metropolis. mhss and smh are then the"
                        + " same",
                    100 * shareByAll,
                    sampler.size().rows())));
  }

  @Override
  public long passes() {
    return passes;
  }

  /** {@inheritDoc} One a row for each point that proxies are expanded about. */
  @Override
  public long evaluations() {
    return evaluations;
  }
}
