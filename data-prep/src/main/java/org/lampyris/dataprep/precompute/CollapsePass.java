package org.lampyris.dataprep.precompute;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;

/**
 * The collapsed bounds that a run uses by default, from one pass over the data, expanded about the
 * mode. Others are summed by the run that asks for them.
 *
 * @param lower tight at the mode
 * @param isLocal whether it holds in a ball about the mode; else everywhere
 * @param upper a quadratic above the log-likelihood in that ball; null where there is none, and
 *     where this was read: it is not stored
 */
record CollapsePass(CollapsedQuadratic lower, boolean isLocal, @Nullable CollapsedQuadratic upper) {
  /** How many quadratics a pass sums: one from below, and one from above. */
  private static final int SUMS = 2;

  /**
   * Runs the pass.
   *
   * @param isLocal whether the bound holds in a ball about the mode
   */
  static CollapsePass over(
      JavaRDD<DataBlock> blocks,
      BlockRanges ranges,
      LowerBound bound,
      boolean isLocal,
      double[] mode) {
    double[] packed =
        BlockSum.over(
            blocks,
            ranges,
            length(mode.length),
            (block, out) -> addTo(bound, isLocal, mode, block, out));
    return split(mode, isLocal, packed);
  }

  /** Returns the number of sums. */
  static int length(int dimension) {
    return SUMS * CollapsedQuadratic.packedLength(dimension);
  }

  /** Adds a block's share: the packed lower quadratic, and the upper one if the bound is local. */
  static void addTo(
      LowerBound bound, boolean isLocal, double[] mode, DataBlock block, double[] out) {
    LowerBound.BothAnchors anchors = bound.bothAnchorsAt(block, mode);
    CollapsedQuadratic lower = new CollapsedQuadratic(mode);
    bound.collapse(block, anchors.lower(), lower);
    if (isLocal && !Arrays.stream(lower.packed()).allMatch(Double::isFinite)) {
      throw unbounded(block, bound, anchors.lower());
    }
    add(lower, 0, out);
    if (isLocal && anchors.upper().isPresent()) {
      CollapsedQuadratic above = new CollapsedQuadratic(mode);
      bound.collapse(block, anchors.upper().get(), above);
      add(above, 1, out);
    }
  }

  /** Says which row has a bound of −∞: no interval holds a derivative of its log-likelihood. */
  private static UserException unbounded(DataBlock block, LowerBound local, Anchors anchors) {
    int row =
        IntStream.range(0, block.rows())
            .filter(n -> !isFinite(anchors, n, local.anchorWidth()))
            .findFirst()
            .orElse(0);
    return UserException.data(
        Text.of(
            "row %d of block %d, label %s, has no local bound: near η = %.4g, within %.3g"
                + " posterior sds of the mode, a derivative of log L has no finite bound."
                + " A quotient or logarithm may reach 0 there. Set a smaller precompute.radius. Or"
                + " rewrite the likelihood in the family's class with functions that stay finite,"
                + " or return no localBound and set sampler.algorithm: metropolis.",
            row,
            block.id(),
            block.response(row),
            anchors.get(row, 0),
            local.region().map(Region::radius).orElse(Double.POSITIVE_INFINITY)));
  }

  private static boolean isFinite(Anchors anchors, int row, int width) {
    return IntStream.range(0, width).allMatch(k -> Double.isFinite(anchors.get(row, k)));
  }

  private static void add(CollapsedQuadratic share, int place, double[] out) {
    double[] packed = share.packed();
    for (int k = 0; k < packed.length; k++) {
      out[place * packed.length + k] += packed[k];
    }
  }

  static CollapsePass split(double[] mode, boolean isLocal, double[] packed) {
    int length = packed.length / SUMS;
    return new CollapsePass(
        new CollapsedQuadratic(mode, Arrays.copyOf(packed, length)),
        isLocal,
        isLocal
            ? new CollapsedQuadratic(mode, Arrays.copyOfRange(packed, length, packed.length))
            : null);
  }
}
