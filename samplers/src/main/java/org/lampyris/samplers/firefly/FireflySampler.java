package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * Firefly Monte Carlo with all that its chains share: makes the kernel of a chain, and runs
 * segments of chains.
 *
 * @param prior p(θ)
 * @param collapsed Σ_n log B_n
 * @param pass answers for blocks
 * @param zStep how brightness is resampled
 * @param thetaSteps how many updates of θ follow each update of z
 */
public record FireflySampler(
    Prior prior,
    CollapsedQuadratic collapsed,
    FireflyPass pass,
    FireflyKernel.ZStep zStep,
    int thetaSteps)
    implements Serializable {

  /**
   * One chain between two segments.
   *
   * @param state θ and the θ-kernel
   * @param bright its bright rows
   */
  public record Chain(ChainState state, CarriedBrightness bright) implements Serializable {}

  /**
   * What a segment leads to.
   *
   * @param chain where the chain is
   * @param trace what its iterations left behind
   */
  public record Segment(Chain chain, ChainTrace trace) implements Serializable {}

  /**
   * Returns the kernel of a chain.
   *
   * @param chain the chain's number
   * @param rows the rows as this chain sees them
   */
  public FireflyKernel kernel(int chain, FireflyRows rows) {
    return new FireflyKernel(chain, prior, collapsed, rows, zStep, thetaSteps);
  }

  /**
   * Runs a segment of a chain: the iterations that the pools have candidates for. The draws are
   * those of the same iterations made one question at a time, to the bit.
   *
   * @param runner the length of the chain and the run's streams
   * @param chain where the chain is, at the iteration before the pools' first
   * @param pools the chain's candidates from every place
   */
  public Segment advance(ChainRunner runner, Chain chain, List<CandidatePool> pools) {
    CandidatePool pool = pools.get(0);
    long iteration = chain.state().iteration();
    if (pools.stream().anyMatch(p -> p.first() != iteration + 1 || p.length() != pool.length())) {
      throw new IllegalArgumentException(
          "a pool does not begin after iteration " + iteration + " of the chain");
    }
    if (runner.streams().seed() != pass.streams().seed()) {
      throw new IllegalArgumentException("the pools were drawn by the streams of another seed");
    }
    int number = chain.state().chain();
    SegmentRows rows = new SegmentRows(pools, chain.bright(), pass);
    ChainTrace trace = new ChainTrace(number);
    ChainState after =
        runner.advance(
            chain.state(), iteration + pool.length(), kernel(number, rows.rows()), trace);
    return new Segment(new Chain(after, rows.bright()), trace);
  }
}
