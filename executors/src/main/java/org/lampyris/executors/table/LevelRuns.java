package org.lampyris.executors.table;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The groups of a block's rows, each a run of rows, numbered through the whole table. */
public final class LevelRuns implements Serializable {
  private final long first;
  private final int[] start;

  private LevelRuns(long first, int[] start) {
    this.first = first;
    this.start = start;
  }

  /**
   * Returns the groups of a block.
   *
   * @param first the number of its first group in the table, from 0
   * @param sizes how many rows each group has
   */
  public static LevelRuns of(long first, List<Integer> sizes) {
    int[] start = new int[sizes.size() + 1];
    for (int k = 0; k < sizes.size(); k++) {
      start[k + 1] = start[k] + sizes.get(k);
    }
    return new LevelRuns(first, start);
  }

  /** Returns the groups that {@link #toBytes} wrote. */
  public static LevelRuns ofBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long first = in.getLong();
    int[] start = new int[in.remaining() / Integer.BYTES];
    in.asIntBuffer().get(start);
    return new LevelRuns(first, start);
  }

  /** Returns the number of the first group, the starts of the groups, and the end of the last. */
  public byte[] toBytes() {
    ByteBuffer out =
        ByteBuffer.allocate(Long.BYTES + start.length * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(first);
    out.asIntBuffer().put(start);
    return out.array();
  }

  /** Returns how many groups the block has. */
  public int count() {
    return start.length - 1;
  }

  /** Returns the number in the table of the k-th group of the block. */
  public long group(int k) {
    return first + k;
  }

  /** Returns the row of the block at which its k-th group begins; for k = count the row's end. */
  public int start(int k) {
    return start[k];
  }
}
