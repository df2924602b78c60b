package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;

/** One group's steps against quadrature. */
class LevelStepTest {
  private static final int DRAWS = 40_000;
  private static final int BURN_IN = 100;

  /** log L = Σ_i (s_i·η_i − e^η_i), η_i = b_0 + x_i·b_1: skewed, and nowhere of one curvature. */
  private static final double[] X = {-1, 0.3, 2};

  private static final double[] COUNT = {0, 3, 1};

  private static void sums(double[] b, double[] out) {
    Arrays.fill(out, 0);
    for (int i = 0; i < X.length; i++) {
      double eta = b[0] + (b.length > 1 ? X[i] * b[1] : 0);
      double mean = Math.exp(eta);
      out[0] += COUNT[i] * eta - mean;
      double slope = COUNT[i] - mean;
      if (b.length == 1) {
        out[1] += slope;
      } else {
        out[1] += slope;
        out[2] += slope * X[i];
      }
    }
  }

  private static double[][] run(double[] precision, int q, double[] start) {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.EFFECTS, 1, 1, 0);
    LevelStep step = new LevelStep(q, precision, false, rng);
    // About where the posterior is, and not quite.
    LevelStep.About about =
        q == 1
            ? new LevelStep.About(new double[] {0.1}, new double[] {2})
            : new LevelStep.About(new double[] {0.2, -0.1}, new double[] {1.9, 0, 0.4, 1.9});
    double[] b = start.clone();
    double[] proposal = b.clone();
    double[] sums = new double[LevelStep.sums(q)];
    double[] there = sums.clone();
    sums(b, sums);
    double[][] draws = new double[q][DRAWS];
    for (int i = -BURN_IN; i < DRAWS; i++) {
      step.propose(b, sums, 0, about, proposal, 0);
      sums(proposal, there);
      if (step.accept(b, proposal, there, 0, about, 0)) {
        System.arraycopy(proposal, 0, b, 0, q);
        System.arraycopy(there, 0, sums, 0, there.length);
      }
      for (int e = 0; e < q && i >= 0; e++) {
        draws[e][i] = b[e];
      }
    }
    return draws;
  }

  /** Returns means and sds of b by quadrature. */
  private static double[] exact(double[] precision, int q) {
    int n = 400;
    double[] moments = new double[2 * q];
    double total = 0;
    double[] sums = new double[LevelStep.sums(q)];
    for (int i = 0; i <= n; i++) {
      for (int k = 0; k <= (q == 1 ? 0 : n); k++) {
        double[] b =
            q == 1
                ? new double[] {-6 + 12.0 * i / n}
                : new double[] {-6 + 12.0 * i / n, -6 + 12.0 * k / n};
        sums(b, sums);
        double square = 0;
        for (int e = 0; e < q; e++) {
          for (int f = 0; f < q; f++) {
            square += precision[e * q + f] * b[e] * b[f];
          }
        }
        double p = Math.exp(sums[0] - 0.5 * square);
        total += p;
        for (int e = 0; e < q; e++) {
          moments[e] += p * b[e];
          moments[q + e] += p * b[e] * b[e];
        }
      }
    }
    for (int e = 0; e < q; e++) {
      moments[e] /= total;
      moments[q + e] = Math.sqrt(moments[q + e] / total - moments[e] * moments[e]);
    }
    return moments;
  }

  private static void assertExact(double[] precision, int q, double[] start) {
    double[][] draws = run(precision, q, start);
    double[] exact = exact(precision, q);
    for (int e = 0; e < q; e++) {
      double ess = Diagnostics.essMean(new double[][] {draws[e]});
      double sum = 0;
      double squares = 0;
      for (double b : draws[e]) {
        sum += b;
        squares += b * b;
      }
      double mean = sum / DRAWS;
      assertTrue(ess > 0.1 * DRAWS, "ESS " + ess);
      assertEquals(exact[e], mean, 5 * exact[q + e] / Math.sqrt(ess));
      double sd = Math.sqrt(squares / DRAWS - mean * mean);
      assertEquals(exact[q + e], sd, 7 * exact[q + e] / Math.sqrt(ess));
    }
  }

  @Test
  void oneEffectHasItsPosterior() {
    assertExact(new double[] {0.4}, 1, new double[1]);
  }

  @Test
  void twoEffectsHaveTheirs() {
    assertExact(new double[] {0.5, -0.2, -0.2, 0.8}, 2, new double[2]);
  }

  /** Where the gradient is −e²⁰, a step along it leads nowhere. */
  @Test
  void groupsFarOutComeBack() {
    assertExact(new double[] {0.4}, 1, new double[] {20});
    assertExact(new double[] {0.4}, 1, new double[] {-60});
  }

  /**
   * Groups that do not lie together are decided about after all have been asked: each as if its
   * proposal had been the last one, by τ, noise and precision that it was drawn with.
   */
  @Test
  void proposalsThatAreTakenUpAgainAreDecidedAboutAsAtOnce() {
    double[] precision = {0.05};
    LevelStep.About about = new LevelStep.About(new double[] {0.1}, new double[] {2});
    UniformRandomProvider first = new Streams(3).stream(Streams.Purpose.EFFECTS, 1, 1, 0);
    UniformRandomProvider second = new Streams(3).stream(Streams.Purpose.EFFECTS, 1, 1, 0);
    LevelStep atOnce = new LevelStep(1, precision, false, first);
    LevelStep proposing = new LevelStep(1, precision, false, second);
    LevelStep deciding = new LevelStep(1, precision, false, second);
    LevelStep.Drawn drawn = new LevelStep.Drawn(1, 1);
    double[] b = {0.4};
    double[] sums = new double[2];
    double[] there = new double[2];
    double[] proposal = new double[1];
    double[] again = new double[1];
    int moves = 0;
    for (int i = 0; i < 20_000; i++) {
      sums(b, sums);
      atOnce.propose(b, sums, 0, about, proposal, 0);
      proposing.propose(b, sums, 0, about, again, 0);
      proposing.keep(0, drawn);
      deciding.resume(0, drawn, b, 0, sums, 0);
      assertEquals(proposal[0], again[0], "proposal " + i);
      sums(proposal, there);
      boolean accepted = atOnce.accept(b, proposal, there, 0, about, 0);
      assertEquals(accepted, deciding.accept(b, proposal, there, 0, about, 0), "decision " + i);
      if (accepted) {
        b[0] = proposal[0];
        moves++;
      }
    }
    assertTrue(moves > 5_000 && moves < 19_000, moves + " moves");
  }
}
