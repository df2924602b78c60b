package org.lampyris.samplers.subsampled;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The rows as one chain sees them from its pools: they answer as the whole table would, to the bit,
 * as long as no point is asked for that is not in the pools.
 *
 * <p>Not safe for use by several threads.
 */
public final class PooledCandidateRows implements CandidateRows {
  private final long rows;
  private final double total;
  private final List<PooledPoints> blocks = new ArrayList<>();
  private final long first;
  private final int length;
  private final double height;

  /** For each iteration, where its points begin among the sorted ones. */
  private final int[] start;

  private final int[] block;
  private final int[] point;

  /** An iteration needs points, or rows, that are not in the pools. */
  public static final class ExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExhaustedException(long iteration) {
      super("the pools do not suffice for iteration " + iteration, null, false, false);
    }
  }

  /**
   * Brings the points together.
   *
   * @param pools the chain's pool from each place, in any order; at least one
   * @param rows how many rows the table has
   * @param total Σ_n c_n
   */
  public PooledCandidateRows(List<PointPool> pools, long rows, double total) {
    this.rows = rows;
    this.total = total;
    this.first = pools.get(0).first();
    this.length = pools.get(0).length();
    this.height = pools.get(0).height();
    pools.forEach(pool -> blocks.addAll(pool.blocks()));
    blocks.sort(Comparator.comparingLong(points -> points.selected().id()));
    this.start = new int[length + 1];
    for (PooledPoints points : blocks) {
      for (int i = 0; i < points.size(); i++) {
        start[points.iteration(i) + 1]++;
      }
    }
    Arrays.parallelPrefix(start, Integer::sum);
    this.block = new int[start[length]];
    this.point = new int[start[length]];
    int[] next = start.clone();
    for (int b = 0; b < blocks.size(); b++) {
      PooledPoints points = blocks.get(b);
      for (int i = 0; i < points.size(); i++) {
        int at = next[points.iteration(i)]++;
        block[at] = b;
        point[at] = i;
      }
    }
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public double total() {
    return total;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ExhaustedException if the pools do not reach up to the height
   */
  @Override
  public void visit(long iteration, double upTo, Visitor visitor) {
    if (upTo > height || iteration < first || iteration >= first + length) {
      throw new ExhaustedException(iteration);
    }
    int from = start[(int) (iteration - first)];
    int to = start[(int) (iteration - first) + 1];
    for (int at = from; at < to; ) {
      int b = block[at];
      int end = at;
      while (end < to && block[end] == b) {
        end++;
      }
      if (!visit(blocks.get(b), at, end, upTo, visitor)) {
        return;
      }
      at = end;
    }
  }

  /** Names the points of one block in the order of (row, height). */
  private boolean visit(PooledPoints points, int from, int to, double upTo, Visitor visitor) {
    Integer[] order = new Integer[to - from];
    for (int i = 0; i < order.length; i++) {
      order[i] = point[from + i];
    }
    if (order.length > 1) {
      Arrays.sort(
          order, Comparator.<Integer>comparingInt(points::row).thenComparingDouble(points::height));
    }
    for (int i : order) {
      if (points.height(i) < upTo
          && !visitor.point(points.selected(), points.row(i), points.height(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ExhaustedException always: a pass over all rows is not to be had from pools
   */
  @Override
  public double differences(double[] from, double[] to) {
    throw new ExhaustedException(-1);
  }
}
