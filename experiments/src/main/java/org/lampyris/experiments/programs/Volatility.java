package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.chart.Chart;
import org.lampyris.driver.chart.Curve;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.paper.PaperPrograms;
import org.lampyris.samplers.program.run.Move;
import org.lampyris.samplers.program.run.ProgramRows;
import org.lampyris.samplers.program.run.ProgramState;
import org.lampyris.samplers.program.run.ProgramTable;
import org.lampyris.samplers.program.run.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Streams;

/**
 * φ and σ of stochastic volatility by exact and subsampled steps, of the paper's program and of the
 * same by its innovations, next to each other and to the posterior on a grid: histograms,
 * Kolmogorov's distances, autocorrelations by time, effective draws a second.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.3 and Figure 9.
 *
 * @param series how many
 * @param redrawn how many of them a step of the particles draws; a quarter of that between
 *     subsampled tests of {@value #MANY} and more, so that both take about as long, as with all
 *     sections
 * @param seconds of a chain
 * @param reference whether the posterior is computed on a grid as well
 */
record Volatility(int series, int redrawn, double seconds, boolean reference) implements Figure {
  private static final double[] EPSILONS = {0, 0.01, 0.05};
  private static final int LENGTH = 5;
  private static final int PARTICLES = 10;
  private static final int BATCH = 100;

  /** A batch is a part of the series where that is more: a look takes about as long as 100. */
  private static final int BATCHES = 100;

  /** So many series, and more, begin where they were made, and by innovations alone. */
  static final int MANY = 10_000;

  private static final double WARMUP = 0.1;
  private static final int CELLS = 50;
  private static final double MOST = 0.05;
  private static final int LAGS = 40;

  /** The drifts of φ and σ² that suit the posterior of so many series; one of more is narrower. */
  private static final double[] DRIFTS = {0.2, 0.006};

  private static final double OF_SERIES = 200;

  /** A chain's draws. */
  private record Run(
      String name, double[] phi, double[] variance, double perSecond, ProgramState end) {
    double ess(double[] draws) {
      return Diagnostics.essMean(new double[][] {draws});
    }

    /** Returns the smaller number of effective draws a second. */
    double efficiency() {
      return Math.min(ess(phi), ess(variance)) * perSecond / phi.length;
    }
  }

  @Override
  public Map<String, String> files() {
    List<DataBlock> data = MadeData.series(7, series, LENGTH);
    List<Run> runs = new ArrayList<>();
    for (double epsilon : series < MANY ? EPSILONS : new double[0]) {
      runs.add(run("the paper's", PaperPrograms.volatility(LENGTH), data, epsilon));
    }
    for (double epsilon : EPSILONS) {
      runs.add(run("innovations", PaperPrograms.volatilityByInnovations(LENGTH), data, epsilon));
    }
    GridFilter grid = reference ? GridFilter.of(MadeData.rows(data), CELLS, MOST) : null;
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# Stochastic volatility: %,d series of %d, %.0f s a chain\n\n| chain | steps |"
                    + " sections of a test | accepted | φ | σ² | effective draws of φ, σ² | the"
                    + " fewer of them a second | Kolmogorov distance of φ, σ² from the grid | by"
                    + " chance |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                series, LENGTH, seconds));
    StringBuilder csv = new StringBuilder("chain,phi,sigma2\n");
    for (Run r : runs) {
      ProgramState.Counts counts = r.end.counts();
      table.append(
          Text.of(
              "| %s | %,d | %,.0f | %.2f | %.3f | %.5f | %,.0f, %,.0f | %.2f | %s | %.3f |\n",
              r.name,
              counts.tests() / 2,
              (double) counts.sections() / counts.tests(),
              (double) counts.accepted() / counts.tests(),
              mean(r.phi),
              mean(r.variance),
              r.ess(r.phi),
              r.ess(r.variance),
              r.efficiency(),
              grid == null
                  ? "–"
                  : Text.of(
                      "%.3f, %.3f",
                      GridFilter.distance(r.phi, grid.ofPhi(), 1.0 / CELLS),
                      GridFilter.distance(r.variance, grid.ofVariance(), MOST / CELLS)),
              new FalseAlarms(0.01, 1).kolmogorov()
                  / Math.sqrt(Math.min(r.ess(r.phi), r.ess(r.variance)))));
      int thin = Math.max(1, r.phi.length / 2000);
      for (int i = 0; i < r.phi.length; i += thin) {
        csv.append(Text.of("%s,%s,%s\n", r.name, r.phi[i], r.variance[i]));
      }
    }
    if (grid != null) {
      table.append(
          Text.of(
              "\nOn the grid the means are φ = %.3f and σ² = %.5f.\n",
              mean(grid.phi(), grid.ofPhi()), mean(grid.variance(), grid.ofVariance())));
    }
    return Map.of(
        "table.md",
        table.toString(),
        "figure9.csv",
        csv.toString(),
        "figure9b.svg",
        histograms(
                "phi",
                runs.stream().map(Run::phi).toList(),
                runs,
                grid == null ? null : grid.ofPhi(),
                1)
            .file(),
        "figure9c.svg",
        histograms(
                "sigma squared",
                runs.stream().map(Run::variance).toList(),
                runs,
                grid == null ? null : grid.ofVariance(),
                MOST)
            .file(),
        "figure9d.svg",
        autocorrelations(runs).file());
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double mean(double[] values, double[] weights) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[i] * weights[i];
    }
    return sum;
  }

  private Run run(String form, Trace trace, List<DataBlock> data, double epsilon) {
    double narrow = Math.sqrt(Math.min(1, OF_SERIES / series));
    int batch = Math.max(BATCH, series / BATCHES);
    int drawn = series < MANY || epsilon == 0 ? redrawn : redrawn / 4;
    Move move =
        Move.cycle(
            new ParticleGibbs(trace, PARTICLES, drawn),
            SubsampledMh.sequential(trace, trace.node("phi"), narrow * DRIFTS[0], batch, epsilon),
            SubsampledMh.sequential(
                trace, trace.node("sigma2"), narrow * DRIFTS[1], batch, epsilon));
    List<double[]> draws = new ArrayList<>();
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(data), new Streams(9), 1)) {
      ProgramState state = rows.begin(1);
      if (series >= MANY) {
        state = state.with(trace.with(state.globals(), trace.node("phi"), 0, new double[] {0.95}));
        state =
            state.with(trace.with(state.globals(), trace.node("sigma2"), 0, new double[] {0.01}));
      }
      long begun = System.nanoTime();
      while (Figure.since(begun) < seconds) {
        state = move.apply(state, rows);
        draws.add(
            new double[] {
              state.globals().value(trace.node("phi"), 0)[0],
              state.globals().value(trace.node("sigma2"), 0)[0]
            });
      }
      double perSecond = draws.size() / Figure.since(begun);
      List<double[]> kept = draws.subList((int) (WARMUP * draws.size()), draws.size());
      return new Run(
          form + ", " + (epsilon == 0 ? "exact" : "ε = " + epsilon),
          kept.stream().mapToDouble(d -> d[0]).toArray(),
          kept.stream().mapToDouble(d -> d[1]).toArray(),
          perSecond,
          state);
    }
  }

  private static Chart histograms(
      String name, List<double[]> draws, List<Run> runs, double @Nullable [] grid, double most) {
    Chart chart = Chart.of("Posterior of " + name).axes(name, "density");
    double[] middles = new double[CELLS];
    Arrays.setAll(middles, i -> most * (i + 0.5) / CELLS);
    for (int k = 0; k < draws.size(); k++) {
      double[] counts = new double[CELLS];
      for (double draw : draws.get(k)) {
        int cell = (int) (draw / most * CELLS);
        if (cell < CELLS) {
          counts[cell] += CELLS / most / draws.get(k).length;
        }
      }
      chart.line(runs.get(k).name, middles, counts);
    }
    if (grid != null) {
      double[] density = Arrays.stream(grid).map(p -> p * CELLS / most).toArray();
      chart.dashed(new Curve("grid", middles, density));
    }
    return chart;
  }

  private static Chart autocorrelations(List<Run> runs) {
    Chart chart = Chart.of("Autocorrelation of sigma squared").axes("seconds", "autocorrelation");
    for (Run run : runs) {
      double[] x = run.variance;
      double mean = mean(x);
      double variance = 0;
      for (double v : x) {
        variance += (v - mean) * (v - mean);
      }
      double[] lags = new double[LAGS];
      double[] values = new double[LAGS];
      for (int k = 0; k < LAGS; k++) {
        int lag = (int) Math.min(x.length / 2.0, k * run.perSecond * 0.05);
        double sum = 0;
        for (int i = 0; i + lag < x.length; i++) {
          sum += (x[i] - mean) * (x[i + lag] - mean);
        }
        lags[k] = lag / run.perSecond;
        values[k] = sum / variance;
      }
      chart.line(run.name, lags, values);
    }
    return chart;
  }
}
