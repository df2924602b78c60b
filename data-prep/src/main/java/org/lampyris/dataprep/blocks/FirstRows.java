package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;

/** The first rows of an input, encoded, and what was seen in them. */
public final class FirstRows {
  private final EncodedRows encoded;
  private final TableScan scan;

  private FirstRows(EncodedRows encoded, TableScan scan) {
    this.encoded = encoded;
    this.scan = scan;
  }

  /**
   * Reads them, in one task.
   *
   * @param from in how many pieces they lie
   * @param wanted how many there are, or all of the input
   */
  public static FirstRows of(
      InputPieces pieces, int from, int wanted, InputColumns columns, RowForm form) {
    EncodedRows read =
        pieces
            .inRuns(
                List.of(new InputPieces.Run(0, from)),
                (run, cells) -> List.of(read(cells, wanted, columns, form)).iterator())
            .collect()
            .get(0);
    return new FirstRows(read, Objects.requireNonNull(read.scan()));
  }

  private static EncodedRows read(
      Iterator<RowCells> cells, int wanted, InputColumns columns, RowForm form) {
    TableScan scan = TableScan.begin(columns);
    RowEncoder encoder = new RowEncoder(columns, form);
    int rows = 0;
    for (int n = 0; n < wanted && cells.hasNext(); n++) {
      RowCells row = cells.next();
      if (scan.add(row)) {
        encoder.add(row);
        rows++;
      }
    }
    return new EncodedRows(
        Piece.NONE, rows, encoder.take(), encoder.takeAdded(), encoder.takeLevels(), scan);
  }

  /** Returns what was seen in them. */
  public TableScan scan() {
    return scan;
  }

  /** Returns whether all of them can be used. */
  public boolean areComplete() {
    return encoded.rows() == scan.rows() && scan.leftOut() == 0;
  }

  /** Returns the first of them as a block, encoded as a recoder has rows, none of them merged. */
  public byte[] block(RowRecoder by, int rows) {
    RowRecoder.Partition recoder = by.begin();
    recoder.learn(encoded);
    ByteBuffer from = RowRecoder.little(encoded.bytes());
    byte[] block = new byte[Integer.BYTES + encoded.bytes().length];
    ByteBuffer out = RowRecoder.little(block).putInt(rows);
    int at = 0;
    for (int n = 0; n < rows; n++) {
      int length = recoder.length(from, at);
      recoder.recode(from, at, length, out);
      at += length;
    }
    return Arrays.copyOf(block, out.position());
  }
}
