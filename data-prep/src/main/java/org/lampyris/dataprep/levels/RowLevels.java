package org.lampyris.dataprep.levels;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.lampyris.dataprep.rows.RowCells;

/**
 * The levels that a selected row has of the columns of {@code model.random}, and their keys: the
 * XXH64 of a level's text in UTF-8. The text is that of categories, numbers without needless
 * digits, so that a table gives the same keys in every format.
 *
 * @param at where the first of the columns is in a selected row; the others follow
 * @param count how many columns there are
 */
public record RowLevels(int at, int count) implements Serializable {
  /** Returns the keys of a row, one for each column. */
  public long[] keys(RowCells row) {
    long[] keys = new long[count];
    for (int k = 0; k < count; k++) {
      keys[k] = key(row.level(at + k));
    }
    return keys;
  }

  static long key(String level) {
    byte[] text = level.getBytes(StandardCharsets.UTF_8);
    return XXH64.hashUnsafeBytes(text, Platform.BYTE_ARRAY_OFFSET, text.length, 0);
  }
}
