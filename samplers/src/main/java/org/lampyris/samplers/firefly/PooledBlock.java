package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;

/** The candidates of one chain in one block over some iterations, with their rows' data. */
final class PooledBlock implements Serializable {
  private static final long serialVersionUID = 1L;

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
   * @param events its candidates, ascending in (iteration, row)
   */
  static PooledBlock of(BoundBlock full, CandidateEvents events) {
    int count = events.count();
    int[] iterations = new int[count];
    int[] rows = new int[count];
    double[] uniforms = new double[count];
    for (int i = 0; i < count; i++) {
      iterations[i] = events.iteration(i);
      rows[i] = Brightness.row(events.key(i));
      uniforms[i] = events.uniform(i);
    }
    int[] distinct = rows.clone();
    Arrays.sort(distinct);
    int different = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || distinct[i] != distinct[i - 1]) {
        distinct[different++] = distinct[i];
      }
    }
    SelectedRows selected = SelectedRows.of(full, Arrays.copyOf(distinct, different));
    return new PooledBlock(selected, iterations, rows, uniforms);
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

  /** Returns a candidate's row in the full block. */
  int row(int i) {
    return rows[i];
  }

  double uniform(int i) {
    return uniforms[i];
  }
}
