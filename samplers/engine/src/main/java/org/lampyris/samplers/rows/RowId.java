package org.lampyris.samplers.rows;

/**
 * The global id of a row: its block's id in the table, then its number in that block. A row has
 * this name wherever it is: in its block, carried to a chain, in a question or in a chain's state.
 */
public final class RowId {
  private RowId() {}

  /** Returns the id of a row of a block, whose id is below 2³¹. Ids ascend with (block, row). */
  public static long of(long block, int row) {
    return block << Integer.SIZE | row;
  }

  /** Returns the id of a row's block. */
  public static long block(long id) {
    return id >>> Integer.SIZE;
  }

  /** Returns a row's number in its block. */
  public static int row(long id) {
    return (int) id;
  }

  /** Returns the end of the block of {@code ids[from]} among the first ids, ascending. */
  public static int endOfBlock(long[] ids, int from, int count) {
    long block = block(ids[from]);
    int to = from + 1;
    while (to < count && block(ids[to]) == block) {
      to++;
    }
    return to;
  }
}
