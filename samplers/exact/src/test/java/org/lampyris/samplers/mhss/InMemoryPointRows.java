package org.lampyris.samplers.mhss;

import java.util.List;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Rows;

/**
 * The rows of one chain in memory: the reference for every distributed form.
 *
 * <p>Not safe for use by several threads.
 */
public final class InMemoryPointRows implements PointRows {
  private final TaylorProxy proxy;
  private final Rows<ProxyBlock> rows;
  private final DrawnEvents<ProxyBlock> points;

  /**
   * Takes the rows.
   *
   * @param proxy the rows' proxies
   * @param blocks the blocks in ascending order of their ids
   * @param stream draws this chain's points
   */
  public InMemoryPointRows(TaylorProxy proxy, List<ProxyBlock> blocks, PointStream stream) {
    this.proxy = proxy;
    this.rows = Rows.whole(List.copyOf(blocks));
    this.points = new DrawnEvents<>(stream, rows.blocks());
  }

  @Override
  public void visit(long iteration, double height, Visitor visitor) {
    PointRows.visit(points, rows, iteration, height, visitor);
  }

  @Override
  public double differences(double[] from, double[] to) {
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    for (ProxyBlock block : rows.blocks()) {
      sum.add(block.id(), new double[] {block.differences(proxy, from, to)});
    }
    return TreeSum.total(sum.nodes(), 1)[0];
  }
}
