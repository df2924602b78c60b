package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.dataprep.design.LevelCounts;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows;
import org.lampyris.executors.table.TableSchema;

/**
 * Sort keys of rows in groups, before their content: the hash of the seed and the group's value,
 * and the value that orders the rows of a group.
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
  /** Bytes before a row, without the value that orders it. */
  static final int BYTES = Integer.BYTES + RowKeys.BYTES;

  /** Returns the hashes of the groups of {@code data.group_by}, or of some column of effects. */
  static LevelHashes of(long seed, InputColumns columns) {
    return new LevelHashes(seed, columns.groupAt(), columns.orderBy() != null);
  }

  /** Returns the name of a key's group, by finding one of its rows among the selected ones. */
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

  /** Returns whether a key belongs to a group. */
  public boolean isOf(String name, byte[] key) {
    return Arrays.equals(key, group(name));
  }

  /** Returns the prefix of a group's rows, if nothing orders them. */
  public byte[] before(String name) {
    return ByteBuffer.allocate(BYTES).putInt(RowKeys.BYTES).put(group(name)).array();
  }

  /** Returns the key of a group by its name. */
  private byte[] group(String name) {
    return RowKeys.ofPlace(seed, RowKeys.ofContent(name.getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** Returns the prefix of a row: the length of its key, and the key. */
  byte[] before(RowCells row) {
    byte[] order = ordered ? order(row.value(at + 1)) : new byte[0];
    return ByteBuffer.allocate(BYTES + order.length)
        .putInt(RowKeys.BYTES + order.length)
        .put(group(row.level(at)))
        .put(order)
        .array();
  }

  /** Returns how many bytes {@link #before} wrote that begin somewhere in rows. */
  static int length(ByteBuffer rows, int at) {
    // Rows are little-endian, keys are not.
    return Integer.BYTES + Integer.reverseBytes(rows.getInt(at));
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

  /**
   * Rows that lie together: rows with a value of {@code data.group_by}, or otherwise with a level
   * of the largest grouping factor in {@code model.random}, if it has many levels.
   *
   * @param by the column; null if no rows lie together
   * @param known what is known of the levels, as the schema has it; null for none
   */
  record Together(
      InputColumns columns,
      LevelCounts levels,
      @Nullable String by,
      @Nullable List<TableSchema.Levels> known) {
    static Together of(InputColumns columns, LevelCounts levels, Consumer<String> progress) {
      String given = columns.groupBy();
      String by = given == null ? levels.together() : given;
      List<TableSchema.Levels> known = levels.levels(by);
      if (given == null && known != null) {
        known.stream()
            .filter(TableSchema.Levels::together)
            .forEach(
                of ->
                    progress.accept(
                        Text.of(
                            "rows are grouped by '%s', which has %,d levels, as with data.group_by",
                            of.column(), of.levels())));
      }
      return new Together(columns, levels, by, known);
    }

    /**
     * Returns which column of {@code model.random} sorts the rows first; −1 if {@code
     * data.group_by} does.
     */
    int effects() {
      return columns.groupBy() == null ? columns.groups().indexOf(by) : -1;
    }

    TableSchema.@Nullable Grouping grouping(long groups) {
      return by == null ? null : new TableSchema.Grouping(by, columns.orderBy(), groups);
    }
  }
}
