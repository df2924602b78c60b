package org.lampyris.dataprep.precompute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
 * The collapsed bounds of all kinds from one pass over the data, expanded about the mode.
 *
 * @param tuned tight at the mode; 0, and not used, where the family has no bound that holds
 *     everywhere
 * @param untuned with the same anchor for every row; 0 where there is none
 * @param local tight at the mode, and holding in a ball about it; null where the family has none
 * @param upper a quadratic above the log-likelihood in that ball; null where there is none, and
 *     where this was read: it is not stored
 */
record CollapsePass(
    CollapsedQuadratic tuned,
    CollapsedQuadratic untuned,
    @Nullable CollapsedQuadratic local,
    @Nullable CollapsedQuadratic upper) {
  static CollapsePass over(
      JavaRDD<DataBlock> blocks,
      BlockRanges ranges,
      @Nullable LowerBound bound,
      @Nullable LowerBound local,
      double[] mode,
      double untunedAnchor) {
    int length = CollapsedQuadratic.packedLength(mode.length);
    double[] packed =
        BlockSum.over(
            blocks,
            ranges,
            (local == null ? 2 : 4) * length,
            (block, out) -> addTo(bound, local, mode, untunedAnchor, block, out));
    return split(mode, packed);
  }

  /** Adds a block's share: the packed tuned quadratic, the untuned, the local and the upper one. */
  static void addTo(
      @Nullable LowerBound bound,
      @Nullable LowerBound local,
      double[] mode,
      double untunedAnchor,
      DataBlock block,
      double[] out) {
    if (bound != null) {
      CollapsedQuadratic tuned = new CollapsedQuadratic(mode);
      bound.collapse(block, bound.anchorsAt(block, mode), tuned);
      add(tuned, 0, out);
      // Where the bound is for near the mode only, the untuned one stays 0 and is never used.
      CollapsedQuadratic untuned = new CollapsedQuadratic(mode);
      bound.untuned(untunedAnchor).ifPresent(anchors -> bound.collapse(block, anchors, untuned));
      add(untuned, 1, out);
    }
    if (local != null) {
      CollapsedQuadratic inBall = new CollapsedQuadratic(mode);
      LowerBound.BothAnchors anchors = local.bothAnchorsAt(block, mode);
      local.collapse(block, anchors.lower(), inBall);
      if (!Arrays.stream(inBall.packed()).allMatch(Double::isFinite)) {
        throw unbounded(block, local, anchors.lower());
      }
      add(inBall, 2, out);
      CollapsedQuadratic above = new CollapsedQuadratic(mode);
      anchors.upper().ifPresent(upper -> local.collapse(block, upper, above));
      add(above, 3, out);
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

  /** Returns these with the same of other rows added, about the same mode. */
  CollapsePass plus(CollapsePass other) {
    return new CollapsePass(
        tuned.plus(other.tuned),
        untuned.plus(other.untuned),
        local == null || other.local == null ? null : local.plus(other.local),
        null);
  }

  /** Returns these among more coefficients: {@link CollapsedQuadratic#among}. */
  CollapsePass among(int[] places, int dimension) {
    return new CollapsePass(
        tuned.among(places, dimension),
        untuned.among(places, dimension),
        local == null ? null : local.among(places, dimension),
        null);
  }

  private static void add(CollapsedQuadratic share, int place, double[] out) {
    double[] packed = share.packed();
    for (int k = 0; k < packed.length; k++) {
      out[place * packed.length + k] += packed[k];
    }
  }

  static CollapsePass split(double[] mode, double[] packed) {
    int length = CollapsedQuadratic.packedLength(mode.length);
    List<double[]> parts = new ArrayList<>();
    for (int from = 0; from < packed.length; from += length) {
      parts.add(Arrays.copyOfRange(packed, from, from + length));
    }
    return of(mode, parts);
  }

  /** Unpacks two quadratics about the mode, three, or four. */
  static CollapsePass of(double[] mode, List<double[]> packed) {
    return new CollapsePass(
        new CollapsedQuadratic(mode, packed.get(0)),
        new CollapsedQuadratic(mode, packed.get(1)),
        packed.size() < 3 ? null : new CollapsedQuadratic(mode, packed.get(2)),
        packed.size() < 4 ? null : new CollapsedQuadratic(mode, packed.get(3)));
  }
}
