package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;
import scala.Tuple2;

/**
 * Makes blocks of rows as they are read: their ids, and the number of rows with their bytes, as a
 * recoder has them. From a row on that cannot be used no block is made, and rows are looked at
 * alone.
 */
public final class EncodedBlocks implements Iterator<Tuple2<Long, byte[]>> {
  /**
   * Which blocks.
   *
   * @param skipped how many rows come before the first block's
   * @param first the first block
   * @param rows how many rows there are in the blocks
   * @param blockRows how many a block has
   */
  public record Range(long skipped, long first, long rows, int blockRows) implements Serializable {
    /** Returns how many blocks there are. */
    public long blocks() {
      return (rows - 1) / blockRows + 1;
    }
  }

  private final Iterator<RowCells> cells;
  private final Range range;
  private final TableScan scan;
  private final RowEncoder encoder;
  private final RowRecoder.Partition recoder;
  private boolean usable = true;
  private long taken;
  private long block;
  private byte @Nullable [] next;

  /** Begins with rows, one after the other, of the form that is stored. */
  public EncodedBlocks(
      Iterator<RowCells> cells,
      Range range,
      InputColumns columns,
      RowForm form,
      RowRecoder recoder) {
    this.cells = cells;
    this.range = range;
    scan = TableScan.begin(columns);
    encoder = new RowEncoder(columns, form);
    this.recoder = recoder.begin();
    block = range.first - 1;
  }

  @Override
  public boolean hasNext() {
    if (next == null && usable && taken < range.rows) {
      next = make();
    }
    return next != null;
  }

  @Override
  public Tuple2<Long, byte[]> next() {
    byte[] bytes = hasNext() ? next : null;
    if (bytes == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return new Tuple2<>(++block, bytes);
  }

  /** Returns what was seen in all rows, once there is no next block. */
  public TableScan scan() {
    return scan;
  }

  /** Returns whether all rows were there and could be used, once there is no next block. */
  public boolean isComplete() {
    return usable;
  }

  /** Returns the next block; null if one of its rows cannot be used: then the rest is looked at. */
  private byte @Nullable [] make() {
    for (long n = 0; taken == 0 && n < range.skipped && cells.hasNext(); n++) {
      cells.next();
    }
    int wanted = (int) Math.min(range.blockRows, range.rows - taken);
    for (int n = 0; n < wanted && usable; n++) {
      usable = cells.hasNext() && add(cells.next());
    }
    if (usable) {
      return encoded(wanted);
    }
    while (taken < range.rows && cells.hasNext()) {
      scan.add(cells.next());
      taken++;
    }
    return null;
  }

  private boolean add(RowCells row) {
    taken++;
    if (!scan.add(row)) {
      return false;
    }
    encoder.add(row);
    return true;
  }

  private byte[] encoded(int rows) {
    byte[] bytes = encoder.take(Integer.BYTES);
    recoder.learn(
        new EncodedRows(Piece.NONE, rows, bytes, encoder.takeAdded(), encoder.takeLevels(), null));
    ByteBuffer all = RowRecoder.little(bytes).putInt(0, rows);
    int at = Integer.BYTES;
    for (int n = 0; n < rows; n++) {
      int length = recoder.length(all, at);
      recoder.recode(all, at, length);
      at += length;
    }
    return bytes;
  }
}
