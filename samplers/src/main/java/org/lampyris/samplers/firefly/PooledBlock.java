package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;

/** The candidates of one chain in one block over some iterations, with their rows' data. */
final class PooledBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  /** With at least a share of 1/MANY candidates, a table of all rows is faster than sorting. */
  private static final int MANY = 16;

  private final SelectedRows selected;
  private final int[] iterations;
  private final int[] rows;
  private final double[] uniforms;

  private PooledBlock(SelectedRows selected, int[] iterations, int[] rows, double[] uniforms) {
    this.selected = selected;
    this.iterations = iterations;
    this.rows = rows;
    this.uniforms = uniforms;
  }

  /**
   * Takes the rows of the candidates out of a block.
   *
   * @param full the block
   * @param events candidates, of this block and others
   * @param order the candidates block by block, ascending in (iteration, row) within one
   * @param from where this block's begin in {@code order}
   * @param to where they end
   */
  static PooledBlock of(BoundBlock full, CandidateEvents events, int[] order, int from, int to) {
    int[] iterations = new int[to - from];
    int[] rows = new int[to - from];
    double[] uniforms = new double[events.numbered() ? to - from : 0];
    for (int i = 0; i < rows.length; i++) {
      iterations[i] = events.iteration(order[from + i]);
      rows[i] = Brightness.row(events.key(order[from + i]));
    }
    for (int i = 0; i < uniforms.length; i++) {
      uniforms[i] = events.uniform(order[from + i]);
    }
    int[] distinct = distinct(rows, full.data().rows());
    return new PooledBlock(SelectedRows.of(full, distinct), iterations, rows, uniforms);
  }

  /**
   * Replaces each row by its index among the different ones.
   *
   * @param rows rows of a block. Modified.
   * @param blockRows how many rows the block has
   * @return the different rows, ascending
   */
  private static int[] distinct(int[] rows, int blockRows) {
    if (rows.length < blockRows / MANY) {
      int[] distinct = Arrays.stream(rows).sorted().distinct().toArray();
      Arrays.setAll(rows, i -> Arrays.binarySearch(distinct, rows[i]));
      return distinct;
    }
    int[] index = new int[blockRows];
    for (int row : rows) {
      index[row] = 1;
    }
    int[] distinct = new int[Arrays.stream(index).sum()];
    int count = 0;
    for (int row = 0; row < blockRows; row++) {
      if (index[row] > 0) {
        index[row] = count;
        distinct[count++] = row;
      }
    }
    Arrays.setAll(rows, i -> index[rows[i]]);
    return distinct;
  }

  SelectedRows selected() {
    return selected;
  }

  int candidates() {
    return rows.length;
  }

  /** Returns how many iterations after the pool's first a candidate belongs to. */
  int iteration(int i) {
    return iterations[i];
  }

  /** Returns a candidate's row among the selected ones. */
  int row(int i) {
    return rows[i];
  }

  /** Returns whether the candidates have come with the numbers that decide about them. */
  boolean numbered() {
    return uniforms.length > 0;
  }

  double uniform(int i) {
    return uniforms[i];
  }
}
