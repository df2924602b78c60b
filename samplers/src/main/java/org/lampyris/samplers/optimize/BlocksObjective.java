package org.lampyris.samplers.optimize;

import java.util.List;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.model.Model;

/**
 * The log-likelihood of blocks held in memory, times a factor: a subsample that stands for the
 * whole table, or the reference that a distributed pass must agree with to the last bit (with
 * factor 1).
 */
public final class BlocksObjective implements Objective {

  private final List<? extends DataBlock> blocks;
  private final Model model;
  private final double factor;

  /**
   * Wraps the blocks.
   *
   * @param blocks the blocks, in ascending order of their ids
   * @param model the model of a row
   * @param factor what the sum is multiplied by: rows of the table / rows of the blocks
   */
  public BlocksObjective(List<? extends DataBlock> blocks, Model model, double factor) {
    this.blocks = List.copyOf(blocks);
    this.model = model;
    this.factor = factor;
  }

  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public LikelihoodSum evaluate(double[] theta) {
    int length = LikelihoodSum.packedLength(model.dimension());
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    for (DataBlock block : blocks) {
      double[] packed = new double[length];
      LikelihoodSum.addTo(model, theta, block, packed);
      sum.add(block.id(), packed);
    }
    LikelihoodSum total = new LikelihoodSum(model.dimension(), TreeSum.total(sum.nodes(), length));
    return factor == 1 ? total : total.times(factor);
  }
}
