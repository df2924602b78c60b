package org.lampyris.samplers.program.named;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.bernoulli;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Clusters;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.random.Streams;

/** Moves that follow from a trace. Comparisons allow for five standard errors. */
class TraceMovesTest {
  private static final double[] Y = {1.1, -0.2, 0.9, 1.7, 0.4};
  private static final List<DataBlock> BLOCKS =
      List.of(new DenseBlock(0, 1, new double[] {1, 1, 1, 1, 1}, Y, null));
  private static final ProgramAlgorithm.Settings SETTINGS =
      new ProgramAlgorithm.Settings(0, 0, 100, 20, 5);

  /** Neither the vector nor the sign is read by rows: both need their whole scaffolds. */
  private static final class Means implements ProgramModel {
    @Override
    public Trace trace(FamilySpec spec, List<String> columns) {
      Program program = new Program();
      Node m = program.global("m", normal(2, 0, 1));
      Node s = program.global("s", bernoulli((Term) v -> 0));
      Node g = program.global("g", normal(v -> v.of(m, 0) + v.of(m, 1) + 0.5 * v.of(s), v -> 0.5));
      program.perRow(row -> row.observe("y", normal(g, v -> 1), v -> v.response()));
      return program.trace();
    }
  }

  /**
   * Given s, ȳ ~ N(0.5 s, v) with v = 2 + 0.25 + 1/5, and E[m_0|y] = (ȳ − 0.5 s)/v. The first drift
   * is 20; the warm-up makes it fit.
   */
  @Test
  void drawsTheExactPosteriorAndDriftsAdapt() {
    Means program = new Means();
    ProgramNumbers numbers = ProgramNumbers.of(program, FamilySpec.of("means"), List.of("x"));
    assertEquals(List.of("m[1]", "m[2]", "s", "g"), numbers.names());
    int draws = 40_000;
    double[][] m = new double[1][draws];
    double[][] s = new double[1][draws];
    try (ProgramRows rows =
        new ProgramRows(numbers.trace(), ProgramTable.inMemory(BLOCKS), new Streams(4), 1)) {
      TraceMoves moves = TraceMoves.of(program, rows, SETTINGS);
      double[] drifts = moves.drifts(SETTINGS.drift());
      ProgramState state = program.begin(rows, 1);
      for (int i = 1; i <= 1000; i++) {
        state = moves.apply(state, rows, drifts, 0, i);
      }
      double[] adapted = drifts.clone();
      assertTrue(drifts[0] > 0.3 && drifts[0] < 5 && drifts[2] > 0.3 && drifts[2] < 5, "drifts");
      for (int i = 0; i < draws; i++) {
        state = moves.apply(state, rows, drifts, 0, 0);
        double[] values = numbers.at(state.globals());
        m[0][i] = values[0];
        s[0][i] = values[2];
      }
      assertEquals(adapted[0], drifts[0], "frozen after the warm-up");
      assertEquals(3 * (draws + 1000L), state.step());
    }
    double mean = 0;
    for (double y : Y) {
      mean += y / Y.length;
    }
    double variance = 2 + 0.25 + 1.0 / Y.length;
    double odds =
        Math.exp(
            (Math.pow(mean + 0.5, 2) - Math.pow(mean - 0.5, 2)) / (2 * variance)); // s = 1 : −1
    double p = odds / (1 + odds);
    double expected = (p * (mean - 0.5) + (1 - p) * (mean + 0.5)) / variance;
    assertEquals(expected, mean(m[0]), 5 * Diagnostics.mcseMean(m));
    assertEquals(2 * p - 1, mean(s[0]), 5 * Diagnostics.mcseMean(s));
    assertTrue(Diagnostics.mcseMean(m) < 0.03, "mcse " + Diagnostics.mcseMean(m));
  }

  private static double mean(double[] values) {
    return java.util.Arrays.stream(values).average().orElseThrow();
  }

  @Test
  void clustersNeedMovesOfTheirOwn() {
    ProgramModel mixture =
        (spec, columns) -> {
          Program program = new Program();
          Clusters crp = program.clusters("crp", program.global("alpha", normal(1, v -> 0.1)));
          Node mu = program.perCluster("mu", normal(0, v -> 1));
          program.perRow(
              row -> {
                Node z = row.latent("z", crp.label());
                row.observe("y", normal(v -> v.of(mu.of(z))[0], v -> 1), v -> v.response());
              });
          return program.trace();
        };
    Trace trace = mixture.trace(FamilySpec.of("mixture"), List.of());
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(BLOCKS), new Streams(4), 1, 2)) {
      UserException refused =
          assertThrows(UserException.class, () -> TraceMoves.of(mixture, rows, SETTINGS));
      assertTrue(
          String.valueOf(refused.getMessage()).startsWith("mu has a value for each cluster"),
          refused::getMessage);
      ProgramNumbers numbers = ProgramNumbers.of(mixture, FamilySpec.of("mixture"), List.of());
      assertEquals(List.of("alpha", "crp"), numbers.names());
      Globals begun = rows.begin(1).globals();
      assertEquals(0, numbers.at(begun)[1], "no labels yet");
      double[][] sums = {{3, 1.5}, {0, 0}, {2, 0.5}};
      assertEquals(2, numbers.at(begun.withClusters(begun.clusters(), sums, begun.places()))[1], 0);
    }
  }
}
