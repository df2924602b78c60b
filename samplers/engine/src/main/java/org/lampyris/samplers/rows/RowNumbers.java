package org.lampyris.samplers.rows;

import java.util.List;

/**
 * The rows of a run of blocks by their numbers in the table, block id × block size + row, which are
 * consecutive. Finds the rows that are asked for without a walk over the blocks.
 */
public final class RowNumbers {
  private final int blockRows;
  private final long firstBlock;
  private final long end;

  /**
   * Takes whole blocks with consecutive ids, ascending, at least one. Only the last may have fewer
   * than {@code blockRows} rows.
   */
  public RowNumbers(List<? extends RowBlock<?>> blocks, int blockRows) {
    RowBlock<?> last = blocks.get(blocks.size() - 1);
    this.blockRows = blockRows;
    this.firstBlock = blocks.get(0).id();
    this.end = last.id() * blockRows + last.data().rows();
    if (last.id() - firstBlock != blocks.size() - 1) {
      throw new IllegalArgumentException(
          blocks.size()
              + " blocks are not the complete sequence from "
              + firstBlock
              + " to "
              + last.id());
    }
    for (RowBlock<?> block : blocks) {
      if (block != last && block.data().rows() != blockRows) {
        throw new IllegalArgumentException(
            "block " + block.id() + " is not full: it has " + block.data().rows() + " rows");
      }
    }
  }

  /** Returns the number of the first row. */
  public long first() {
    return firstBlock * blockRows;
  }

  /** Returns the number after the last row's. */
  public long end() {
    return end;
  }

  /** Returns the {@linkplain RowId global id} of a row, by a number of this run. */
  public long id(long number) {
    return RowId.of(number / blockRows, (int) (number % blockRows));
  }
}
