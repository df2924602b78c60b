package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.rows.PickedRows;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PooledEvents;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.CarriedTable;
import org.lampyris.samplers.run.RegionKernel;
import org.lampyris.samplers.run.RowClient;

/**
 * Firefly Monte Carlo with all that its chains share: makes the kernel of a chain, and runs
 * segments of chains.
 *
 * @param prior p(θ)
 * @param collapsed Σ_n log B_n
 * @param pass answers for blocks
 * @param zStep how brightness is resampled
 * @param thetaSteps how many updates of θ follow each update of z
 * @param around what chains need outside of the ball where the bounds hold; null where they hold
 *     everywhere
 */
public record FireflySampler(
    Prior prior,
    CollapsedQuadratic collapsed,
    FireflyPass pass,
    FireflyKernel.ZStep zStep,
    int thetaSteps,
    RegionKernel.@Nullable Around<BoundBlock> around)
    implements SegmentWork<BoundBlock, FireflyKernel.State<Brightness.Carried>> {
  /** Returns the kernel of a chain that sees these rows. */
  public <R extends Serializable> FireflyKernel<R> kernel(int chain, FireflyRows<R> rows) {
    return new FireflyKernel<>(chain, prior, collapsed, rows, zStep, thetaSteps);
  }

  /** Returns that kernel made exact everywhere: the client makes passes over all rows. */
  <R extends Serializable> TransitionKernel<FireflyKernel.State<R>> kernel(
      int chain, FireflyRows<R> rows, RowClient<BoundBlock> client) {
    FireflyKernel<R> kernel = kernel(chain, rows);
    return around == null ? kernel : around.kernel(kernel, chain, client);
  }

  @Override
  public Pool<BoundBlock> draw(int chain, long first, int length, List<BoundBlock> blocks) {
    BrightnessKernel.Candidates candidates =
        new BrightnessKernel.Candidates(zStep.kernel(), pass.streams(), chain, zStep.selected());
    return Pool.draw(candidates, first, length, Double.POSITIVE_INFINITY, blocks);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The rows of a segment are those that are bright when it begins, and the candidates of its
   * iterations.
   */
  @Override
  public ChainState<FireflyKernel.State<Brightness.Carried>> advance(
      ChainRunner runner,
      ChainState<FireflyKernel.State<Brightness.Carried>> from,
      long to,
      List<Pool<BoundBlock>> pools,
      ChainTrace trace) {
    if (runner.streams().seed() != pass.streams().seed()) {
      throw new IllegalArgumentException("the pools were drawn with another seed");
    }
    Brightness.Carried before = from.state().rows();
    PooledEvents<BoundBlock> candidates = new PooledEvents<>(pools);
    CarriedTable<BoundBlock> whole = around == null ? null : around.whole();
    Rows<BoundBlock> rows =
        whole == null
            ? Rows.gathered(PickedRows.union(candidates.rows(), before.rows()))
            : Rows.whole(whole.blocks());
    TransitionKernel<FireflyKernel.State<Brightness>> kernel =
        kernel(
            from.chain(),
            new FireflyRows.InMemory(rows, whole != null, pass, candidates),
            around == null ? RowClient.elsewhere() : around.inSegment());
    ChainState<FireflyKernel.State<Brightness>> after =
        runner.advance(
            from.with(new FireflyKernel.State<>(from.state().point(), before.brightness())),
            to,
            kernel,
            trace);
    FireflyKernel.State<Brightness> state = after.state();
    return after.with(
        new FireflyKernel.State<>(state.point(), Brightness.Carried.of(state.rows(), rows)));
  }
}
