package org.lampyris.samplers.rows;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Events of one chain in a run of iterations, from the rows of one place or of all: sorted by
 * iteration, and within one in the order that their source declares. Immutable.
 *
 * @param start where each iteration's events begin, and where the last one's end
 * @param rows the ids of their rows
 */
record EventWindow(long first, int[] start, long[] rows, double[] payloads) {
  /** Sorts events, which come in any order. */
  static EventWindow of(long first, int length, Buffer events, EventSource.Order order) {
    int count = events.count();
    int[] start = new int[length + 1];
    for (int i = 0; i < count; i++) {
      start[events.offset(i) + 1]++;
    }
    Arrays.parallelPrefix(start, Integer::sum);
    int[] next = start.clone();
    long[] rows = new long[count];
    double[] payloads = new double[count];
    for (int i = 0; i < count; i++) {
      int at = next[events.offset(i)]++;
      rows[at] = events.row(i);
      payloads[at] = events.payload(i);
    }
    for (int i = 0; i < length; i++) {
      sort(rows, payloads, start[i], start[i + 1], order);
    }
    return new EventWindow(first, start, rows, payloads);
  }

  /** Sorts in place, by merging; most sources draw in this order already. */
  private static void sort(
      long[] rows, double[] payloads, int from, int to, EventSource.Order order) {
    boolean sorted = true;
    for (int i = from + 1; sorted && i < to; i++) {
      sorted = !precedes(rows, payloads, i, i - 1, order);
    }
    if (sorted) {
      return;
    }
    int[] places = IntStream.range(from, to).toArray();
    int[] merged = new int[places.length];
    for (int run = 1; run < places.length; run *= 2) {
      for (int low = 0; low < places.length; low += 2 * run) {
        int middle = Math.min(low + run, places.length);
        int high = Math.min(middle + run, places.length);
        int left = low;
        int right = middle;
        for (int k = low; k < high; k++) {
          boolean second =
              left == middle
                  || (right < high && precedes(rows, payloads, places[right], places[left], order));
          merged[k] = places[second ? right++ : left++];
        }
      }
      int[] swapped = places;
      places = merged;
      merged = swapped;
    }
    long[] sortedRows = new long[places.length];
    double[] sortedPayloads = new double[places.length];
    for (int i = 0; i < places.length; i++) {
      sortedRows[i] = rows[places[i]];
      sortedPayloads[i] = payloads[places[i]];
    }
    System.arraycopy(sortedRows, 0, rows, from, places.length);
    System.arraycopy(sortedPayloads, 0, payloads, from, places.length);
  }

  private static boolean precedes(
      long[] rows, double[] payloads, int one, int other, EventSource.Order order) {
    if (order == EventSource.Order.PAYLOAD) {
      return payloads[one] < payloads[other]
          || (payloads[one] == payloads[other] && rows[one] < rows[other]);
    }
    return rows[one] < rows[other] || (rows[one] == rows[other] && payloads[one] < payloads[other]);
  }

  boolean covers(long iteration) {
    return iteration >= first && iteration < first + start.length - 1;
  }

  /** Returns the index of an iteration's first event; its events end at the next iteration's. */
  int start(long iteration) {
    return start[(int) (iteration - first)];
  }

  long row(int i) {
    return rows[i];
  }

  double payload(int i) {
    return payloads[i];
  }

  /** Buffer of events as they are drawn: three columns that grow. */
  static final class Buffer implements EventSource.Sink {
    private int[] offsets = new int[64];
    private long[] rows = new long[64];
    private double[] payloads = new double[64];
    private int count;

    @Override
    public void event(int offset, long row, double payload) {
      if (count == rows.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
        payloads = Arrays.copyOf(payloads, 2 * count);
      }
      offsets[count] = offset;
      rows[count] = row;
      payloads[count++] = payload;
    }

    int count() {
      return count;
    }

    int offset(int i) {
      return offsets[i];
    }

    long row(int i) {
      return rows[i];
    }

    double payload(int i) {
      return payloads[i];
    }
  }
}
