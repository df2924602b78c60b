package org.lampyris.samplers.firefly;

import java.util.List;

/**
 * The rows of a run of blocks by their numbers in the table, block id × block size + row, which are
 * consecutive. Finds the rows that are asked for without a walk over the blocks.
 */
final class RowNumbers {
  private final List<BoundBlock> blocks;
  private final int blockRows;
  private final long firstBlock;
  private final long end;

  /**
   * Takes the blocks.
   *
   * @param blocks full blocks with consecutive ids, ascending; at least one. Only the last may have
   *     fewer than {@code blockRows} rows
   * @param blockRows how many rows a full block has
   */
  RowNumbers(List<BoundBlock> blocks, int blockRows) {
    BoundBlock last = blocks.get(blocks.size() - 1);
    this.blocks = blocks;
    this.blockRows = blockRows;
    this.firstBlock = blocks.get(0).id();
    this.end = last.id() * blockRows + last.data().rows();
    if (last.id() - firstBlock != blocks.size() - 1) {
      throw new IllegalArgumentException(
          blocks.size() + " blocks are not all those from " + firstBlock + " to " + last.id());
    }
  }

  /** Returns the number of the first row. */
  long first() {
    return firstBlock * blockRows;
  }

  /** Returns the number after that of the last row. */
  long end() {
    return end;
  }

  /** Returns the {@linkplain Brightness#key key} of a row, by a number that is of this run. */
  long key(long number) {
    int block = (int) (number / blockRows - firstBlock);
    int row = (int) (number % blockRows);
    if (row >= blocks.get(block).data().rows()) {
      throw new IllegalArgumentException(
          "block " + blocks.get(block).id() + " has no row " + row + ": it is not full");
    }
    return Brightness.key(block, row);
  }
}
