package org.lampyris.samplers.program.moves;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.PlainBlock;

/** Sums by block, of a length that is known when all have been made. */
public final class BlockSums {
  private final Place<PlainBlock> place;
  private final TreeMap<Integer, double[]> sums = new TreeMap<>();
  private int last = -1;
  private double[] ofLast = new double[0];

  /** Starts without sums. */
  public BlockSums(Place<PlainBlock> place) {
    this.place = place;
  }

  /** Returns the sum of a block, by its index in the place, of at least this length. */
  public double[] of(int block, int length) {
    if (block == last && ofLast.length >= length) {
      return ofLast;
    }
    double[] sum = sums.get(block);
    if (sum == null || sum.length < length) {
      sum = sum == null ? new double[length] : Arrays.copyOf(sum, Math.max(length, 2 * sum.length));
      sums.put(block, sum);
    }
    last = block;
    ofLast = sum;
    return sum;
  }

  /** Returns the sums over the place, along the fixed tree of its blocks. */
  public TreeSum.Node[] nodes() {
    int length = 0;
    for (double[] sum : sums.values()) {
      length = Math.max(length, sum.length);
    }
    TreeSum tree = new TreeSum(place.from(), place.to());
    for (Map.Entry<Integer, double[]> entry : sums.entrySet()) {
      long id = place.blocks().get(entry.getKey()).id();
      tree.add(id, Arrays.copyOf(entry.getValue(), length));
    }
    return tree.nodes().toArray(new TreeSum.Node[0]);
  }
}
