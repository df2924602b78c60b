package org.lampyris.dataprep.precompute;

import java.util.Arrays;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.executors.pass.BlockRanges;
import org.lampyris.executors.pass.BlockSum;

/**
 * Both collapsed bounds from one pass over the data, expanded about the mode.
 *
 * @param tuned tight at the mode
 * @param untuned with the same anchor for every row
 */
record CollapsePass(CollapsedQuadratic tuned, CollapsedQuadratic untuned) {

  static CollapsePass over(
      JavaRDD<DataBlock> blocks,
      BlockRanges ranges,
      LowerBound bound,
      double[] mode,
      double untunedAnchor) {
    int length = CollapsedQuadratic.packedLength(mode.length);
    double[] packed =
        BlockSum.over(
            blocks,
            ranges,
            2 * length,
            (block, out) -> addTo(bound, mode, untunedAnchor, block, out));
    return split(mode, packed);
  }

  /** Adds a block's share: the packed tuned quadratic, then the packed untuned one. */
  static void addTo(
      LowerBound bound, double[] mode, double untunedAnchor, DataBlock block, double[] out) {
    CollapsedQuadratic tuned = new CollapsedQuadratic(mode);
    CollapsedQuadratic untuned = new CollapsedQuadratic(mode);
    bound.collapse(block, bound.anchorsAt(block, mode), tuned);
    // Where the bound is for near the mode only, the untuned one stays 0 and is never used.
    bound.untuned(untunedAnchor).ifPresent(anchors -> bound.collapse(block, anchors, untuned));
    int length = tuned.packed().length;
    for (int k = 0; k < length; k++) {
      out[k] += tuned.packed()[k];
      out[length + k] += untuned.packed()[k];
    }
  }

  static CollapsePass split(double[] mode, double[] packed) {
    int length = packed.length / 2;
    return new CollapsePass(
        new CollapsedQuadratic(mode, Arrays.copyOf(packed, length)),
        new CollapsedQuadratic(mode, Arrays.copyOfRange(packed, length, 2 * length)));
  }
}
