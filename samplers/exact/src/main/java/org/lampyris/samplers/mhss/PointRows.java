package org.lampyris.samplers.mhss;

import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.Rows;

/**
 * The rows as one chain sees them: for each iteration the points of a Poisson process over (row n,
 * height h), of rate c_n dh for h ≥ 0, drawn without looking at θ. In memory, carried to the chain,
 * or asked for by a job.
 *
 * <p>What a point is depends on nothing but the chain, the iteration and the table: not on which
 * heights were asked for before. A point serves one iteration.
 */
public interface PointRows {
  /** Told of points. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes a point.
     *
     * @param block what there is of the block that holds the row
     * @param row the row in it
     * @param height h
     * @return false if no more points are wanted
     */
    boolean point(ProxyBlock block, int row, double height);
  }

  /**
   * Names every point of an iteration with h below a height, ascending by block, row, height.
   *
   * @param iteration the iteration, from 1
   * @param height the height
   * @param visitor told of the points
   */
  void visit(long iteration, double height, Visitor visitor);

  /**
   * Returns Σ_n R_n(θ′) − R_n(θ) over all rows, summed along a fixed tree over block ids: a pass.
   *
   * @param from θ. Not modified.
   * @param to θ′. Not modified.
   */
  double differences(double[] from, double[] to);

  /** Names points, and looks their rows up among those at hand. */
  static void visit(
      RowEvents events, Rows<ProxyBlock> rows, long iteration, double height, Visitor visitor) {
    events.visit(
        iteration,
        height,
        (id, h) -> {
          int index = rows.indexOf(RowId.block(id));
          return visitor.point(rows.blocks().get(index), rows.rowIn(index, RowId.row(id)), h);
        });
  }
}
