package org.lampyris.samplers.run;

import java.io.Serializable;

/**
 * Block's share of a sum over all blocks: a pure function, sent to the blocks.
 *
 * @param <B> the kind of block
 */
@FunctionalInterface
public interface BlockTerm<B> extends Serializable {
  /** Adds the block's share to {@code out}, zeros. Modified. */
  void addTo(B block, double[] out);
}
