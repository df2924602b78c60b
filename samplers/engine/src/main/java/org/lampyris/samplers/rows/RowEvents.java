package org.lampyris.samplers.rows;

/**
 * Events of one chain, from any source: drawn from local rows, sent to the chain in pools, or
 * requested by a job. All sources give the same bits.
 */
public interface RowEvents {
  /** Receiver of events. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Receives the {@linkplain RowId global id} of an event's row and its payload; returns false if
     * no more events are wanted.
     */
    boolean event(long row, double payload);
  }

  /**
   * Names the events of an iteration whose payload is below a limit, in their source's order.
   *
   * @throws PoolExhaustedException if not all of them are here. The iteration has left nothing
   *     behind, and can be made again where they are
   */
  void visit(long iteration, double limit, Visitor visitor);
}
