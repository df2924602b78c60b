package org.lampyris.samplers.rows;

import java.util.Arrays;
import java.util.List;

/**
 * Available rows in one place, found by their global ids: all rows of a run of blocks, or rows that
 * were sent to a chain.
 */
public interface Rows<B> {
  /** Returns the blocks, or their available parts, in ascending order of their ids. */
  List<B> blocks();

  /**
   * Returns the index of a block in {@link #blocks}; {@link IllegalStateException} if it is not
   * here.
   */
  int indexOf(long block);

  /**
   * Returns the index of a row of the whole block in its available part, by the block's index;
   * throws {@link IllegalStateException} if it is not here.
   */
  int rowIn(int index, int row);

  /** Returns the block of a row, or its available part. */
  default B blockOf(long id) {
    return blocks().get(indexOf(RowId.block(id)));
  }

  /** Returns whole blocks with consecutive ids, ascending; access by index must be fast. */
  static <B extends RowBlock<B>> Rows<B> whole(List<B> blocks) {
    return new Whole<>(blocks, blocks.isEmpty() ? 0 : blocks.get(0).id());
  }

  /** Returns rows taken out of their blocks: at most one selection of each block, ascending. */
  static <B extends RowBlock<B>> Rows<B> gathered(List<PickedRows<B>> selections) {
    List<B> blocks = selections.stream().map(PickedRows::block).toList();
    return new Gathered<>(blocks, blocks.stream().mapToLong(B::id).toArray(), selections);
  }

  /** All rows of a run of blocks. */
  record Whole<B>(List<B> blocks, long first) implements Rows<B> {
    @Override
    public int indexOf(long block) {
      return (int) (block - first);
    }

    @Override
    public int rowIn(int index, int row) {
      return row;
    }
  }

  /** Some rows of the blocks of these ids. */
  record Gathered<B extends RowBlock<B>>(List<B> blocks, long[] ids, List<PickedRows<B>> selections)
      implements Rows<B> {
    @Override
    public int indexOf(long block) {
      int index = Arrays.binarySearch(ids, block);
      if (index < 0) {
        throw new IllegalStateException("no row of block " + block + " is here");
      }
      return index;
    }

    @Override
    public int rowIn(int index, int row) {
      return selections.get(index).indexOf(row);
    }
  }
}
