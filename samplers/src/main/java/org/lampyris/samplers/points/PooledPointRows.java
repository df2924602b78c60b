package org.lampyris.samplers.points;

import java.util.List;
import org.lampyris.samplers.pool.Pool;
import org.lampyris.samplers.pool.PoolExhaustedException;
import org.lampyris.samplers.pool.PooledEvents;
import org.lampyris.samplers.pool.Rows;

/**
 * The rows as one chain sees them from its pools: they answer as the whole table would, to the bit,
 * as long as no point is asked for that is not in the pools.
 */
public final class PooledPointRows implements PointRows {
  private final PooledEvents<ProxyBlock> points;
  private final Rows<ProxyBlock> rows;

  /**
   * Brings the points together.
   *
   * @param pools the chain's pool from each place, in any order; at least one
   */
  public PooledPointRows(List<Pool<ProxyBlock>> pools) {
    this.points = new PooledEvents<>(pools);
    this.rows = Rows.gathered(points.rows());
  }

  @Override
  public void visit(long iteration, double height, Visitor visitor) {
    PointRows.visit(points, rows, iteration, height, visitor);
  }

  /**
   * {@inheritDoc}
   *
   * @throws PoolExhaustedException always: a pass over all rows is not to be had from pools
   */
  @Override
  public double differences(double[] from, double[] to) {
    throw new PoolExhaustedException("a pass over all rows");
  }
}
