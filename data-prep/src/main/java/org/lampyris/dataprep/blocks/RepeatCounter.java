package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import scala.Tuple2;

/**
 * Gathers rows that repeat before they are shuffled: gives each row's key with a count and the row.
 * Without it a table of few distinct rows (an A/B test with a billion rows of three bits) would go
 * to a handful of tasks whole. It holds a limited number of rows, and stops looking where they do
 * not repeat; a row may come several times with counts that add up.
 */
final class RepeatCounter implements Iterator<Tuple2<byte[], byte[]>> {
  private static final int HELD = 1 << 14;

  private final Iterator<byte[]> rows;
  private Map<ByteBuffer, long[]> counts = new LinkedHashMap<>();
  private Iterator<Map.Entry<ByteBuffer, long[]>> ready = counts.entrySet().iterator();
  private boolean repeating = true;

  RepeatCounter(Iterator<byte[]> rows) {
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    return ready.hasNext() || rows.hasNext();
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    if (!ready.hasNext() && repeating) {
      gather();
    }
    if (ready.hasNext()) {
      Map.Entry<ByteBuffer, long[]> entry = ready.next();
      return pair(entry.getKey().array(), entry.getValue()[0]);
    }
    return pair(rows.next(), 1);
  }

  private void gather() {
    counts = new LinkedHashMap<>();
    long read = 0;
    while (rows.hasNext() && counts.size() < HELD) {
      counts.computeIfAbsent(ByteBuffer.wrap(rows.next()), row -> new long[1])[0]++;
      read++;
    }
    // Fewer than one in eight repeats: looking costs more than it saves.
    repeating = read > counts.size() + counts.size() / 8L;
    ready = counts.entrySet().iterator();
  }

  private static Tuple2<byte[], byte[]> pair(byte[] row, long count) {
    byte[] value = new byte[Long.BYTES + row.length];
    ByteBuffer.wrap(value).putLong(count).put(row);
    return new Tuple2<>(RowKeys.ofContent(row), value);
  }
}
