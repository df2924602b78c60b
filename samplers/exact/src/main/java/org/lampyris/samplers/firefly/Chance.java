package org.lampyris.samplers.firefly;

import java.util.function.LongConsumer;

/**
 * The random decisions of a z-step. An interface so that a test can take every way that the
 * decisions can fall, and add up the exact transition matrix of the very code that runs.
 */
interface Chance {
  /** Comes to a block, by its id: decisions about its rows follow, until the next block. */
  void enter(long block);

  /** Returns true with a probability in [0, 1]. */
  boolean flip(double probability);

  /**
   * Names the candidates of a z-step in ascending order: in an implicit update each row
   * independently with probability q_n, in an explicit one the selected rows, by their {@linkplain
   * org.lampyris.samplers.rows.RowId global ids}.
   */
  void candidates(BrightnessUpdate update, LongConsumer candidate);

  /**
   * Decides, with a probability in [0, 1], about a candidate of an implicit update by its number
   * among those named last, from 0; each is asked about at most once, in ascending order.
   */
  boolean flip(int candidate, double probability);
}
