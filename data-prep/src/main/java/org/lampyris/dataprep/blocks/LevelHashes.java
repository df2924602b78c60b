package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows;

/**
 * What rows are sorted by before their content where they have groups: the hash of the seed and the
 * group's value, and the value that orders the rows of a group.
 *
 * <p>Values of a group are compared as text, numbers without needless digits, so that a table gives
 * the same groups in every format. Two of 10⁹ groups have the same hash of 128 bits with
 * probability 10⁻²¹, and are taken for one then.
 *
 * @param seed the table's seed
 * @param at where the group's value is in a selected row; the value that orders rows is next
 * @param ordered whether there is such a value
 */
public record LevelHashes(long seed, int at, boolean ordered) implements Serializable {
  /** How many bytes are put before a row besides the value that orders it. */
  static final int BYTES = Integer.BYTES + RowKeys.BYTES;

  /** Returns the name of the group of a key, by a look for a row of it among the selected ones. */
  public String name(SelectedRows selected, byte[] key) {
    return selected
        .mapPartitions(
            rows -> {
              while (rows.hasNext()) {
                String name = rows.next().level(at);
                if (isOf(name, key)) {
                  return List.of(name).iterator();
                }
              }
              return Collections.emptyIterator();
            })
        .first();
  }

  /** Returns whether a key is that of a group. */
  public boolean isOf(String name, byte[] key) {
    return Arrays.equals(key, group(name));
  }

  /** Returns what stands before the rows of a group where nothing orders these. */
  public byte[] before(String name) {
    return ByteBuffer.allocate(BYTES).putInt(RowKeys.BYTES).put(group(name)).array();
  }

  /** Returns the key of a group by its name. */
  private byte[] group(String name) {
    return RowKeys.ofPlace(seed, RowKeys.ofContent(name.getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** Returns a row's length of key, its key and its encoded content. */
  public byte[] before(RowCells row, byte[] encoded) {
    byte[] order = ordered ? order(row.value(at + 1)) : new byte[0];
    byte[] all = new byte[BYTES + order.length + encoded.length];
    ByteBuffer.wrap(all)
        .putInt(RowKeys.BYTES + order.length)
        .put(group(row.level(at)))
        .put(order)
        .put(encoded);
    return all;
  }

  /** Returns bytes that sort as values do: text by character, truth false first. */
  private static byte[] order(Object cell) {
    if (cell instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    double nearest = CellText.asNumber(cell) + 0.0;
    // What a double has no digits for, as of times in nanoseconds, is a second double.
    double rest =
        cell instanceof Long || cell instanceof BigDecimal
            ? new BigDecimal(cell.toString()).subtract(new BigDecimal(nearest)).doubleValue()
            : 0;
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(sortable(nearest))
        .putLong(sortable(rest))
        .array();
  }

  /** Returns bits that, unsigned, sort as numbers do. */
  private static long sortable(double x) {
    long bits = Double.doubleToLongBits(x);
    return bits ^ ((bits >> 63) | Long.MIN_VALUE);
  }
}
