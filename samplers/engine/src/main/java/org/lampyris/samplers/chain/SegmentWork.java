package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.List;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.RowBlock;

/**
 * Work of an algorithm in a segment: many iterations of a chain, in one task, on rows that were
 * drawn before. Pure functions, sent to the executors.
 *
 * @param <S> the state of a chain between two segments, the data of the rows that it needs included
 */
public interface SegmentWork<B extends RowBlock<B>, S extends SamplerState> extends Serializable {
  /**
   * Draws the rows that a chain, numbered from 1, may need in some iterations, from the whole
   * blocks of one place in ascending order of their ids.
   */
  Pool<B> draw(int chain, long first, int length, List<B> blocks);

  /**
   * Runs a chain's iterations. The draws have the same bits as iterations made one question at a
   * time.
   *
   * @param runner the length of the chain and the run's streams
   * @param from where the chain is, at the iteration before the pools' first
   * @param pools the chain's pool from every place, in any order
   * @param trace what the iterations leave behind is added to it. Modified.
   * @return where the chain is: at {@code to}, or before the iteration that its pools fall short
   *     for
   */
  ChainState<S> advance(
      ChainRunner runner, ChainState<S> from, long to, List<Pool<B>> pools, ChainTrace trace);
}
