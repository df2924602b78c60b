package org.lampyris.samplers.rows;

/**
 * The events of one chain, wherever they come from: drawn from the rows at hand, carried to the
 * chain in pools, or asked for by a job. All answer alike, to the bit.
 */
public interface RowEvents {
  /** Is told events. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes the {@linkplain RowId global id} of an event's row and what comes with it; returns
     * false if no more events are wanted.
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
