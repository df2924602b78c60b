package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import org.lampyris.bounds.rows.DataBlock;

/** What rows add to a sum over a batch: a pure function, sent to where the rows are. */
public interface RowTerm extends Serializable {
  /** Returns how many numbers the sum has. */
  int length();

  /** Adds the share of some rows of a block, ascending, to {@code out}. Modified. */
  void addTo(DataBlock block, int[] rows, double[] out);
}
