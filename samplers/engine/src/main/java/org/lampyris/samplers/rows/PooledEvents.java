package org.lampyris.samplers.rows;

import java.util.Comparator;
import java.util.List;

/**
 * Events of one chain from its pools: the same as from the whole table, as long as no event outside
 * the pools is requested.
 */
public final class PooledEvents<B extends RowBlock<B>> implements RowEvents {
  private final EventWindow window;
  private final double limit;
  private final List<PickedRows<B>> rows;

  /** Joins the pools of a chain from each place, in any order, all of the same iterations. */
  public PooledEvents(List<Pool<B>> pools) {
    Pool<B> any = pools.get(0);
    EventWindow.Buffer events = new EventWindow.Buffer();
    for (Pool<B> pool : pools) {
      if (pool.first() != any.first() || pool.length() != any.length()) {
        throw new IllegalArgumentException("the pools belong to different iterations");
      }
      pool.forEach(events);
    }
    this.limit = any.limit();
    this.window = EventWindow.of(any.first(), any.length(), events, any.order());
    this.rows =
        pools.stream()
            .flatMap(pool -> pool.rows().stream())
            .sorted(Comparator.comparingLong(selected -> selected.block().id()))
            .toList();
  }

  /** Returns the rows that have events, a selection of each block, in ascending order. */
  public List<PickedRows<B>> rows() {
    return rows;
  }

  @Override
  public void visit(long iteration, double upTo, Visitor visitor) {
    if (upTo > limit || !window.covers(iteration)) {
      throw new PoolExhaustedException("iteration " + iteration);
    }
    DrawnEvents.visit(window, iteration, upTo, visitor);
  }
}
