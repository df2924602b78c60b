package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * Random intercepts of a logistic regression without features, and their posterior by quadrature:
 * over β and log sd on a grid, and over each level's effect about its mode. β ~ N(0, 2.5²), sd ~
 * half-normal(0, 1).
 */
public final class InterceptsByQuadrature {
  private static final int GRID = 160;

  private InterceptsByQuadrature() {}

  /** Groups of so many rows, of which so many are successes. */
  public record Groups(int[] rows, int[] successes) {}

  public static final Groups FEW = new Groups(new int[] {6, 3, 11}, new int[] {5, 0, 4});
  public static final Groups EIGHT =
      new Groups(new int[] {28, 8, 13, 7, 9, 11, 18, 12}, new int[] {20, 5, 4, 4, 4, 6, 14, 8});
  public static final Groups UNBALANCED =
      new Groups(
          new int[] {1, 3, 10, 30, 100, 1000, 10_000, 100_000},
          new int[] {1, 0, 4, 21, 37, 401, 6012, 43_210});

  /** Rows of which each stands for all alike: two a group, weighted; three blocks. */
  public static List<DataBlock> rows(Groups groups) {
    List<DataBlock> blocks = new ArrayList<>();
    int[] ends = {0, 1, 2, groups.rows.length};
    for (int b = 0; b + 1 < ends.length; b++) {
      List<double[]> rows = new ArrayList<>();
      for (int j = ends[b]; j < ends[b + 1]; j++) {
        int failures = groups.rows[j] - groups.successes[j];
        if (groups.successes[j] > 0) {
          rows.add(new double[] {1, groups.successes[j], 100 + j});
        }
        if (failures > 0) {
          rows.add(new double[] {-1, failures, 100 + j});
        }
      }
      double[] ones = rows.stream().mapToDouble(row -> 1).toArray();
      double[] y = rows.stream().mapToDouble(row -> row[0]).toArray();
      double[] weight = rows.stream().mapToDouble(row -> row[1]).toArray();
      long[] keys = rows.stream().mapToLong(row -> (long) row[2]).toArray();
      blocks.add(new DenseBlock(b, 1, ones, y, weight).grouped(new long[][] {keys}));
    }
    return blocks;
  }

  public static TableEffects intercepts(long levels, boolean together) {
    GroupingEffects effects =
        new GroupingEffects("g", List.of("(Intercept)"), PriorParser.parse("half_normal(0, 1)"), 1);
    return new TableEffects(effects, 0, new int[] {-1}, new double[1], levels, together);
  }

  /** Returns the mean and sd of β, and of the standard deviation of the effects; log evidence. */
  public static double[] exact(Groups groups) {
    double[][] logs = new double[GRID + 1][GRID + 1];
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i <= GRID; i++) {
      for (int k = 0; k <= GRID; k++) {
        double sd = Math.exp(phi(k));
        double log = -0.5 * beta(i) * beta(i) / 6.25 - 0.5 * sd * sd + phi(k);
        for (int j = 0; j < groups.rows.length; j++) {
          log += logMarginal(groups.rows[j], groups.successes[j], beta(i), sd);
        }
        logs[i][k] = log;
        largest = Math.max(largest, log);
      }
    }
    double[] sums = new double[5];
    for (int i = 0; i <= GRID; i++) {
      for (int k = 0; k <= GRID; k++) {
        double p = Math.exp(logs[i][k] - largest);
        double sd = Math.exp(phi(k));
        sums[0] += p;
        sums[1] += p * beta(i);
        sums[2] += p * beta(i) * beta(i);
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
      Math.sqrt(sums[4] / sums[0] - meanSd * meanSd),
      largest
          + Math.log(sums[0] * (beta(1) - beta(0)) * (phi(1) - phi(0)) * 2 / 2.5)
          - Math.log(2 * Math.PI)
          + groups.rows.length * (Math.log(0.25) - 0.5 * Math.log(2 * Math.PI))
    };
  }

  private static double beta(int i) {
    return -6 + 12.0 * i / GRID;
  }

  private static double phi(int k) {
    return -7 + 9.0 * k / GRID;
  }

  /** Returns log ∫ L(β + sd·u) exp(−u²/2) du, up to a constant, about its mode. */
  private static double logMarginal(int rows, int successes, double beta, double sd) {
    double u = 0;
    double curvature = 1;
    for (int step = 0; step < 60; step++) {
      double p = 1 / (1 + Math.exp(-beta - sd * u));
      curvature = 1 + rows * sd * sd * p * (1 - p);
      double slope = sd * (successes - rows * p) - u;
      u += Math.max(-1 / sd, Math.min(1 / sd, slope / curvature));
    }
    double width = 1 / Math.sqrt(curvature);
    double top = logIntegrand(rows, successes, beta, sd, u);
    double sum = 0;
    for (int i = -40; i <= 40; i++) {
      double at = logIntegrand(rows, successes, beta, sd, u + 0.25 * i * width);
      sum += Math.exp(at - top);
    }
    return top + Math.log(sum * width);
  }

  private static double logIntegrand(int rows, int successes, double beta, double sd, double u) {
    double eta = beta + sd * u;
    double softplus = Math.max(0, eta) + Math.log1p(Math.exp(-Math.abs(eta)));
    return successes * eta - rows * softplus - 0.5 * u * u;
  }
}
