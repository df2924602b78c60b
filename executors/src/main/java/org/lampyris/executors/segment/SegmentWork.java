package org.lampyris.executors.segment;

import java.io.Serializable;
import java.util.List;

/**
 * What an algorithm does in a segment: pure functions, sent to the executors.
 *
 * @param <B> a resident block
 * @param <P> the candidates of one chain from one place, which Kryo must know
 */
public interface SegmentWork<B, P> extends Serializable {

  /**
   * Draws a chain's candidates.
   *
   * @param chain the chain's number, from 1
   * @param first the first iteration
   * @param length how many iterations
   * @param blocks the blocks of one place, in ascending order of their ids
   */
  P draw(int chain, long first, int length, List<B> blocks);

  /**
   * Makes a chain's iterations.
   *
   * @param chain where the chain is, as bytes
   * @param pools its candidates from every place, in any order
   * @return what becomes of it, as bytes
   */
  byte[] advance(byte[] chain, List<P> pools);
}
