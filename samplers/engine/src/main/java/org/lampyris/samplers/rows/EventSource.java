package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * Draws the events of one chain from the rows of a place, without a look at θ or at the chain's
 * state. An event of an iteration does not depend on which others are drawn, in whichever place:
 * its stream is keyed by (chain, level, window of iterations, block).
 *
 * <p>Payloads may be drawn level by level, each holding a range of them: a chain that needs larger
 * payloads than it has asks for the next level, which does not change what was drawn before.
 */
public interface EventSource<B> extends Serializable {
  /** In which order an iteration's events are visited. */
  enum Order {
    /** By row id, and by payload among the events of a row. */
    ROW,
    /** By payload: the position in a permutation of the rows. */
    PAYLOAD
  }

  /** Is told events as they are drawn. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes an event.
     *
     * @param offset how many iterations after the first one its own is
     * @param row the row's {@linkplain RowId global id}
     */
    void event(int offset, long row, double payload);
  }

  /** Returns the order of an iteration's events. */
  default Order order() {
    return Order.ROW;
  }

  /** Returns whether the events of a single iteration are drawn in their order. */
  default boolean isOrdered() {
    return false;
  }

  /** Returns how many levels hold every event whose payload is below a limit. */
  default int levelsTo(double limit) {
    return 1;
  }

  /** Returns below which limit some levels hold every event. */
  default double limitOf(int levels) {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Returns how many iterations a window has for a table with about so many events an iteration: a
   * power of two, at most 1,024, that keeps a window's events to about 65,536.
   */
  static int suitingWindow(double events) {
    int longest = 1024;
    double most = 65_536 / events;
    return most >= longest ? longest : Integer.highestOneBit(Math.max(1, (int) most));
  }

  /** Returns for how many iterations the events of a level are drawn at once, at least 1. */
  int windowLength(int level);

  /** Returns the first iteration of the window that an iteration is in. */
  long windowStart(int level, long iteration);

  /**
   * Draws the events of a level in some iterations. Cost: in proportion to the events drawn, plus a
   * constant for each block and window, if the source does not say otherwise.
   *
   * @param blocks the blocks of one place, whole, in ascending order of their ids
   * @param sink told of the events, in any order
   */
  void draw(int level, long first, int length, List<B> blocks, Sink sink);
}
