package org.lampyris.samplers.subsampled;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The points of one chain in some iterations up to a height, from the blocks of one place, together
 * with their rows' data: what travels to the chain. A row with several points is there once.
 *
 * <p>Drawn in time proportional to the number of points, plus a constant for each block, slab and
 * window, without a look at θ.
 */
public final class PointPool implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long first;
  private final int length;
  private final double height;
  private final List<PooledPoints> blocks;

  private PointPool(long first, int length, double height, List<PooledPoints> blocks) {
    this.first = first;
    this.length = length;
    this.height = height;
    this.blocks = blocks;
  }

  /**
   * Draws a pool.
   *
   * @param stream draws the chain's points
   * @param first the first iteration, from 1
   * @param length how many iterations
   * @param height up to which height; every slab that reaches below it is drawn as a whole
   * @param blocks the blocks, in ascending order of their ids
   */
  public static PointPool draw(
      CandidateStream stream, long first, int length, double height, Iterable<ProxyBlock> blocks) {
    int slabs = stream.slabsTo(height);
    List<PooledPoints> pooled = new ArrayList<>();
    for (ProxyBlock block : blocks) {
      Events events = new Events();
      for (int slab = 0; slab < slabs; slab++) {
        int window = stream.windowLength(slab);
        for (long w = first / window; w * window < first + length; w++) {
          long begin = w * window;
          stream.draw(
              block,
              slab,
              w,
              (offset, row, h) -> {
                long iteration = begin + offset;
                if (iteration >= first && iteration < first + length) {
                  events.add((int) (iteration - first), row, h);
                }
              });
        }
      }
      if (events.count > 0) {
        pooled.add(events.of(block));
      }
    }
    return new PointPool(first, length, stream.heightOf(slabs), pooled);
  }

  /** Returns how many points there are. */
  public long size() {
    return blocks.stream().mapToLong(PooledPoints::size).sum();
  }

  long first() {
    return first;
  }

  int length() {
    return length;
  }

  /** Returns up to which height every point is here. */
  double height() {
    return height;
  }

  List<PooledPoints> blocks() {
    return blocks;
  }

  /** Points as they are drawn. */
  private static final class Events {
    private int[] iterations = new int[16];
    private int[] rows = new int[16];
    private double[] heights = new double[16];
    private int count;

    void add(int iteration, int row, double height) {
      if (count == rows.length) {
        iterations = Arrays.copyOf(iterations, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
        heights = Arrays.copyOf(heights, 2 * count);
      }
      iterations[count] = iteration;
      rows[count] = row;
      heights[count++] = height;
    }

    PooledPoints of(ProxyBlock block) {
      return PooledPoints.of(
          block,
          Arrays.copyOf(iterations, count),
          Arrays.copyOf(rows, count),
          Arrays.copyOf(heights, count));
    }
  }
}
