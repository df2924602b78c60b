package org.lampyris.samplers.shards;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.run.CollapsedBounds;

/**
 * Bounds of a shard's rows, collapsed in the task, each on request.
 *
 * @param untunedAnchor see {@link CollapsedBounds}
 * @param radius see {@link CollapsedBounds}
 */
record ShardBounds(
    ModelOfTable model,
    LaplaceApproximation laplace,
    List<DataBlock> blocks,
    double untunedAnchor,
    double radius)
    implements CollapsedBounds {
  @Override
  public LaplaceApproximation about() {
    return laplace;
  }

  @Override
  public CollapsedQuadratic tuned() {
    return tuned(model.bound(laplace).orElseThrow());
  }

  @Override
  public CollapsedQuadratic untuned() {
    LowerBound bound = model.bound(laplace).orElseThrow();
    Anchors same = bound.untuned(untunedAnchor).orElseThrow();
    return sum(bound, block -> same);
  }

  @Override
  public Optional<CollapsedQuadratic> local() {
    return model.localBound(laplace, radius).map(this::tuned);
  }

  private CollapsedQuadratic tuned(LowerBound bound) {
    return sum(bound, block -> bound.anchorsAt(block, laplace.mode()));
  }

  private CollapsedQuadratic sum(LowerBound bound, Function<DataBlock, Anchors> anchors) {
    CollapsedQuadratic sum = new CollapsedQuadratic(laplace.mode());
    blocks.forEach(block -> bound.collapse(block, anchors.apply(block), sum));
    return sum;
  }
}
