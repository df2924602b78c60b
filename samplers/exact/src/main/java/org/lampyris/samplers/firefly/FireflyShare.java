package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.lampyris.bounds.rows.TreeSum;

/**
 * What the blocks of one place, such as a partition, answer to a {@link FireflyQuestion}: counts,
 * and their nodes of the sum over all blocks.
 */
public final class FireflyShare implements Serializable {
  private final Counts counts;
  private final TreeSum.Node[] nodes;

  private FireflyShare(Counts counts, TreeSum.Node[] nodes) {
    this.counts = counts;
    this.nodes = nodes;
  }

  Counts counts() {
    return counts;
  }

  TreeSum.Node[] nodes() {
    return nodes;
  }

  /** How many rows are bright, and were evaluated. */
  public static final class Counts implements Serializable {
    long bright;
    long evaluations;

    void add(Counts other) {
      bright += other.bright;
      evaluations += other.evaluations;
    }
  }

  /** Adds up a share. Not safe for use by several threads. */
  public static final class Sum {
    private final Counts counts = new Counts();
    private final TreeSum sum;

    /** Begins the share of the blocks {@code from … to − 1}. */
    public Sum(long from, long to) {
      this.sum = new TreeSum(from, to);
    }

    void count(int bright, int evaluations) {
      counts.bright += bright;
      counts.evaluations += evaluations;
    }

    void add(long block, double[] sums) {
      sum.add(block, sums);
    }

    /** Ends the share. */
    public FireflyShare end() {
      return new FireflyShare(counts, sum.nodes().toArray(new TreeSum.Node[0]));
    }
  }
}
