package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.RowStates;

/**
 * All rows of the table with an algorithm's data for each, kept for the whole run, and the ways to
 * run on them.
 *
 * @param <B> a resident block
 */
public interface ResidentRows<B extends RowBlock<B>> extends AutoCloseable {
  /** Returns a sum over all blocks, along a fixed tree over their ids: a pass. */
  double[] sum(int length, BlockTerm<B> term);

  /**
   * Returns a function that answers the questions of all chains in one job: at most one of each
   * chain, in the order of the chains.
   */
  <Q extends Serializable, H extends Serializable, A> Function<List<Q>, List<A>> questions(
      RowQuestions<B, Q, H, A> how);

  /** Gives the rows a state in every chain. */
  <S extends Serializable, Q extends RowEvolution.ChainQuestion, H extends Serializable, A>
      RowStates<B, S, Q, A> states(RowEvolution<B, S, Q, H, A> how, int chains);

  /** Returns the segments of all chains; the runner holds their length and the run's streams. */
  <S extends SamplerState> Segments<S> segments(
      SegmentWork<B, S> work, ChainRunner runner, int chains);

  /** Drops the rows. */
  @Override
  void close();
}
