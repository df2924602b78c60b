package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Streams;

/**
 * Posterior of φ and σ of stochastic volatility by exact and subsampled steps, with the paper's
 * program and with its innovations, compared with each other and with the posterior on a grid:
 * histograms, Kolmogorov distances, autocorrelations by time, effective draws a second of processor
 * time. Latent values and parameters have the same time each: whichever has had less is next.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.3 and Figure 9.
 *
 * @param series how many
 * @param redrawn how many of them a step of the particles draws
 * @param seconds of a chain
 * @param reference whether the posterior is computed on a grid as well
 */
record Volatility(int series, int redrawn, double seconds, boolean reference) implements Figure {
  private static final double[] EPSILONS = {0, 0.05, 0.1};

  /** Drifts of chains by innovations, as multiples, so that each can use its best. */
  private static final double[] WIDTHS = {1, 2, 2.5};

  private static final int LENGTH = 5;

  /**
   * x carries little information on h: with more particles, a path moves hardly farther, and takes
   * longer in proportion.
   */
  private static final int PARTICLES = 3;

  private static final int BATCH = 50;

  /** Smallest batch as a share of the series, because a look has a fixed cost. */
  private static final int BATCHES = 10;

  /** ε of chains by proxies, and their looks: these vary less, so fewer sections are enough. */
  private static final double BY_PROXIES = 0.05;

  private static final int BATCH_BY_PROXIES = 12;
  private static final int BATCHES_BY_PROXIES = 40;

  /** Largest number of series with chains of the paper's program, which take long. */
  private static final int FEW = 200;

  /** Number of series from which chains start at the generated values. */
  static final int MANY = 10_000;

  private static final double WARMUP = 0.1;

  /**
   * The part of the time for which every chain runs once before: the first is compiled for itself.
   */
  private static final double BEFORE = 0.1;

  private static final int CELLS = 50;
  private static final double MOST = 0.05;
  private static final int LAGS = 40;

  /**
   * Drifts of φ and σ² that suit the posterior of this many series; more series need narrower ones.
   */
  private static final double[] DRIFTS = {0.2, 0.006};

  private static final double OF_SERIES = 200;

  /**
   * Reference for chains: the posterior on the grid, or otherwise the draws of the exact chains.
   *
   * @param perDraw one over how many independent draws it is worth
   */
  private record Reference(double[] ofPhi, double[] ofVariance, double perDraw) {
    static Reference of(List<Run> exact) {
      double[] sums = new double[2];
      for (Run run : exact) {
        sums[0] += run.ess(run.phi);
        sums[1] += run.ess(run.variance);
      }
      return new Reference(
          cells(exact.stream().flatMapToDouble(r -> Arrays.stream(r.phi)).toArray(), 1),
          cells(exact.stream().flatMapToDouble(r -> Arrays.stream(r.variance)).toArray(), MOST),
          1 / Math.min(sums[0], sums[1]));
    }

    String distances(Run run) {
      return Text.of(
          "%.3f, %.3f | %.3f",
          GridFilter.distance(run.phi, ofPhi, 1.0 / CELLS),
          GridFilter.distance(run.variance, ofVariance, MOST / CELLS),
          new FalseAlarms(0.01, 1).kolmogorov()
              * Math.sqrt(perDraw + 1 / Math.min(run.ess(run.phi), run.ess(run.variance))));
    }
  }

  /** A chain's draws. */
  private record Run(
      String name,
      double epsilon,
      double[] phi,
      double[] variance,
      double perSecond,
      double testing,
      ProgramState end) {
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
    runs(data, BEFORE * seconds);
    List<Run> runs = runs(data, seconds);
    GridFilter grid = reference ? GridFilter.of(MadeData.rows(data), CELLS, MOST) : null;
    Reference against =
        grid == null
            ? Reference.of(runs.stream().filter(r -> r.epsilon == 0).toList())
            : new Reference(grid.ofPhi(), grid.ofVariance(), 0);
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# Stochastic volatility: %,d series of %d, %.0f s a chain\n\n"
                    + "| chain | tests | µs | sections of a test | accepted | φ | σ² | effective"
                    + " draws of φ, σ² | the fewer of them a second | Kolmogorov distance of φ, σ²"
                    + " from the "
                    + (grid == null ? "exact chains" : "grid")
                    + " | by chance |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                series,
                LENGTH,
                seconds));
    StringBuilder csv = new StringBuilder("chain,phi,sigma2\n");
    for (Run r : runs) {
      ProgramState.Counts counts = r.end.counts();
      table.append(
          Text.of(
              "| %s | %,d | %.0f | %,.0f | %.2f | %.3f | %.5f | %,.0f, %,.0f | %.2f | %s |\n",
              r.name,
              counts.tests(),
              1e6 * r.testing / counts.tests(),
              (double) counts.sections() / counts.tests(),
              (double) counts.accepted() / counts.tests(),
              mean(r.phi),
              mean(r.variance),
              r.ess(r.phi),
              r.ess(r.variance),
              r.efficiency(),
              grid == null && r.epsilon == 0 ? "– | –" : against.distances(r)));
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

  private List<Run> runs(List<DataBlock> data, double length) {
    List<Run> runs = new ArrayList<>();
    for (double epsilon : series <= FEW ? EPSILONS : new double[0]) {
      Trace trace = PaperPrograms.volatility(LENGTH);
      runs.add(run(new Chain("the paper's", epsilon, 1, false), trace, data, length));
    }
    Trace trace = PaperPrograms.volatilityByInnovations(LENGTH);
    for (double epsilon : EPSILONS) {
      for (double width : WIDTHS) {
        runs.add(run(new Chain("innovations", epsilon, width, false), trace, data, length));
      }
    }
    for (double width : WIDTHS) {
      runs.add(run(new Chain("innovations", BY_PROXIES, width, true), trace, data, length));
    }
    return runs;
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

  /**
   * Setting of a chain.
   *
   * @param width of its drifts, as a multiple
   * @param proxied whether it moves by proxies of sections, from the end of its warm-up on
   */
  private record Chain(String form, double epsilon, double width, boolean proxied) {
    int batch(int series) {
      return proxied
          ? Math.max(BATCH_BY_PROXIES, series / BATCHES_BY_PROXIES)
          : Math.max(BATCH, series / BATCHES);
    }

    @Override
    public String toString() {
      return form
          + (epsilon == 0 ? ", exact" : ", ε = " + epsilon)
          + (proxied ? " by proxies" : "")
          + (width == 1 ? "" : Text.of(", %.1f × the drift", width));
    }
  }

  private Run run(Chain chain, Trace trace, List<DataBlock> data, double length) {
    double wide = chain.width * Math.sqrt(Math.min(1, OF_SERIES / series));
    double epsilon = chain.epsilon;
    int batch = chain.batch(series);
    Node phi = trace.node("phi");
    Node variance = trace.node("sigma2");
    Move latents = new ParticleGibbs(trace, PARTICLES, redrawn);
    SubsampledMh ofPhi = SubsampledMh.sequential(trace, phi, wide * DRIFTS[0], batch, epsilon);
    SubsampledMh ofVariance =
        SubsampledMh.sequential(trace, variance, wide * DRIFTS[1], batch, epsilon);
    Move parameters = Move.cycle(ofPhi, ofVariance);
    boolean proxies = chain.proxied;
    List<double[]> draws = new ArrayList<>();
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(data), new Streams(9), 1)) {
      ProgramState state = rows.begin(1);
      if (series >= MANY) {
        state = state.with(trace.with(state.globals(), phi, 0, new double[] {0.95}));
        state = state.with(trace.with(state.globals(), variance, 0, new double[] {0.01}));
      }
      double drawing = 0;
      double testing = 0;
      while (drawing + testing < length) {
        double begun = Figure.processorTime();
        if (proxies && drawing + testing > WARMUP * length) {
          Globals center = trace.with(state.globals(), phi, 0, mean(draws, 0));
          center = trace.with(center, variance, 0, mean(draws, 1));
          parameters = Move.cycle(ofPhi.about(trace, center), ofVariance.about(trace, center));
          proxies = false;
        }
        boolean test = testing <= drawing;
        state = (test ? parameters : latents).apply(state, rows);
        double took = Figure.processorTime() - begun;
        testing += test ? took : 0;
        drawing += test ? 0 : took;
        if (test) {
          Globals at = state.globals();
          draws.add(new double[] {at.value(phi, 0)[0], at.value(variance, 0)[0]});
        }
      }
      List<double[]> kept = draws.subList((int) (WARMUP * draws.size()), draws.size());
      return new Run(
          chain.toString(),
          epsilon,
          kept.stream().mapToDouble(d -> d[0]).toArray(),
          kept.stream().mapToDouble(d -> d[1]).toArray(),
          draws.size() / (drawing + testing),
          testing,
          state);
    }
  }

  private static double[] mean(List<double[]> draws, int element) {
    return new double[] {draws.stream().mapToDouble(d -> d[element]).average().orElseThrow()};
  }

  /** Returns which part of the draws is in each cell. */
  private static double[] cells(double[] draws, double most) {
    double[] parts = new double[CELLS];
    for (double draw : draws) {
      int cell = (int) (draw / most * CELLS);
      if (cell < CELLS) {
        parts[cell] += 1.0 / draws.length;
      }
    }
    return parts;
  }

  private static Chart histograms(
      String name, List<double[]> draws, List<Run> runs, double @Nullable [] grid, double most) {
    Chart chart = Chart.of("Posterior of " + name).axes(name, "density");
    double[] middles = new double[CELLS];
    Arrays.setAll(middles, i -> most * (i + 0.5) / CELLS);
    for (int k = 0; k < draws.size(); k++) {
      double[] parts = cells(draws.get(k), most);
      double[] density = Arrays.stream(parts).map(p -> p * CELLS / most).toArray();
      chart.line(runs.get(k).name, middles, density);
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
