package org.lampyris.samplers.mhss;

import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PoolExhaustedException;
import org.lampyris.samplers.rows.PooledEvents;
import org.lampyris.samplers.rows.Rows;

/**
 * The rows as one chain sees them from its pools: they answer as the whole table would, to the bit,
 * as long as no point is asked for that is not in the pools.
 */
public final class PooledPointRows implements PointRows {
  private final PooledEvents<ProxyBlock> points;
  private final Rows<ProxyBlock> rows;
  private final ToDoubleBiFunction<double[], double[]> differences;

  /** Brings the points together, where a pass over all rows is not to be had. */
  public PooledPointRows(List<Pool<ProxyBlock>> pools) {
    this(
        pools,
        (from, to) -> {
          throw new PoolExhaustedException("a pass over all rows");
        });
  }

  /**
   * Brings the points together.
   *
   * @param pools the chain's pool from each place, in any order; at least one
   * @param differences makes a pass over all rows
   */
  public PooledPointRows(
      List<Pool<ProxyBlock>> pools, ToDoubleBiFunction<double[], double[]> differences) {
    this.differences = differences;
    this.points = new PooledEvents<>(pools);
    this.rows = Rows.gathered(points.rows());
  }

  @Override
  public void visit(long iteration, double height, Visitor visitor) {
    PointRows.visit(points, rows, iteration, height, visitor);
  }

  @Override
  public double differences(double[] from, double[] to) {
    return differences.applyAsDouble(from, to);
  }
}
