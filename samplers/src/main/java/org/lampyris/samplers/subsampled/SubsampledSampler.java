package org.lampyris.samplers.subsampled;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.proxy.TaylorProxy;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * Metropolis–Hastings by proxies and a few rows, with all that its chains share: makes the kernel
 * of a chain, and runs segments of chains.
 *
 * @param proxy the rows' proxies
 * @param prior p(θ)
 * @param collapsed Σ_n T_n
 * @param test how rows decide
 * @param rows how many rows the table has
 * @param total Σ_n c_n
 */
public record SubsampledSampler(
    TaylorProxy proxy,
    Prior prior,
    CollapsedQuadratic collapsed,
    RowTest test,
    long rows,
    double total)
    implements Serializable {

  /**
   * What a segment leads to.
   *
   * @param state where the chain is: at the end of the segment, or before the iteration that its
   *     pools did not suffice for
   * @param trace what its iterations left behind
   */
  public record Segment(ChainState state, ChainTrace trace) implements Serializable {}

  /** Returns the kernel of a chain that sees the rows in some way. */
  public SubsampledKernel kernel(CandidateRows candidates) {
    return new SubsampledKernel(proxy, prior, collapsed, candidates, test);
  }

  /**
   * Runs a segment of a chain: the iterations that the pools have points for, or those before the
   * first one that needs more. The draws are those of the same iterations made one at a time, to
   * the bit.
   *
   * @param runner the length of the chain and the run's streams
   * @param from where the chain is, at the iteration before the pools' first
   * @param pools the chain's points from every place
   */
  public Segment advance(ChainRunner runner, ChainState from, List<PointPool> pools) {
    PointPool pool = pools.get(0);
    ChainTrace trace = new ChainTrace(from.chain());
    ChainState state = from;
    if (pool.length() > 0) {
      SubsampledKernel kernel = kernel(new PooledCandidateRows(pools, rows, total));
      long end = from.iteration() + pool.length();
      try {
        while (state.iteration() < end) {
          state = runner.advance(state, state.iteration() + 1, kernel, trace);
        }
      } catch (PooledCandidateRows.ExhaustedException e) {
        // The iteration has left nothing behind; it is made again, by whoever has all rows at hand.
      }
    }
    trace.freeze(state.kernel().stepSize());
    return new Segment(state, trace);
  }
}
