package org.lampyris.executors.testdata;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;

/** A generated table for a logistic regression with three coefficients, about known values. */
public final class LogisticTable {
  /** How many coefficients there are. */
  public static final int D = 3;

  private static final double[] MODE = {0.4, -0.7, 0.2};
  private static final double[] COVARIANCE = {
    0.01, 0.001, 0, 0.001, 0.012, 0.0005, 0, 0.0005, 0.009
  };

  private LogisticTable() {}

  /**
   * Generates the table.
   *
   * @param blocks how many blocks
   * @param blockRows how many rows a full block has
   * @param lastRows how many rows the last block has
   */
  public static List<DataBlock> blocks(int blocks, int blockRows, int lastRows) {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> all = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      all.add(block(rng, b, b == blocks - 1 ? lastRows : blockRows, MODE, 2));
    }
    return all;
  }

  /** Draws a block whose features are uniform on (−reach, reach), but for an intercept. */
  public static DataBlock block(
      UniformRandomProvider rng, long id, int rows, double[] theta, double reach) {
    int d = theta.length;
    double[] x = new double[rows * d];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      double eta = 0;
      for (int j = 0; j < d; j++) {
        x[i * d + j] = j == 0 ? 1 : rng.nextDouble(-reach, reach);
        eta += x[i * d + j] * theta[j];
      }
      y[i] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
    }
    return new DenseBlock(id, d, x, y, null);
  }

  /** Returns the coefficients that the table was generated with. */
  public static double[] mode() {
    return MODE.clone();
  }

  /** Returns about the covariance that the posterior has with 529 rows. */
  public static double[] covariance() {
    return COVARIANCE.clone();
  }

  /** Returns a random walk that suits the posterior. */
  public static RandomWalk walk() {
    return new RandomWalk(
        Preconditioner.of(new LaplaceApproximation(MODE, COVARIANCE)),
        RandomWalk.optimalStepSize(D));
  }

  /** Returns what a run is given besides the rows. */
  public static RunInputs inputs() {
    ModelOfTable model =
        ModelOfTable.of(
            FamilySpec.of("logistic"),
            List.of("a", "b", "c"),
            PriorConfig.of("normal(0, 1)", Map.of(), PriorConfig.Scale.STANDARDIZED),
            null);
    return new RunInputs(
        model,
        new LaplaceApproximation(MODE, COVARIANCE),
        null,
        new ChainSettings(3, 15, 25, 20, 1, StartingPoint.Init.LAPLACE),
        new PlanSettings(PlanSettings.Plan.AUTO, 64, 7, 0),
        null,
        new Streams(20),
        new RunProgress.Silent());
  }
}
