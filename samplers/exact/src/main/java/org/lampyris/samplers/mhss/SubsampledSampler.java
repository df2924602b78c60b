package org.lampyris.samplers.mhss;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.run.CarriedTable;
import org.lampyris.samplers.run.RegionKernel;
import org.lampyris.samplers.run.RowClient;

/**
 * Metropolis–Hastings by proxies and a few rows, with all that its chains share: makes the kernel
 * of a chain, and runs segments of chains. Pools hold the points of the lowest slab of heights; a
 * chain that needs more, or all rows where they are many, stops before that iteration.
 *
 * @param proxy the rows' proxies
 * @param prior p(θ)
 * @param collapsed Σ_n T_n
 * @param others proxies about other points of the ball, with the same constants
 * @param test how rows decide
 * @param size the number of rows and the sum of their constants
 * @param points draws the points of any one chain
 * @param whole all rows, sent along with segments; null where they are too many
 * @param around what chains need outside of the ball where the constants hold; null where they hold
 *     everywhere
 */
public record SubsampledSampler(
    TaylorProxy proxy,
    Prior prior,
    CollapsedQuadratic collapsed,
    List<Remainders> others,
    RowDecision test,
    PointStream.Size size,
    PointStream points,
    @Nullable CarriedTable<ProxyBlock> whole,
    RegionKernel.@Nullable Around<ProxyBlock> around)
    implements SegmentWork<ProxyBlock, Point> {
  /** Returns the kernel of a chain that sees the rows in some way. */
  public SubsampledKernel kernel(PointRows candidates) {
    return new SubsampledKernel(proxy, prior, collapsed, others, candidates, size, test);
  }

  /** Returns the kernel of a chain, everywhere: the client makes passes over all rows. */
  TransitionKernel<Point> kernel(int chain, PointRows candidates, RowClient<ProxyBlock> client) {
    SubsampledKernel kernel = kernel(candidates);
    return around == null ? kernel : around.kernel(kernel, chain, client);
  }

  @Override
  public Pool<ProxyBlock> draw(int chain, long first, int length, List<ProxyBlock> blocks) {
    return Pool.draw(points.of(chain), first, length, points.thickness(), blocks);
  }

  @Override
  public ChainState<Point> advance(
      ChainRunner runner,
      ChainState<Point> from,
      long last,
      List<Pool<ProxyBlock>> pools,
      ChainTrace trace) {
    RowClient<ProxyBlock> all = whole == null ? RowClient.elsewhere() : whole.client();
    PointRows candidates = new PointRows.Pooled(pools, proxy, all);
    return runner.advance(from, last, kernel(from.chain(), candidates, all), trace);
  }
}
