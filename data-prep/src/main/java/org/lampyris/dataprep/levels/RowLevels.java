package org.lampyris.dataprep.levels;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.lampyris.dataprep.input.CellText;

/**
 * The levels that a selected row has of the columns of {@code model.random}, and their keys: the
 * XXH64 of a level's text in UTF-8. The text is that of categories, numbers without needless
 * digits, so that a table gives the same keys in every format.
 *
 * @param at where the first of the columns is in a selected row; the others follow
 * @param count how many columns there are
 */
public record RowLevels(int at, int count) implements Serializable {
  /** Returns the level of a row; that of what is missing if there is no value. */
  String level(Row row, int column) {
    Object cell = row.get(at + column);
    return CellText.isMissing(cell)
        ? CellText.MISSING
        : CellText.level(Objects.requireNonNull(cell));
  }

  /** Returns the keys of a row, one for each column. */
  public long[] keys(Row row) {
    long[] keys = new long[count];
    for (int k = 0; k < count; k++) {
      keys[k] = key(level(row, k));
    }
    return keys;
  }

  static long key(String level) {
    byte[] text = level.getBytes(StandardCharsets.UTF_8);
    return XXH64.hashUnsafeBytes(text, Platform.BYTE_ARRAY_OFFSET, text.length, 0);
  }
}
