package org.lampyris.samplers.run;

import java.io.Serializable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Makes what an algorithm keeps of a block for the whole run: a pure function, sent to where the
 * blocks are.
 *
 * @param <B> the kind of resident block
 */
@FunctionalInterface
public interface BlockRule<B> extends Serializable {
  /** Returns the resident block of a data block. */
  B resident(DataBlock block);
}
