package org.lampyris.samplers.metropolis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/** Normal regressions, whose posterior is free of rows, against their closed form. */
class NormalRegressionTest {
  private static final int ROWS = 500;
  private static final double SIGMA = 0.7;
  private static final double PRIOR_SD = 0.05;

  private final double[] x = new double[2 * ROWS];
  private final double[] y = new double[ROWS];

  private List<DataBlock> blocks() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    for (int n = 0; n < ROWS; n++) {
      x[2 * n] = 1;
      x[2 * n + 1] = random.nextGaussian();
      y[n] = 3 - 2 * x[2 * n + 1] + SIGMA * random.nextGaussian();
    }
    return List.of(new DenseBlock(0, 2, x, y, null));
  }

  private RunResult run(FamilySpec family, double priorSd) {
    MemoryRun run =
        new MemoryRun(
            family,
            blocks(),
            List.of("(Intercept)", "x"),
            Map.of("(Intercept)", "flat", "x", "normal(0, " + priorSd + ")"));
    return run.run(
        Map.of("algorithm", "metropolis", "chains", 4, "warmup", 300, "draws", 1500, "seed", 3));
  }

  private static double[] moments(RunResult result, int j) {
    List<double[]> draws = result.chains().stream().flatMap(c -> c.draws().stream()).toList();
    double mean = draws.stream().mapToDouble(d -> d[j]).average().orElseThrow();
    double square =
        draws.stream().mapToDouble(d -> (d[j] - mean) * (d[j] - mean)).average().orElseThrow();
    return new double[] {mean, Math.sqrt(square)};
  }

  @Test
  void drawsAreThoseOfTheClosedForm() {
    RunResult result = run(FamilySpec.of("gaussian").with("sigma", "" + SIGMA), PRIOR_SD);
    double[] a = {0, 0, 1 / (PRIOR_SD * PRIOR_SD)};
    double[] b = new double[2];
    for (int n = 0; n < ROWS; n++) {
      double w = 1 / (SIGMA * SIGMA);
      a[0] += w;
      a[1] += w * x[2 * n + 1];
      a[2] += w * x[2 * n + 1] * x[2 * n + 1];
      b[0] += w * y[n];
      b[1] += w * y[n] * x[2 * n + 1];
    }
    double determinant = a[0] * a[2] - a[1] * a[1];
    double[] mean = {
      (a[2] * b[0] - a[1] * b[1]) / determinant, (a[0] * b[1] - a[1] * b[0]) / determinant
    };
    double[] sd = {Math.sqrt(a[2] / determinant), Math.sqrt(a[0] / determinant)};
    for (int j = 0; j < 2; j++) {
      double[] found = moments(result, j);
      // HMC's draws are nearly independent: 6,000 of them.
      assertEquals(mean[j], found[0], 0.08 * sd[j]);
      assertEquals(sd[j], found[1], 0.06 * sd[j]);
    }
    assertFewRows(result);
  }

  private static void assertFewRows(RunResult result) {
    assertTrue(
        result.decisions().get(0).text().contains("have the likelihood of all 500"),
        result.decisions().toString());
    for (ChainTrace.Iteration of : result.chains().get(0).sampling()) {
      // Trajectories of eight steps on average, at most twice as long.
      assertTrue(of.info().likelihoodEvaluations() <= 4 * 20, of.toString());
    }
  }

  /**
   * With flat priors but for x: E σ² of the residuals, whose degrees of freedom are about n − 2.
   */
  @Test
  void aSampledSigmaIsThatOfTheResiduals() {
    RunResult result = run(FamilySpec.of("gaussian").with("sigma", "jeffreys"), 1000);
    double[] slope = moments(result, 1);
    double intercept = moments(result, 0)[0];
    double squares = 0;
    for (int n = 0; n < ROWS; n++) {
      double r = y[n] - intercept - slope[0] * x[2 * n + 1];
      squares += r * r;
    }
    double[] tau = moments(result, 2);
    assertEquals(0.5 * Math.log(squares / ROWS), tau[0], 3 / Math.sqrt(ROWS) / 10);
    assertEquals(1 / Math.sqrt(2.0 * ROWS), tau[1], 0.1 / Math.sqrt(2.0 * ROWS));
    assertFewRows(result);
  }
}
