package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
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
import org.lampyris.samplers.run.LikelihoodRows;
import org.lampyris.samplers.run.RegionAndBeyond;

/**
 * Firefly Monte Carlo with all that its chains share: makes the kernel of a chain, and runs
 * segments of chains.
 *
 * @param prior p(θ)
 * @param collapsed Σ_n log B_n
 * @param pass answers for blocks
 * @param zStep how brightness is resampled
 * @param thetaSteps how many updates of θ follow each update of z
 * @param beyond what chains need outside of the ball where the bounds hold; null where they hold
 *     everywhere
 */
public record FireflySampler(
    Prior prior,
    CollapsedQuadratic collapsed,
    FireflyPass pass,
    FireflyKernel.ZStep zStep,
    int thetaSteps,
    @Nullable RegionAndBeyond<BoundBlock> beyond)
    implements SegmentWork<BoundBlock, FireflyState<CarriedBrightness>>, Serializable {
  /** Returns the kernel of a chain that sees these rows. */
  public <R extends Serializable> FireflyKernel<R> kernel(int chain, FireflyRows<R> rows) {
    return new FireflyKernel<>(chain, prior, collapsed, rows, zStep, thetaSteps);
  }

  /** Returns that kernel made exact everywhere: {@code all} makes passes over all rows. */
  <R extends Serializable> TransitionKernel<FireflyState<R>> kernel(
      int chain, FireflyRows<R> rows, Function<RegionAndBeyond<BoundBlock>, LikelihoodRows> all) {
    FireflyKernel<R> kernel = kernel(chain, rows);
    return beyond == null ? kernel : beyond.around(kernel, chain, all.apply(beyond));
  }

  @Override
  public Pool<BoundBlock> draw(int chain, long first, int length, List<BoundBlock> blocks) {
    Candidates candidates = new Candidates(zStep.kernel(), pass.streams(), chain, zStep.selected());
    return Pool.draw(candidates, first, length, Double.POSITIVE_INFINITY, blocks);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The rows of a segment are those that are bright when it begins, and the candidates of its
   * iterations.
   */
  @Override
  public ChainState<FireflyState<CarriedBrightness>> advance(
      ChainRunner runner,
      ChainState<FireflyState<CarriedBrightness>> from,
      long to,
      List<Pool<BoundBlock>> pools,
      ChainTrace trace) {
    if (runner.streams().seed() != pass.streams().seed()) {
      throw new IllegalArgumentException("the pools were drawn by the streams of another seed");
    }
    CarriedBrightness before = from.state().rows();
    PooledEvents<BoundBlock> candidates = new PooledEvents<>(pools);
    CarriedTable<BoundBlock> whole = beyond == null ? null : beyond.whole();
    Rows<BoundBlock> rows =
        whole == null
            ? Rows.gathered(PickedRows.union(candidates.rows(), before.rows()))
            : Rows.whole(whole.blocks());
    TransitionKernel<FireflyState<Brightness>> kernel =
        kernel(
            from.chain(),
            new InMemoryFireflyRows(rows, whole != null, pass, candidates),
            RegionAndBeyond::inSegment);
    ChainState<FireflyState<Brightness>> after =
        runner.advance(
            from.with(new FireflyState<>(from.state().point(), before.brightness())),
            to,
            kernel,
            trace);
    FireflyState<Brightness> state = after.state();
    return after.with(new FireflyState<>(state.point(), CarriedBrightness.of(state.rows(), rows)));
  }
}
