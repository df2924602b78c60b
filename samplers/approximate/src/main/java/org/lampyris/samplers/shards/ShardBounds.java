package org.lampyris.samplers.shards;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.run.CollapsedBounds;

/**
 * Bounds of a shard's rows, collapsed in the task on request.
 *
 * @param radius see {@link CollapsedBounds}
 */
record ShardBounds(
    ModelOfTable model, LaplaceApproximation laplace, List<DataBlock> blocks, double radius)
    implements CollapsedBounds {
  @Override
  public LaplaceApproximation about() {
    return laplace;
  }

  private Optional<LowerBound> local() {
    return model.localBound(laplace, radius);
  }

  @Override
  public boolean isLocal() {
    return local().isPresent();
  }

  @Override
  public CollapsedQuadratic collapsed() {
    LowerBound bound = local().orElseGet(() -> model.bound(laplace).orElseThrow());
    CollapsedQuadratic sum = new CollapsedQuadratic(laplace.mode());
    blocks.forEach(block -> bound.collapse(block, bound.anchorsAt(block, laplace.mode()), sum));
    return sum;
  }
}
