package org.lampyris.samplers.mhss;

import java.util.List;
import org.lampyris.bounds.rows.TreeSum;

/** Tables in memory whose rows have proxies. */
public final class ProxyBlocks {
  private ProxyBlocks() {}

  /** Returns how many rows there are, and the sum of their constants. */
  public static PointStream.Size size(List<ProxyBlock> blocks) {
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    long rows = 0;
    for (ProxyBlock block : blocks) {
      sum.add(block.id(), new double[] {block.total()});
      rows += block.data().rows();
    }
    return new PointStream.Size(rows, TreeSum.total(sum.nodes(), 1)[0]);
  }
}
