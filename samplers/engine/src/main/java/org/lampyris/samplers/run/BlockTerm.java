package org.lampyris.samplers.run;

import java.io.Serializable;

/**
 * A block's share of a sum over all blocks: a pure function, sent to where the blocks are.
 *
 * @param <B> the kind of block
 */
@FunctionalInterface
public interface BlockTerm<B> extends Serializable {
  /** Adds the block's share to {@code out}, zeros. Modified. */
  void addTo(B block, double[] out);
}
