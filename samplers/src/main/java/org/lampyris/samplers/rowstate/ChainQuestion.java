package org.lampyris.samplers.rowstate;

import java.io.Serializable;

/** What a chain asks of the rows. */
public interface ChainQuestion extends Serializable {
  /** Returns the number of the chain that asks, from 1. */
  int chain();
}
