package org.lampyris.samplers.run;

import java.io.Serializable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Rule that derives an algorithm's data for a block, kept for the whole run: a pure function, sent
 * to the blocks.
 *
 * @param <B> the kind of resident block
 */
@FunctionalInterface
public interface BlockRule<B> extends Serializable {
  /** Returns the resident block of a data block. */
  B resident(DataBlock block);
}
