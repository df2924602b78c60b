package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pool of one chain's events in some iterations, from the blocks of one place, with their rows'
 * data, sent to the chain. A row with several events is there once.
 *
 * <p>Immutable by convention.
 */
public final class Pool<B extends RowBlock<B>> implements Serializable {
  private final long first;
  private final int length;
  private final double limit;
  private final EventSource.Order order;
  private final ArrayList<PickedRows<B>> rows = new ArrayList<>();
  private final int[] offsets;
  private final long[] ids;
  private final double[] payloads;

  private Pool(
      long first, int length, double limit, EventSource.Order order, EventWindow.Buffer events) {
    this.first = first;
    this.length = length;
    this.limit = limit;
    this.order = order;
    this.offsets = new int[events.count()];
    this.ids = new long[events.count()];
    this.payloads = new double[events.count()];
    for (int i = 0; i < ids.length; i++) {
      offsets[i] = events.offset(i);
      ids[i] = events.row(i);
      payloads[i] = events.payload(i);
    }
  }

  /**
   * Draws a pool.
   *
   * @param limit below which payloads are wanted; every level that reaches below it is drawn whole
   * @param blocks the blocks of one place, whole, in ascending order of their consecutive ids
   */
  public static <B extends RowBlock<B>> Pool<B> draw(
      EventSource<B> source, long first, int length, double limit, List<B> blocks) {
    int levels = source.levelsTo(limit);
    EventWindow.Buffer events = new EventWindow.Buffer();
    for (int level = 0; level < levels; level++) {
      source.draw(level, first, length, blocks, events);
    }
    Pool<B> pool = new Pool<>(first, length, source.limitOf(levels), source.order(), events);
    long[] wanted = pool.ids.clone();
    Arrays.sort(wanted);
    int distinct = 0;
    for (long id : wanted) {
      if (distinct == 0 || id != wanted[distinct - 1]) {
        wanted[distinct++] = id;
      }
    }
    pool.rows.addAll(PickedRows.of(Rows.whole(blocks), Arrays.copyOf(wanted, distinct)));
    return pool;
  }

  /** Returns a pool of all rows of some blocks, ascending, without events. */
  public static <B extends RowBlock<B>> Pool<B> whole(long first, int length, List<B> blocks) {
    Pool<B> pool = empty(first, length);
    for (B block : blocks) {
      pool.rows.add(PickedRows.whole(block));
    }
    return pool;
  }

  /** Returns a pool without events, for chains that read no single row. */
  public static <B extends RowBlock<B>> Pool<B> empty(long first, int length) {
    return new Pool<>(
        first, length, Double.POSITIVE_INFINITY, EventSource.Order.ROW, new EventWindow.Buffer());
  }

  /** Returns the number of events. */
  public long size() {
    return ids.length;
  }

  /** Returns the first iteration. */
  public long first() {
    return first;
  }

  /** Returns the number of iterations. */
  public int length() {
    return length;
  }

  /** Returns below which payload every event is here. */
  public double limit() {
    return limit;
  }

  /** Returns the rows of the events, a selection of each block, in ascending order. */
  public List<PickedRows<B>> rows() {
    return rows;
  }

  EventSource.Order order() {
    return order;
  }

  void forEach(EventSource.Sink sink) {
    for (int i = 0; i < ids.length; i++) {
      sink.event(offsets[i], ids[i], payloads[i]);
    }
  }
}
