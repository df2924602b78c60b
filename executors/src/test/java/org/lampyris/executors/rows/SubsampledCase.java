package org.lampyris.executors.rows;

import java.util.List;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.executors.testdata.LogisticTable;
import org.lampyris.executors.testdata.Traces;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.mhss.PointRows;
import org.lampyris.samplers.mhss.PointStream;
import org.lampyris.samplers.mhss.ProxyBlock;
import org.lampyris.samplers.mhss.RowDecision;
import org.lampyris.samplers.mhss.SubsampledKernel;
import org.lampyris.samplers.mhss.SubsampledSampler;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;

/**
 * Subsampled Metropolis–Hastings on a table of twelve blocks.
 *
 * @param name of the case
 * @param sampler runs chains
 * @param theta proposes
 * @param thin whether pools hold so few points that they often do not suffice
 */
record SubsampledCase(String name, SubsampledSampler sampler, ThetaKernel theta, boolean thin) {
  private static final int CHAINS = 3;
  private static final double[] COVARIANCE = {
    0.004, 0.0003, 0, 0.0003, 0.003, 0.0002, 0, 0.0002, 0.003
  };
  private static final Streams STREAMS = new Streams(4);

  static List<DataBlock> blocks() {
    return LogisticTable.blocks(12, 200, 200);
  }

  static List<SubsampledCase> all() {
    Preconditioner laplace =
        Preconditioner.of(new LaplaceApproximation(LogisticTable.mode(), COVARIANCE));
    RandomWalk walk = new RandomWalk(laplace, 0.8);
    CrankNicolson independence = new CrankNicolson(LogisticTable.mode(), laplace, 0.9);
    return List.of(
        of("mhss", 2, new RowDecision.Scalable(true), independence, 40),
        of("smh", 2, new RowDecision.Factorised(), walk, 40),
        of("mhss, thin", 2, new RowDecision.Scalable(true), independence, 1),
        // Proxies of order 1 ask for all rows now and then.
        of("order 1, thin", 1, new RowDecision.Scalable(false), walk, 1));
  }

  /** Makes a case whose slabs are of a thickness. */
  private static SubsampledCase of(
      String name, int order, RowDecision test, ThetaKernel theta, double thickness) {
    TaylorProxy proxy =
        new TaylorProxy(
            new LinearModel(new LogisticLikelihood(), LogisticTable.D),
            order,
            new LaplaceApproximation(LogisticTable.mode(), COVARIANCE),
            Double.POSITIVE_INFINITY);
    CollapsedQuadratic collapsed = proxy.emptySum();
    long rows = 0;
    double total = 0;
    for (DataBlock block : blocks()) {
      proxy.collapse(block, collapsed);
      rows += block.rows();
      total += ProxyBlock.of(proxy, block).total();
    }
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 1), LogisticTable.D);
    PointStream points = new PointStream(STREAMS, 1, 16, thickness);
    PointStream.Size size = new PointStream.Size(rows, total);
    return new SubsampledCase(
        name,
        new SubsampledSampler(proxy, prior, collapsed, List.of(), test, size, points, null, null),
        theta,
        thickness == 1);
  }

  /** Returns what runs the chains. */
  static ChainRunner runner() {
    return new ChainRunner(new ChainRunner.Length(10, 30, 1, 0.45), STREAMS, (c, i, info) -> {});
  }

  /** Returns what makes a resident block. */
  BlockRule<ProxyBlock> rule() {
    TaylorProxy proxy = sampler.proxy();
    return block -> ProxyBlock.of(proxy, block);
  }

  /** Runs the chains one iteration at a time, with all rows in memory: the reference. */
  List<ChainTrace> inMemory() {
    List<ProxyBlock> resident = blocks().stream().map(rule()::resident).toList();
    return Traces.begin(CHAINS).stream()
        .map(
            trace -> {
              PointStream points = sampler.points().of(trace.chain());
              SubsampledKernel kernel = sampler.kernel(allRows(resident, points));
              return runner().run(trace.chain(), kernel, theta, LogisticTable.mode());
            })
        .toList();
  }

  /** Returns all rows, in memory, as a chain sees them. */
  private PointRows allRows(List<ProxyBlock> resident, PointStream points) {
    Rows<ProxyBlock> rows = Rows.whole(resident);
    DrawnEvents<ProxyBlock> drawn = new DrawnEvents<>(points, resident);
    return new PointRows() {
      @Override
      public void visit(long iteration, double height, Visitor visitor) {
        PointRows.visit(drawn, rows, iteration, height, visitor);
      }

      @Override
      public double differences(double[] from, double[] to) {
        TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
        for (ProxyBlock block : resident) {
          sum.add(block.id(), new double[] {block.differences(sampler.proxy(), from, to)});
        }
        return TreeSum.total(sum.nodes(), 1)[0];
      }
    };
  }

  /** Begins the chains. */
  List<ChainState<Point>> begin(ResidentRows<ProxyBlock> rows, List<ChainTrace> traces) {
    return traces.stream()
        .map(
            trace ->
                runner().begin(trace, kernel(rows, trace.chain()), theta, LogisticTable.mode()))
        .toList();
  }

  /** Returns the kernel of a chain that asks all rows. */
  SubsampledKernel kernel(ResidentRows<ProxyBlock> rows, int chain) {
    return sampler.kernel(
        new PointRows.Asked(sampler.proxy(), sampler.points().of(chain), RowClient.alone(rows)));
  }
}
