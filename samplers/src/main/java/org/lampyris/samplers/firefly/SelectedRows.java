package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Some rows of one block, taken out of it: a small block, and the numbers that its rows had in the
 * full one, ascending.
 */
final class SelectedRows implements Serializable {
  private static final long serialVersionUID = 1L;

  private final BoundBlock block;
  private final int[] rows;

  /**
   * Joins the two.
   *
   * @param block the rows
   * @param rows the rows' numbers in the full block, ascending
   */
  SelectedRows(BoundBlock block, int[] rows) {
    this.block = block;
    this.rows = rows;
  }

  /** Takes rows out of a full block. */
  static SelectedRows of(BoundBlock full, int[] rows) {
    return new SelectedRows(full.select(rows), rows);
  }

  BoundBlock block() {
    return block;
  }

  /** Returns the rows' numbers in the full block, not a copy. */
  int[] rows() {
    return rows;
  }

  /** Returns where a row of the full block is here. */
  int indexOf(int row) {
    int index = Arrays.binarySearch(rows, row);
    if (index < 0) {
      throw new IllegalStateException("row " + row + " of block " + block.id() + " is not here");
    }
    return index;
  }

  /** Returns where each of these rows is among others, which hold them all. */
  int[] among(SelectedRows others) {
    int[] indices = new int[rows.length];
    int j = 0;
    for (int i = 0; i < rows.length; i++) {
      while (others.rows[j] != rows[i]) {
        j++;
      }
      indices[i] = j;
    }
    return indices;
  }

  /** Returns some of these rows. */
  SelectedRows select(int[] indices) {
    int[] selected = new int[indices.length];
    for (int k = 0; k < indices.length; k++) {
      selected[k] = rows[indices[k]];
    }
    return new SelectedRows(block.select(indices), selected);
  }

  /** Returns the rows that are here or there, or in both. */
  SelectedRows union(SelectedRows other) {
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
    return new SelectedRows(
        block.append(other.block).select(Arrays.copyOf(indices, count)), Arrays.copyOf(all, count));
  }
}
