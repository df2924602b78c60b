package org.lampyris.samplers.rows;

import java.io.Serializable;

/** What a chain asks of the rows. */
public interface ChainQuestion extends Serializable {
  /** Returns the number of the chain that asks, from 1. */
  int chain();

  /**
   * Returns about how many bytes the question takes. Much is sent to each executor once, and not
   * with each task, nor again where lost states are computed anew; 0 where it is little.
   */
  default long bytes() {
    return 0;
  }
}
