package org.lampyris.samplers.program.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Parameters and last states of panels against a grid of the parameters with an exact filter at
 * each point: the forward algorithm, and Kalman's. Seeds are fixed; each comparison allows for five
 * standard errors, a false alarm in 2 of a million.
 */
class StateProgramsTest {
  private static final int SERIES = 12;
  private static final int LENGTH = 4;
  private static final int CELLS = 60;

  /** Log likelihood of a series and the mean of its last state. */
  private interface Filter {
    double[] of(double[] theta, double[] x);
  }

  /** Log prior density, up to a constant. */
  private interface Prior {
    double of(double[] theta);
  }

  private static double[] forward(double[] theta, double[] x) {
    double one = 0;
    double log = 0;
    for (double value : x) {
      double moved = theta[0] * one + theta[1] * (1 - one);
      double yes = moved * Math.exp(-0.5 * (value - theta[2]) * (value - theta[2]));
      double no = (1 - moved) * Math.exp(-0.5 * (value + theta[2]) * (value + theta[2]));
      log += Math.log(yes + no);
      one = yes / (yes + no);
    }
    return new double[] {log, one};
  }

  private static double[] kalman(double[] theta, double[] x) {
    double mean = 0;
    double variance = 0;
    double log = 0;
    for (double value : x) {
      mean *= theta[0];
      variance = theta[0] * theta[0] * variance + theta[1] * theta[1];
      double total = variance + theta[2] * theta[2];
      double off = value - mean;
      log -= 0.5 * (off * off / total + Math.log(total));
      double gain = variance / total;
      mean += gain * off;
      variance *= 1 - gain;
    }
    return new double[] {log, mean};
  }

  /** Posterior means of the three parameters and of the last state of each series. */
  private static double[] grid(
      double[][] x, Filter filter, Prior prior, double[] low, double[] high) {
    double[] logs = new double[CELLS * CELLS * CELLS];
    double[][] values = new double[logs.length][];
    for (int i = 0; i < logs.length; i++) {
      int[] cell = {i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS};
      values[i] = new double[3 + x.length];
      for (int j = 0; j < 3; j++) {
        values[i][j] = low[j] + (high[j] - low[j]) * (cell[j] + 0.5) / CELLS;
      }
      logs[i] = prior.of(values[i]);
      for (int s = 0; s < x.length; s++) {
        double[] found = filter.of(values[i], x[s]);
        logs[i] += found[0];
        values[i][3 + s] = found[1];
      }
    }
    double most = Arrays.stream(logs).max().orElseThrow();
    double[] mean = new double[3 + x.length];
    double total = 0;
    for (int i = 0; i < logs.length; i++) {
      double p = Math.exp(logs[i] - most);
      total += p;
      for (int j = 0; j < mean.length; j++) {
        mean[j] += p * values[i][j];
      }
    }
    for (int j = 0; j < mean.length; j++) {
      mean[j] /= total;
    }
    return mean;
  }

  private static void compare(
      Trace trace, double[][] x, double[] expected, double[] drifts, String... names) {
    double[] all = Arrays.stream(x).flatMapToDouble(Arrays::stream).toArray();
    List<DataBlock> blocks = List.of(new DenseBlock(0, LENGTH, all, new double[SERIES], null));
    Move move = new ParticleGibbs(trace, 4);
    for (int j = 0; j < 3; j++) {
      move = Move.cycle(move, SubsampledMh.exact(trace, trace.node(names[j]), drifts[j]));
    }
    int steps = 20_000;
    double[][] draws = new double[expected.length][steps];
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(blocks), new Streams(8), 1)) {
      ProgramState state = move.times(500).apply(rows.begin(1), rows);
      for (int i = 0; i < steps; i++) {
        state = move.apply(state, rows);
        double[] h = rows.latents().get(0)[0];
        for (int j = 0; j < draws.length; j++) {
          draws[j][i] =
              j < 3
                  ? state.globals().value(trace.node(names[j]), 0)[0]
                  : h[LENGTH * (j - 3) + LENGTH - 1];
        }
      }
    }
    for (int j = 0; j < draws.length; j++) {
      double[][] chain = {draws[j]};
      double error = Diagnostics.mcseMean(chain);
      double mean = Arrays.stream(draws[j]).average().orElseThrow();
      assertEquals(expected[j], mean, 5 * error, (j < 3 ? names[j] : "last state " + (j - 3)));
      assertTrue(error < 0.03, names[Math.min(j, 2)] + " has an error of " + error);
    }
  }

  @Test
  void aHiddenMarkovModelHasThePosteriorOfTheForwardAlgorithm() {
    Noise noise = Noise.of(new Streams(2).iteration(1, 1));
    double[][] x = new double[SERIES][LENGTH];
    for (double[] series : x) {
      boolean on = false;
      for (int t = 0; t < LENGTH; t++) {
        on = noise.flip(on ? 0.8 : 0.3);
        series[t] = (on ? 1.2 : -1.2) + noise.normal();
      }
    }
    Prior prior =
        v ->
            3 * Math.log(v[0])
                + Math.log1p(-v[0])
                + Math.log(v[1])
                + 3 * Math.log1p(-v[1])
                - 2 * (v[2] - 1) * (v[2] - 1);
    double[] expected =
        grid(
            x,
            StateProgramsTest::forward,
            prior,
            new double[] {0, 0, -0.5},
            new double[] {1, 1, 2.5});
    compare(
        StatePrograms.hiddenMarkov(LENGTH),
        x,
        expected,
        new double[] {0.2, 0.2, 0.3},
        "stay",
        "enter",
        "mu");
  }

  @Test
  void aLinearPanelHasThePosteriorOfKalmansFilter() {
    Noise noise = Noise.of(new Streams(3).iteration(1, 1));
    double[][] x = new double[SERIES][LENGTH];
    for (double[] series : x) {
      double h = 0;
      for (int t = 0; t < LENGTH; t++) {
        h = 0.8 * h + 0.7 * noise.normal();
        series[t] = h + 0.5 * noise.normal();
      }
    }
    Prior prior =
        v ->
            3 * Math.log(v[0])
                + Math.log1p(-v[0])
                + 3 * Math.log(v[1])
                - 5 * v[1]
                + 3 * Math.log(v[2])
                - 5 * v[2];
    double[] expected =
        grid(x, StateProgramsTest::kalman, prior, new double[3], new double[] {1, 2.5, 2});
    compare(
        StatePrograms.linear(LENGTH),
        x,
        expected,
        new double[] {0.3, 0.2, 0.2},
        "phi",
        "tau",
        "sigma");
  }
}
