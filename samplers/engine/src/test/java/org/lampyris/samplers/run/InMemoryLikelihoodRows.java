package org.lampyris.samplers.run;

import java.util.List;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;

/** All rows in memory: the reference for every distributed form. */
public final class InMemoryLikelihoodRows implements LikelihoodRows {
  private final List<DataBlock> blocks;
  private final LikelihoodPass<PlainBlock> pass;

  /**
   * Takes the rows.
   *
   * @param blocks the blocks in ascending order of their ids
   */
  public InMemoryLikelihoodRows(List<DataBlock> blocks, LikelihoodPass<PlainBlock> pass) {
    this.blocks = List.copyOf(blocks);
    this.pass = pass;
  }

  @Override
  public long rows() {
    return blocks.stream().mapToLong(DataBlock::rows).sum();
  }

  @Override
  public double[] ask(double[][] thetas, boolean gradient) {
    int length = pass.answerLength(thetas.length, gradient);
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    for (DataBlock block : blocks) {
      double[] packed = new double[length];
      pass.addTo(block, thetas, gradient, packed);
      sum.add(block.id(), packed);
    }
    return TreeSum.total(sum.nodes(), length);
  }
}
