package org.lampyris.samplers.rows;

import java.util.List;
import org.lampyris.samplers.random.RowPermutation;

/**
 * Rows without replacement, in the order of a keyed permutation of the whole table, a new one in
 * each iteration, for tests that decide with growing batches. An event's payload is its row's
 * position, and a batch of m rows is what is below the limit m.
 *
 * <p>Level 0 holds the positions below the first batch, level k those from 2^(k−1) to 2^k times as
 * many. Cost for a place: as many steps as positions are asked for, or as the place has rows,
 * whichever is less. Source of the permutation: {@link RowPermutation}.
 *
 * @param blockRows how many rows a full block has
 * @param batch how many positions level 0 holds, at least 1
 */
public record PermutedRows<B extends RowBlock<B>>(
    long seed, int chain, long rows, int blockRows, int batch) implements EventSource<B> {
  /** Number permuted at a time, so that all data stays in the nearest cache. */
  private static final int CHUNK = 512;

  /** Receiver of rows and their positions. */
  @FunctionalInterface
  public interface Found {
    /** Receives the number of a row in the table, and its position in the permutation. */
    void row(long number, long position);
  }

  public PermutedRows {
    if (batch < 1) {
      throw new IllegalArgumentException("a batch of " + batch + " rows");
    }
  }

  /** Finds the rows of a place whose positions are in {@code low … high − 1}, in no order. */
  public static void find(
      RowPermutation permutation, long low, long high, RowNumbers numbers, Found found) {
    find(permutation, low, high, numbers.first(), numbers.end(), found);
  }

  /** Finds those among the numbers {@code first … end − 1} with such positions, in any order. */
  public static void find(
      RowPermutation permutation, long low, long high, long first, long end, Found found) {
    boolean byNumber = high - low >= end - first;
    long to = byNumber ? end : high;
    for (long from = byNumber ? first : low; from < to; from += CHUNK) {
      long last = Math.min(to, from + CHUNK);
      long[] others =
          byNumber ? permutation.positions(from, last) : permutation.numbersAt(from, last);
      for (int i = 0; i < others.length; i++) {
        long number = byNumber ? from + i : others[i];
        long position = byNumber ? others[i] : from + i;
        if (number >= first && number < end && position >= low && position < high) {
          found.row(number, position);
        }
      }
    }
  }

  @Override
  public Order order() {
    return Order.PAYLOAD;
  }

  @Override
  public int levelsTo(double limit) {
    int levels = 1;
    while (limitOf(levels) < Math.min(limit, (double) rows)) {
      levels++;
    }
    return levels;
  }

  @Override
  public double limitOf(int levels) {
    double limit = Math.scalb((double) batch, levels - 1);
    return limit >= rows ? Double.POSITIVE_INFINITY : limit;
  }

  @Override
  public int windowLength(int level) {
    return 1;
  }

  @Override
  public long windowStart(int level, long iteration) {
    return iteration;
  }

  @Override
  public void draw(int level, long first, int length, List<B> blocks, Sink sink) {
    if (blocks.isEmpty()) {
      return;
    }
    RowNumbers numbers = new RowNumbers(blocks, blockRows);
    long low = level == 0 ? 0 : (long) Math.min((double) rows, limitOf(level));
    long high = (long) Math.min((double) rows, limitOf(level + 1));
    for (int i = 0; i < length; i++) {
      int offset = i;
      find(
          new RowPermutation(seed, chain, first + i, rows),
          low,
          high,
          numbers,
          (number, position) -> sink.event(offset, numbers.id(number), (double) position));
    }
  }
}
