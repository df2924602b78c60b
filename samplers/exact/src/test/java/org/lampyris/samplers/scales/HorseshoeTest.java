package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;

/**
 * Horseshoes with a sampled global scale against quadrature: proportions of three groups, whose
 * logits are shrunk to 0. Given the scales the groups are independent.
 */
class HorseshoeTest {
  private static final int[] ROWS = {30, 30, 40};
  private static final int[] ONES = {26, 15, 23};

  /** Spacing of grids in logarithms. */
  private static final double STEP = 0.08;

  static Stream<Arguments> cases() {
    return Stream.of("firefly", "metropolis", "mhss")
        .flatMap(algorithm -> Stream.of(0.0, 1.0).map(slab -> Arguments.of(algorithm, slab)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void coefficientsAndScalesHaveThePosteriorOfQuadrature(String algorithm, double slab) {
    String prior =
        slab == 0
            ? "horseshoe(half_normal(0.5))"
            : "regularized_horseshoe(half_normal(0.5), " + slab + ", 4)";
    ModelOfTable base =
        ModelOfTable.of(
            FamilySpec.of("logistic"),
            List.of("a", "b", "c"),
            PriorConfig.of(prior, Map.of(), PriorConfig.Scale.STANDARDIZED),
            null);
    RunResult result =
        new ScaledRun(List.of(rows()), base, List.of(), 7)
            .run(Map.of("algorithm", algorithm, "chains", 4, "warmup", 500, "draws", 2000));
    double[][] exact = exact(slab);
    for (int k = 0; k < 4; k++) {
      assertNear(result, algorithm + " " + prior, k, exact[k][0], exact[k][1]);
    }
  }

  private static DataBlock rows() {
    int count = Arrays.stream(ROWS).sum();
    double[] features = new double[count * 3];
    double[] response = new double[count];
    int row = 0;
    for (int g = 0; g < 3; g++) {
      for (int n = 0; n < ROWS[g]; n++, row++) {
        features[row * 3 + g] = 1;
        response[row] = n < ONES[g] ? 1 : -1;
      }
    }
    return new DenseBlock(0, 3, features, response, null);
  }

  /** Returns mean and sd of each coefficient and of τ. */
  private static double[][] exact(double slab) {
    // Of N(0, s²) for log s on a grid: log ∫L N db, and the mean of b and b² there.
    double low = -14;
    int size = (int) Math.round(24 / STEP);
    double[][][] of = new double[3][size][];
    for (int g = 0; g < 3; g++) {
      for (int i = 0; i < size; i++) {
        of[g][i] = integrals(g, Math.exp(low + STEP * i));
      }
    }
    double[] sum = new double[9];
    for (double c = slab == 0 ? 0 : -3; c <= (slab == 0 ? 0 : 5); c += 0.1) {
      double logC = slab == 0 ? 0 : -4 * (c + 0.5 * slab * slab * Math.exp(-2 * c));
      for (double t = -12; t < 2.5; t += STEP) {
        double weight = Math.exp(logC + t - 2 * Math.exp(2 * t));
        double[][] group = new double[3][3];
        for (double l = -12; l < 12; l += STEP) {
          double local = Math.exp(l - Math.log1p(Math.exp(2 * l)));
          double s = t + l - (slab == 0 ? 0 : 0.5 * Math.log1p(Math.exp(2 * (t + l - c))));
          double place = Math.min(size - 1.001, Math.max(0, (s - low) / STEP));
          int at = (int) place;
          for (int g = 0; g < 3; g++) {
            for (int k = 0; k < 3; k++) {
              double value = of[g][at][k] + (place - at) * (of[g][at + 1][k] - of[g][at][k]);
              group[g][k] += local * value;
            }
          }
        }
        double all = weight * group[0][0] * group[1][0] * group[2][0];
        sum[0] += all;
        for (int g = 0; g < 3; g++) {
          sum[1 + 2 * g] += all * group[g][1] / group[g][0];
          sum[2 + 2 * g] += all * group[g][2] / group[g][0];
        }
        sum[7] += all * Math.exp(t);
        sum[8] += all * Math.exp(2 * t);
      }
    }
    double[][] exact = new double[4][2];
    for (int k = 0; k < 4; k++) {
      double mean = sum[1 + 2 * k] / sum[0];
      exact[k][0] = mean;
      exact[k][1] = Math.sqrt(sum[2 + 2 * k] / sum[0] - mean * mean);
    }
    return exact;
  }

  /** Returns ∫L N(b; 0, s²)·(1, b, b²) db, L scaled to about 1 at its maximum. */
  private static double[] integrals(int g, double s) {
    double[] out = new double[3];
    double top = Math.log((double) ONES[g] / (ROWS[g] - ONES[g]));
    double highest = logLikelihood(g, top);
    for (double z = -8; z <= 8; z += 0.02) {
      double b = z * s;
      double value = Math.exp(-0.5 * z * z + logLikelihood(g, b) - highest);
      out[0] += value;
      out[1] += value * b;
      out[2] += value * b * b;
    }
    return out;
  }

  private static double logLikelihood(int g, double b) {
    return ONES[g] * b - ROWS[g] * (Math.max(b, 0) + Math.log1p(Math.exp(-Math.abs(b))));
  }

  private static void assertNear(RunResult result, String what, int k, double mean, double sd) {
    double[][] draws =
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[k]).toArray())
            .toArray(double[][]::new);
    VariableSummary summary = VariableSummary.of("x", draws);
    System.out.printf(
        "proof | horseshoe against quadrature, %s, element %d | %.5f for %.5f, sd %.5f for %.5f,"
            + " ESS %.0f%n",
        what, k, summary.mean(), mean, summary.sd(), sd, summary.mixing().essBulk());
    assertTrue(summary.mixing().rhat() < 1.01, summary.toString());
    double error = sd / Math.sqrt(summary.mixing().essBulk());
    assertEquals(mean, summary.mean(), 5 * error);
    assertEquals(sd, summary.sd(), 6 * error);
  }
}
