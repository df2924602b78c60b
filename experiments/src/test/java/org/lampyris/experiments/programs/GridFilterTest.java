package org.lampyris.experiments.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Streams;

/** The grid against plain sums, and the program of stochastic volatility against the grid. */
class GridFilterTest {
  /** ∫∫ N(h_1 | 0, σ²) N(h_2 | φh_1, σ²) Π N(x_t | 0, e^(h_t)), by a plain double sum. */
  @Test
  void theRecursionIsTheIntegral() {
    double[] x = {0.7, -1.9};
    double phi = 0.8;
    double sigma = 0.4;
    double step = 0.02;
    double sum = 0;
    for (double a = -4; a <= 4; a += step) {
      for (double b = -4; b <= 4; b += step) {
        double z = (b - phi * a) / sigma;
        sum +=
            Math.exp(
                -0.5 * (a * a / (sigma * sigma) + z * z + a + b)
                    - 0.5 * (x[0] * x[0] * Math.exp(-a) + x[1] * x[1] * Math.exp(-b)));
      }
    }
    double expected = Math.log(sum * step * step / (2 * Math.PI * sigma * sigma));
    double actual = GridFilter.logLikelihood(new double[][] {x}, phi, sigma);
    assertEquals(expected, actual, 1e-6);
  }

  /** Means of φ and σ² within five Monte-Carlo errors, and distances within what chance allows. */
  @ParameterizedTest
  @CsvSource({"30, false", "10, false", "10, true"})
  void theProgramHasThePosteriorOfTheGrid(long redrawn, boolean byInnovations) {
    List<DataBlock> data = MadeData.series(3, 30, 3);
    GridFilter grid = GridFilter.of(MadeData.rows(data), 40, 0.06);
    Trace trace =
        byInnovations ? PaperPrograms.volatilityByInnovations(3) : PaperPrograms.volatility(3);
    Move move =
        Move.cycle(
            new ParticleGibbs(trace, 5, redrawn),
            SubsampledMh.exact(trace, trace.node("phi"), 0.3),
            SubsampledMh.exact(trace, trace.node("sigma2"), 0.006));
    int steps = 80_000;
    double[] phi = new double[steps];
    double[] variance = new double[steps];
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(data), new Streams(31), 1)) {
      ProgramState state = rows.begin(1);
      for (int i = -2000; i < steps; i++) {
        state = move.apply(state, rows);
        if (i >= 0) {
          phi[i] = state.globals().value(trace.node("phi"), 0)[0];
          variance[i] = state.globals().value(trace.node("sigma2"), 0)[0];
        }
      }
    }
    assertNear(grid.phi(), grid.ofPhi(), phi, 1.0 / 40);
    assertNear(grid.variance(), grid.ofVariance(), variance, 0.06 / 40);
  }

  private static void assertNear(double[] at, double[] weights, double[] draws, double width) {
    double mean = 0;
    for (int i = 0; i < at.length; i++) {
      mean += at[i] * weights[i];
    }
    double[][] one = {draws};
    double error = Diagnostics.mcseMean(one);
    double ess = Diagnostics.essMean(one);
    assertTrue(ess > 250, ess + " effective draws");
    // The grid's own cells are worth a few hundredths of a standard deviation.
    assertEquals(mean, Arrays.stream(draws).average().orElseThrow(), 5 * error + 0.02 * width);
    double distance = GridFilter.distance(draws, weights, width);
    assertTrue(distance < 2.2 / Math.sqrt(ess) + 0.002, distance + " from the grid");
  }
}
