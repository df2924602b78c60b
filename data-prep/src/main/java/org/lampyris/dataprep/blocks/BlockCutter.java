package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Cuts the rows of a partition where blocks end: either into the blocks that lie wholly in one
 * piece of the input, by their ids, or into what is left at the ends of pieces, by the first row.
 * Each is the number of rows and their bytes.
 */
final class BlockCutter implements Iterator<Tuple2<Long, byte[]>> {
  private final Iterator<EncodedRows> parts;
  private final RowRecoder.Partition recoder;
  private final InputOrder order;
  private final int partition;
  private final boolean whole;

  private ByteBuffer part = ByteBuffer.allocate(0);
  private int left;
  private int at;
  private int run = -1;

  /** The next row, by its number in the table. */
  private long row;

  private long runEnd;
  private @Nullable Tuple2<Long, byte[]> next;
  private ByteBuffer out = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

  BlockCutter(
      Iterator<EncodedRows> parts,
      RowRecoder.Partition recoder,
      InputOrder order,
      int partition,
      boolean whole) {
    this.parts = parts;
    this.recoder = recoder;
    this.order = order;
    this.partition = partition;
    this.whole = whole;
  }

  @Override
  public boolean hasNext() {
    while (next == null && advance()) {
      cut();
    }
    return next != null;
  }

  @Override
  public Tuple2<Long, byte[]> next() {
    Tuple2<Long, byte[]> found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return found;
  }

  /** Goes on to rows that have not been looked at, and returns whether there are any. */
  private boolean advance() {
    while (left == 0 && parts.hasNext()) {
      EncodedRows of = parts.next();
      recoder.learn(of);
      if (of.rows() > 0) {
        part = RowRecoder.little(of.bytes());
        left = of.rows();
        at = 0;
        if (run < 0 || row == runEnd) {
          run++;
          row = order.first(partition, run);
          runEnd = order.end(partition, run);
          out.clear();
        }
      }
    }
    return left > 0;
  }

  /** Takes the rows at hand as far as they are of one block. */
  private void cut() {
    long begin = Math.max(order.first(partition, run), row / order.blockRows() * order.blockRows());
    long blockEnd = order.blockEnd(row);
    int count = (int) Math.min(left, blockEnd - row);
    boolean isWhole = begin % order.blockRows() == 0 && blockEnd <= runEnd;
    if (isWhole == whole) {
      copy(count, row == begin);
    } else {
      skip(count);
    }
    row += count;
    left -= count;
    if (isWhole == whole && (row == blockEnd || row == runEnd)) {
      byte[] bytes = new byte[out.position()];
      out.flip().get(bytes);
      RowRecoder.little(bytes).putInt(0, (int) (row - begin));
      out.clear();
      next = new Tuple2<>(whole ? begin / order.blockRows() : begin, bytes);
    }
  }

  private void copy(int count, boolean first) {
    if (first) {
      out.clear();
      out.putInt(0);
    }
    for (int n = 0; n < count; n++) {
      int length = recoder.length(part, at);
      int after = recoder.lengthAfter(length);
      if (out.remaining() < after) {
        ByteBuffer larger =
            ByteBuffer.allocate(Math.max(2 * out.capacity(), out.position() + after));
        out = larger.order(ByteOrder.LITTLE_ENDIAN).put(out.flip());
      }
      recoder.recode(part, at, length, out);
      at += length;
    }
  }

  private void skip(int count) {
    if (count < left) {
      for (int n = 0; n < count; n++) {
        at += recoder.length(part, at);
      }
    }
  }
}
