package org.lampyris.samplers.rows;

import java.util.Arrays;

/** Events as they are drawn: three columns that grow. */
final class EventBuffer implements EventSource.Sink {
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
