package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * Source of one chain's events from the rows of a place, drawn independently of θ and of the
 * chain's state. An event of an iteration does not depend on which others are drawn, in whichever
 * place: its stream is keyed by (chain, level, window of iterations, block).
 *
 * <p>Payloads may be drawn by levels, each with a range of them. A chain that needs larger payloads
 * asks for the next level, which does not change earlier ones.
 */
public interface EventSource<B> extends Serializable {
  /** In which order an iteration's events are visited. */
  enum Order {
    /** By row id, and by payload among the events of a row. */
    ROW,
    /** By payload: the position in a permutation of the rows. */
    PAYLOAD
  }

  /** Receiver of events as they are drawn. */
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
   * Returns the number of iterations in a window for a table with about so many events an
   * iteration: a power of two, at most 1,024, with at most about 65,536 events.
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
   * @param sink receives the events, in any order
   */
  void draw(int level, long first, int length, List<B> blocks, Sink sink);
}
