package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.design.LevelTally;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;

/** Some rows of a piece of the input, one after the other. A plain class, for Kryo's sake. */
public final class EncodedRows implements Serializable {
  private final Piece piece;
  private final int rows;
  private final byte[] bytes;
  private final String[][] added;
  private final LevelTally levels;
  private final @Nullable TableScan scan;

  EncodedRows(
      Piece piece,
      int rows,
      byte[] bytes,
      String[][] added,
      LevelTally levels,
      @Nullable TableScan scan) {
    this.piece = piece;
    this.rows = rows;
    this.bytes = bytes;
    this.added = added;
    this.levels = levels;
    this.scan = scan;
  }

  /** Returns the piece that all of them are from. */
  Piece piece() {
    return piece;
  }

  /** Returns how many there are. */
  public int rows() {
    return rows;
  }

  /** Returns the rows, not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the levels that come here first in the partition, by coded column. */
  String[][] added() {
    return added;
  }

  /** Returns the levels that these rows have of the columns of groups. */
  LevelTally levels() {
    return levels;
  }

  /** Returns what was seen in the partition, with its last rows; null before. */
  @Nullable TableScan scan() {
    return scan;
  }
}
