package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Selected rows of one block: a small block, and the numbers of its rows in the whole block,
 * ascending. Immutable by convention: arrays are not copied.
 */
public final class PickedRows<B extends RowBlock<B>> implements Serializable {
  private final B block;
  private final int[] rows;

  private PickedRows(B block, int[] rows) {
    this.block = block;
    this.rows = rows;
  }

  /** Takes rows, ids ascending, out of those at hand: a selection of each block, ascending. */
  public static <B extends RowBlock<B>> List<PickedRows<B>> of(Rows<B> rows, long[] ids) {
    List<PickedRows<B>> selections = new ArrayList<>();
    for (int from = 0; from < ids.length; ) {
      int to = RowId.endOfBlock(ids, from, ids.length);
      int index = rows.indexOf(RowId.block(ids[from]));
      int[] numbers = new int[to - from];
      int[] here = new int[to - from];
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] = RowId.row(ids[from + k]);
        here[k] = rows.rowIn(index, numbers[k]);
      }
      selections.add(new PickedRows<>(rows.blocks().get(index).select(here), numbers));
      from = to;
    }
    return selections;
  }

  /** Takes all rows of a whole block. */
  static <B extends RowBlock<B>> PickedRows<B> whole(B block) {
    return new PickedRows<>(block, IntStream.range(0, block.data().rows()).toArray());
  }

  /** Joins selections into one for each block; all ascending by block. */
  public static <B extends RowBlock<B>> List<PickedRows<B>> union(
      List<PickedRows<B>> one, List<PickedRows<B>> other) {
    List<PickedRows<B>> all = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < one.size() || j < other.size()) {
      long left = i < one.size() ? one.get(i).block().id() : Long.MAX_VALUE;
      long right = j < other.size() ? other.get(j).block().id() : Long.MAX_VALUE;
      if (left == right) {
        all.add(one.get(i++).union(other.get(j++)));
      } else {
        all.add(left < right ? one.get(i++) : other.get(j++));
      }
    }
    return all;
  }

  /** Returns the rows. */
  public B block() {
    return block;
  }

  /**
   * Returns the index here of a row of the whole block; {@link IllegalStateException} if it is not
   * here.
   */
  public int indexOf(int row) {
    int index = Arrays.binarySearch(rows, row);
    if (index < 0) {
      throw new IllegalStateException(
          "row " + row + " of block " + block.id() + " is not available here");
    }
    return index;
  }

  /** Returns the rows that are here or there, or in both. */
  private PickedRows<B> union(PickedRows<B> other) {
    int[] indices = new int[rows.length + other.rows.length];
    int[] all = new int[indices.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < rows.length || j < other.rows.length) {
      if (j == other.rows.length || (i < rows.length && rows[i] <= other.rows[j])) {
        if (j < other.rows.length && rows[i] == other.rows[j]) {
          j++;
        }
        all[count] = rows[i];
        indices[count++] = i++;
      } else {
        all[count] = other.rows[j];
        indices[count++] = rows.length + j++;
      }
    }
    return new PickedRows<>(
        block.append(other.block).select(Arrays.copyOf(indices, count)), Arrays.copyOf(all, count));
  }
}
