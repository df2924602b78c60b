package org.lampyris.samplers.subsampled;

import java.io.Serializable;
import java.util.Arrays;

/** The points of one chain in one block over some iterations, with their rows' data. */
final class PooledPoints implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ProxyBlock selected;
  private final int[] iterations;
  private final int[] rows;
  private final double[] heights;

  private PooledPoints(ProxyBlock selected, int[] iterations, int[] rows, double[] heights) {
    this.selected = selected;
    this.iterations = iterations;
    this.rows = rows;
    this.heights = heights;
  }

  /**
   * Takes the rows of the points out of a block.
   *
   * @param full the block
   * @param iterations for each point, how many iterations after the pool's first
   * @param rows for each point, its row in the block
   * @param heights for each point, its height
   */
  static PooledPoints of(ProxyBlock full, int[] iterations, int[] rows, double[] heights) {
    int[] distinct = Arrays.stream(rows).sorted().distinct().toArray();
    int[] indices = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      indices[i] = Arrays.binarySearch(distinct, rows[i]);
    }
    return new PooledPoints(full.select(distinct), iterations, indices, heights);
  }

  /** Returns the rows that have points, in ascending order. */
  ProxyBlock selected() {
    return selected;
  }

  int size() {
    return rows.length;
  }

  int iteration(int i) {
    return iterations[i];
  }

  /** Returns a point's row among the selected ones. */
  int row(int i) {
    return rows[i];
  }

  double height(int i) {
    return heights[i];
  }
}
