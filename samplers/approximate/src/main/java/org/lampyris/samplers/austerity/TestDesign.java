package org.lampyris.samplers.austerity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.minibatch.StudentDecision;

/**
 * The cheapest sequential test whose error is small enough, by search over (m, ε).
 *
 * <p>With P_a = min(1, e^(rest + Nμ)) the exact acceptance probability of a pair (θ, θ′), the
 * test's differs from it by
 *
 * <pre>Δ(θ, θ′) = ∫_{P_a}^1 E(μ_std(u)) du − ∫_0^{P_a} E(μ_std(u)) du,</pre>
 *
 * <p>in which errors cancel in part. The <em>average</em> design has the smallest E π̄ over pairs
 * of a trial run among those with E|Δ| ≤ Δ*, the <em>worst-case</em> design the smallest π̄(0)
 * among those with E(0) ≤ Δ*.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), section 5.2, equations 6 to 8.
 *
 * @param batch m
 * @param epsilon ε
 * @param error E|Δ|, or E(0)
 * @param dataUse E π̄, or π̄(0)
 */
public record TestDesign(long batch, double epsilon, double error, double dataUse) {
  private static final double[] EPSILONS = {
    0.3, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.005, 0.001, 1e-4
  };

  /** Smallest batch whose mean is taken as normal. */
  private static final long SMALLEST = 50;

  /** More looks cost time here, and gain little there. */
  private static final long MOST_LOOKS = 100;

  private static final int GRID = 32;
  private static final int NODES = 64;

  /** Standard deviations beyond the boundary at which errors are impossible. */
  private static final double BEYOND = 6;

  /**
   * A pair (θ, θ′) of a trial run.
   *
   * @param rest what of the logarithm of the ratio is not in the rows
   * @param mean μ, of v_n over all rows
   * @param sd σ, of the v_n
   */
  public record Pair(double rest, double mean, double sd) {
    /** Returns μ_std(u). */
    double standardized(double logU, long rows) {
      return (mean - (logU - rest) / rows) * Math.sqrt(rows - 1.0) / sd;
    }

    /** Returns P_a. */
    public double acceptance(long rows) {
      return Math.min(1, Math.exp(rest + rows * mean));
    }
  }

  /** Returns the average design; the one with the smallest error if none is small enough. */
  public static TestDesign average(
      List<Pair> pairs, long rows, double most, StudentDecision.Boundary boundary) {
    return best(
        candidates(rows, (m, e) -> average(pairs, rows, new StudentDecision(m, e, boundary))),
        most);
  }

  /** Returns the worst-case design; the one with the smallest error if none is small enough. */
  public static TestDesign worst(long rows, double most, StudentDecision.Boundary boundary) {
    return best(
        candidates(
            rows,
            (m, e) -> {
              TestProperties at = TestProperties.of(0, rows, new StudentDecision(m, e, boundary));
              return new TestDesign(m, e, at.error(), at.dataUse());
            }),
        most);
  }

  /** Returns a line about it. */
  Decision decision(AusterityAlgorithm.Settings settings) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("epsilon", epsilon);
    figures.put("batch", (double) batch);
    figures.put("expected_error", error);
    figures.put("expected_data_use", dataUse);
    String design = ConfigText.of(settings.design());
    return new Decision(
        "austerity",
        design,
        figures,
        Text.of(
            "austerity: %s design: epsilon %s, batches of %,d rows. The expected error is %.3g%s"
                + " and the expected share of rows read is %.3g %%.",
            design,
            ConfigText.of(epsilon),
            batch,
            error,
            error > settings.error() ? ", more than the requested error," : "",
            100 * dataUse));
  }

  private interface Evaluation {
    TestDesign of(long batch, double epsilon);
  }

  private static List<TestDesign> candidates(long rows, Evaluation evaluation) {
    List<TestDesign> all = new ArrayList<>();
    long least = Math.max(SMALLEST, rows / MOST_LOOKS);
    for (long m = Math.min(least, Math.max(2, rows / 2)); m < rows; m *= 2) {
      for (double epsilon : EPSILONS) {
        all.add(evaluation.of(m, epsilon));
      }
    }
    return all;
  }

  private static TestDesign best(List<TestDesign> all, double most) {
    TestDesign best = all.get(0);
    for (TestDesign one : all) {
      boolean better =
          one.error <= most
              ? best.error > most || one.dataUse < best.dataUse
              : best.error > most && one.error < best.error;
      best = better ? one : best;
    }
    return best;
  }

  /** Returns the average properties of a test over pairs and u. */
  public static TestDesign average(List<Pair> pairs, long rows, StudentDecision test) {
    Table table = Table.of(rows, test);
    double error = 0;
    double use = 0;
    for (Pair pair : pairs) {
      double accepted = pair.acceptance(rows);
      double[] below = table.over(pair, rows, 0, accepted);
      double[] above = table.over(pair, rows, accepted, 1);
      error += Math.abs(above[0] - below[0]);
      use += above[1] + below[1];
    }
    return new TestDesign(test.batch(), test.epsilon(), error / pairs.size(), use / pairs.size());
  }

  /** E and π̄ by |μ_std|, between which they are interpolated; the error is 0 beyond them. */
  private record Table(double largest, TestProperties[] at) {
    static Table of(long rows, StudentDecision test) {
      long batch = test.batch();
      double first = Math.sqrt((double) batch / Math.max(1, rows - batch));
      double boundary =
          NormalDistribution.of(0, 1).inverseSurvivalProbability(test.epsilon())
              * test.boundary().factor((double) batch / rows);
      double largest = (boundary + BEYOND) / first;
      TestProperties[] at = new TestProperties[GRID + 1];
      for (int k = 0; k <= GRID; k++) {
        double share = (double) k / GRID;
        at[k] = TestProperties.of(largest * share * share, rows, test);
      }
      return new Table(largest, at);
    }

    /** Returns ∫ E du and ∫ π̄ du between two values of u: the midpoint rule, in √u. */
    double[] over(Pair pair, long rows, double from, double to) {
      double[] integrals = new double[2];
      double low = Math.sqrt(from);
      double width = (Math.sqrt(to) - low) / NODES;
      for (int k = 0; k < NODES; k++) {
        double root = low + (k + 0.5) * width;
        double du = 2 * root * width;
        double place =
            GRID
                * Math.sqrt(
                    Math.min(1, Math.abs(pair.standardized(2 * Math.log(root), rows)) / largest));
        int cell = (int) Math.min(GRID - 1, Math.floor(place));
        double share = place - cell;
        integrals[0] += du * ((1 - share) * at[cell].error() + share * at[cell + 1].error());
        integrals[1] += du * ((1 - share) * at[cell].dataUse() + share * at[cell + 1].dataUse());
      }
      return integrals;
    }
  }
}
