package org.lampyris.samplers.testdata;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.random.Streams;

/** A small table of a logistic regression with an intercept and two features. */
public final class LogisticTable {
  /** How many coefficients there are. */
  public static final int D = 3;

  /** How many rows a full block has. */
  public static final int BLOCK_ROWS = 20;

  /** How many rows there are. */
  public static final int ROWS = 5 * BLOCK_ROWS + 7;

  private static final double[] TRUTH = {0.4, -0.7, 0.2};
  private static final double[] COVARIANCE = {0.06, 0.005, 0, 0.005, 0.05, 0.002, 0, 0.002, 0.05};

  private LogisticTable() {}

  /** Returns about where the posterior has its mode. */
  public static double[] mode() {
    return TRUTH.clone();
  }

  /** Returns about what the posterior's covariance is. */
  public static double[] covariance() {
    return COVARIANCE.clone();
  }

  /** Returns six blocks, of which the last one is not full. */
  public static List<DataBlock> blocks() {
    return blocks(BLOCK_ROWS, ROWS, true);
  }

  /**
   * Returns as many blocks as the rows take.
   *
   * @param blockRows how many rows a full block has
   * @param tableRows how many rows there are
   * @param weighted whether they have weights
   */
  public static List<DataBlock> blocks(int blockRows, int tableRows, boolean weighted) {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> blocks = new ArrayList<>();
    for (int first = 0; first < tableRows; first += blockRows) {
      int rows = Math.min(blockRows, tableRows - first);
      double[] x = new double[rows * D];
      double[] y = new double[rows];
      double[] weight = new double[rows];
      for (int i = 0; i < rows; i++) {
        double eta = 0;
        for (int j = 0; j < D; j++) {
          x[i * D + j] = j == 0 ? 1 : rng.nextDouble(-2, 2);
          eta += x[i * D + j] * TRUTH[j];
        }
        y[i] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
        weight[i] = weighted ? 0.5 + rng.nextDouble() : 1;
      }
      blocks.add(new DenseBlock(first / blockRows, D, x, y, weighted ? weight : null));
    }
    return blocks;
  }
}
