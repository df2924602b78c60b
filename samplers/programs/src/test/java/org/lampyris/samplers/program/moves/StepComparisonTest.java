package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * The comparison with the exact step: silent where means of batches are normal, loud where few rows
 * say it all; and burn-in by approximate moves, against a conjugate posterior. Seeds are fixed.
 */
class StepComparisonTest {
  private static final int ROWS = 5000;

  /** Rows of one column; a tenth of the spread, unless the tail is heavy. */
  private static List<DataBlock> blocks(boolean heavy) {
    UniformRandomProvider rng = new Streams(6).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    Noise noise = Noise.of(rng);
    List<DataBlock> blocks = new ArrayList<>();
    for (int block = 0; block < 5; block++) {
      double[] x = new double[ROWS / 5];
      double[] y = new double[ROWS / 5];
      for (int i = 0; i < x.length; i++) {
        double z = noise.normal();
        x[i] = heavy ? Math.exp(2 * z) : 1 + 0.1 * z;
        y[i] = 0.3 * x[i] + 2 * noise.normal();
      }
      blocks.add(new DenseBlock(block, 1, x, y, null));
    }
    return blocks;
  }

  private static Trace regression() {
    Program program = new Program();
    Node w = program.global("w", normal(1, 0, 1));
    program.perRow(
        row -> row.observe("y", normal(v -> v.of(w) * v.feature(0), v -> 2), v -> v.response()));
    return program.trace();
  }

  private static StepComparison compare(boolean heavy, double drift, long batch, double epsilon) {
    Trace trace = regression();
    SubsampledMh move = SubsampledMh.sequential(trace, trace.node("w"), drift, batch, epsilon);
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(blocks(heavy)), new Streams(3), 2)) {
      return StepComparison.of(rows, rows.begin(1), rows.begin(2), Move.none(), move, 200, 1000);
    }
  }

  @Test
  void meansThatAreNormalAreNotDoubted() {
    StepComparison found = compare(false, 0.05, 100, 0.02);
    assertTrue(found.isNormal(), found.text());
    assertEquals(200, found.decisions());
    // Each look errs with a probability of at most 0.02, and there are hardly more than ten.
    assertTrue(found.wrong() <= 20, found.text());
    assertEquals(ROWS, found.exact().sections(), 1e-9);
    assertTrue(found.sequential().sections() < 0.8 * ROWS, found.text());
    assertTrue(found.difference() < 5, found.text());
    assertTrue(found.text().contains("look normal"), found.text());
    assertTrue(found.exact().efficiency() > 0);
  }

  @Test
  void meansThatAreNotNormalAre() {
    StepComparison found = compare(true, 0.002, 100, 0.02);
    assertFalse(found.isNormal(), found.text());
    assertTrue(found.text().contains("not normal"), found.text());
    assertTrue(found.text().contains("Raise the batch"), found.text());
  }

  /** An ε that is far too large errs, and the comparison counts it. */
  @Test
  void wrongDecisionsAreCounted() {
    assertEquals(0, compare(false, 0.05, 100, 0).wrong());
    assertTrue(compare(false, 0.05, 20, 0.45).wrong() > 20);
    assertTrue(Double.isNaN(compare(false, 0.05, 4000, 0.02).leastP()));
  }

  @Test
  void chainsOfTheSameNumberAreRefused() {
    Trace trace = regression();
    SubsampledMh move = SubsampledMh.exact(trace, trace.node("w"), 0.1);
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(blocks(false)), new Streams(3), 1)) {
      ProgramState one = rows.begin(1);
      assertThrows(
          UserException.class, () -> StepComparison.of(rows, one, one, Move.none(), move, 0, 10));
    }
  }

  /**
   * The approximate moves are so bad that their mean is far off; after them, the mean and variance
   * are the conjugate posterior's. Five standard errors: a false alarm in 2 of a million.
   */
  @Test
  void burnInDoesNotChangeTheDistribution() {
    Trace trace = regression();
    Node w = trace.node("w");
    List<DataBlock> blocks = blocks(false);
    double precision = 1;
    double sum = 0;
    for (DataBlock block : blocks) {
      for (int row = 0; row < block.rows(); row++) {
        precision += block.feature(row, 0) * block.feature(row, 0) / 4;
        sum += block.feature(row, 0) * block.response(row) / 4;
      }
    }
    SubsampledMh all = SubsampledMh.exact(trace, w, 0.05);
    Move move = Move.burnIn(300, all.by(new StudentDecision(5, 0.4)), all);
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(blocks), new Streams(5), 1)) {
      ProgramState state = move.times(300).apply(rows.begin(1), rows);
      long burnt = state.counts().sections();
      assertTrue(burnt < 300 * 200, burnt + " sections");
      double[] draws = new double[4000];
      double[] squares = new double[4000];
      for (int i = 0; i < draws.length; i++) {
        state = move.apply(state, rows);
        draws[i] = state.globals().value(w, 0)[0] - sum / precision;
        squares[i] = draws[i] * draws[i];
      }
      assertEquals(4000L * ROWS, state.counts().sections() - burnt);
      assertEquals(0, mean(draws), 5 * Diagnostics.mcseMean(new double[][] {draws}));
      assertEquals(
          1 / precision, mean(squares), 5 * Diagnostics.mcseMean(new double[][] {squares}));
    }
  }

  private static double mean(double[] values) {
    return java.util.Arrays.stream(values).average().orElseThrow();
  }
}
