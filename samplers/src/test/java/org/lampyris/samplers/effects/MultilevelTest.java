package org.lampyris.samplers.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.effects.GroupEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

class MultilevelTest {
  private static final double[] GROUPS = {6, 3, 11};
  private static final double[] SUCCESSES = {5, 0, 4};

  /** Rows of three groups, in blocks of which the second holds two groups. */
  private static List<DataBlock> rows() {
    List<DataBlock> blocks = new ArrayList<>();
    int[][] of = {{0}, {1, 2}};
    for (int b = 0; b < of.length; b++) {
      List<double[]> rows = new ArrayList<>();
      for (int j : of[b]) {
        for (int i = 0; i < GROUPS[j]; i++) {
          rows.add(new double[] {i < SUCCESSES[j] ? 1 : -1, 100 + j});
        }
      }
      double[] ones = rows.stream().mapToDouble(row -> 1).toArray();
      double[] y = rows.stream().mapToDouble(row -> row[0]).toArray();
      long[] keys = rows.stream().mapToLong(row -> (long) row[1]).toArray();
      blocks.add(new DenseBlock(b, 1, ones, y, null).grouped(new long[][] {keys}));
    }
    return blocks;
  }

  private static TableEffects intercepts(String sd, long levels, boolean together) {
    GroupEffects effects =
        new GroupEffects("g", List.of("(Intercept)"), PriorParser.parse(sd), 1);
    return new TableEffects(
        effects, 0, new int[] {-1}, new double[1], new double[] {1}, levels, together);
  }

  /** Returns the mean and sd of β and of log sd by quadrature. */
  private static double[] exact() {
    int n = 160;
    double[] sums = new double[5];
    for (int i = 0; i <= n; i++) {
      double beta = -6 + 12.0 * i / n;
      for (int k = 0; k <= n; k++) {
        double phi = -7 + 10.0 * k / n;
        double sd = Math.exp(phi);
        double log = -0.5 * beta * beta / 6.25 - 0.5 * sd * sd + phi;
        for (int j = 0; j < GROUPS.length; j++) {
          log += Math.log(marginal(j, beta, sd));
        }
        double p = Math.exp(log);
        sums[0] += p;
        sums[1] += p * beta;
        sums[2] += p * beta * beta;
        sums[3] += p * sd;
        sums[4] += p * sd * sd;
      }
    }
    double mean = sums[1] / sums[0];
    double meanSd = sums[3] / sums[0];
    return new double[] {
      mean,
      Math.sqrt(sums[2] / sums[0] - mean * mean),
      meanSd,
      Math.sqrt(sums[4] / sums[0] - meanSd * meanSd)
    };
  }

  private static double marginal(int j, double beta, double sd) {
    int n = 80;
    double sum = 0;
    for (int i = 0; i <= n; i++) {
      double u = -6 + 12.0 * i / n;
      double eta = beta + sd * u;
      sum +=
          Math.exp(
              -0.5 * u * u
                  - SUCCESSES[j] * Math.log1p(Math.exp(-eta))
                  - (GROUPS[j] - SUCCESSES[j]) * Math.log1p(Math.exp(eta)));
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fewGroupsHaveThePosteriorOfQuadrature(boolean together) {
    MemoryRun run = new MemoryRun(rows(), List.of("(Intercept)"), Map.of());
    Map<String, Object> sampler =
        Map.of("algorithm", "multilevel", "chains", 4, "warmup", 500, "draws", 5000);
    RunResult result =
        MultilevelAlgorithm.run(
            run.context(sampler),
            new MultilevelSettings(1, 1),
            List.of(intercepts("half_normal(0, 1)", 3, together)));
    double[] exact = exact();
    assertNear(result, 0, exact[0], exact[1]);
    assertNear(result, 1, exact[2], exact[3]);
  }

  private static void assertNear(RunResult result, int k, double mean, double sd) {
    double[][] draws =
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[k]).toArray())
            .toArray(double[][]::new);
    VariableSummary summary = VariableSummary.of("x", draws);
    assertTrue(summary.mixing().rhat() < 1.01, summary.toString());
    assertEquals(mean, summary.mean(), 5 * sd / Math.sqrt(summary.mixing().essBulk()));
    assertEquals(sd, summary.sd(), 5 * sd / Math.sqrt(summary.mixing().essBulk()));
  }
}
