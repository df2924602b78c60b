package org.lampyris.samplers.rows;

import java.io.Serializable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * A block of rows with all that an algorithm keeps of each row for the whole run: anchors of
 * bounds, constants of proxies. Shared by all chains, and immutable.
 */
public interface RowBlock<B extends RowBlock<B>> extends Serializable {
  /** Returns the rows. */
  DataBlock data();

  /** Returns the block's number in the table. */
  default long id() {
    return data().id();
  }

  /** Returns rows as a small block, in this order. Nothing can be drawn from it. */
  B select(int[] rows);

  /** Returns the rows of this selection followed by those of another one from the same block. */
  B append(B other);

  /** Returns about how many bytes a row takes on its way to a chain, times the number of rows. */
  long packedBytes();
}
