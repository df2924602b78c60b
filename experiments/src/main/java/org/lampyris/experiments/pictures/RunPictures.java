package org.lampyris.experiments.pictures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.experiments.study.Study;
import org.lampyris.samplers.chain.ChainTrace;

/** Pictures of the draws of an experiment's rows, in the sampler's coordinates. */
public final class RunPictures implements Study {
  private static final int POINTS = 96;
  private static final int LINE_POINTS = 600;
  private static final int CELLS = 48;
  private static final int FINE_CELLS = 120;
  private static final int MOST_DOTS = 2500;
  private static final int LAGS = 50;
  private static final int STEPS = 200;
  private static final double[] SHARES = {0.2, 0.5, 0.8, 0.95, 0.99};

  private final List<Drawing> drawings;
  private final Function<double[][], double[]> logPosterior;
  private final List<Row> rows = new ArrayList<>();

  /**
   * Chooses the pictures.
   *
   * @param logPosterior log p(θ) + Σ_n log L_n(θ) at some θ, in the sampler's coordinates
   */
  public RunPictures(List<Drawing> drawings, Function<double[][], double[]> logPosterior) {
    this.drawings = List.copyOf(drawings);
    this.logPosterior = logPosterior;
  }

  /** A row's run. */
  private record Row(
      String name, List<String> parameters, List<ChainTrace> chains, double @Nullable [][] lp) {
    String file(String picture) {
      return picture + "-" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
    }

    double[][] draws() {
      return chains.stream().flatMap(chain -> chain.draws().stream()).toArray(double[][]::new);
    }

    double[] draws(int chain, int parameter) {
      return chains.get(chain).draws().stream().mapToDouble(theta -> theta[parameter]).toArray();
    }

    /** Returns the evaluations of each iteration of a chain, warm-up included. */
    double[] evaluations(int chain) {
      List<ChainTrace.Iteration> all = new ArrayList<>(chains.get(chain).warmup());
      all.addAll(chains.get(chain).sampling());
      return all.stream().mapToDouble(each -> each.info().likelihoodEvaluations()).toArray();
    }
  }

  @Override
  public void add(String row, SampledRun run) {
    rows.add(new Row(row, run.coefficients(), run.chains(), run.logPosteriors().values()));
  }

  @Override
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    for (Drawing drawing : drawings) {
      switch (drawing) {
        case BURN_IN -> burnIn(files);
        case CONTOURS -> contours(files);
        case MARGINALS -> marginals(files);
        case AUTOCORRELATION -> autocorrelations(files);
        case EVALUATIONS -> evaluations(files);
        case DENSITY -> density(files);
        case RUNNING_MEAN -> runningMeans(files);
      }
    }
    return files;
  }

  private void burnIn(Map<String, String> files) {
    Chart log = Chart.of("Log posterior").axes("iteration", "log posterior");
    Chart evaluations = Chart.of("Likelihood evaluations").axes("iteration", "evaluations").logY();
    for (Row row : rows) {
      if (row.lp != null) {
        band(log, row.name, row.lp);
      }
      band(
          evaluations,
          row.name,
          IntStream.range(0, row.chains.size())
              .mapToObj(row::evaluations)
              .toArray(double[][]::new));
    }
    files.put("log-posterior.svg", log.file());
    files.put("evaluations.svg", evaluations.file());
  }

  /** Adds the mean over chains with a band of one sd, as means over as many iterations. */
  private static void band(Chart chart, String name, double[][] byChain) {
    int length = byChain[0].length;
    int steps = Math.min(STEPS, length);
    double[] x = new double[steps];
    double[] mean = new double[steps];
    double[] low = new double[steps];
    double[] high = new double[steps];
    for (int k = 0; k < steps; k++) {
      int from = (int) ((long) k * length / steps);
      int to = (int) ((k + 1L) * length / steps);
      double[] each =
          Arrays.stream(byChain)
              .mapToDouble(chain -> Arrays.stream(chain, from, to).average().orElseThrow())
              .toArray();
      x[k] = 0.5 * (from + 1 + to);
      mean[k] = Arrays.stream(each).average().orElseThrow();
      double centre = mean[k];
      double sd =
          Math.sqrt(
              Arrays.stream(each).map(v -> (v - centre) * (v - centre)).sum()
                  / Math.max(1, each.length - 1));
      low[k] = mean[k] - sd;
      high[k] = mean[k] + sd;
    }
    chart.banded(new Curve(name, x, mean), low, high);
  }

  private PosteriorGrid grid(int points) {
    return PosteriorGrid.about(rows.get(0).draws(), points, logPosterior);
  }

  private void contours(Map<String, String> files) {
    PosteriorGrid grid = grid(POINTS);
    double[] levels = Contours.enclosing(grid.log(), SHARES);
    for (Row row : rows) {
      double[][] draws = row.draws();
      int every = Math.max(1, draws.length / MOST_DOTS);
      double[][] shown =
          IntStream.range(0, draws.length / every)
              .mapToObj(i -> draws[i * every])
              .toArray(double[][]::new);
      List<Curve> lines = new ArrayList<>();
      for (double level : levels) {
        lines.add(Contours.at("", grid.axes()[0], grid.axes()[1], grid.log(), level));
      }
      files.put(
          row.file("contours"),
          Chart.of(row.name)
              .axes(row.parameters.get(0), row.parameters.get(1))
              .dots(new Curve("draws", column(shown, 0), column(shown, 1)))
              .thins("regions of 20, 50, 80, 95 and 99 %", lines)
              .file());
    }
  }

  private static double[] column(double[][] draws, int j) {
    return Arrays.stream(draws).mapToDouble(theta -> theta[j]).toArray();
  }

  private void marginals(Map<String, String> files) {
    PosteriorGrid grid = grid(POINTS);
    PosteriorGrid.Normal normal = grid.normal();
    for (Row row : rows) {
      double[][] draws = row.draws();
      for (int j = 0; j < 2; j++) {
        double[] axis = grid.axes()[j];
        Histogram counts = Histogram.of(column(draws, j), axis[0], axis[axis.length - 1], CELLS);
        files.put(
            row.file("marginal-" + (j + 1)),
            Chart.of(row.name)
                .axes(row.parameters.get(j), "density")
                .line(counts.outline("draws"))
                .dashed(new Curve("posterior by quadrature", axis, grid.marginal(j)))
                .dashed(new Curve("normal approximation", axis, normal.marginal(j, axis)))
                .file());
      }
    }
  }

  private void density(Map<String, String> files) {
    PosteriorGrid grid = grid(LINE_POINTS);
    double low = grid.axes()[0][0];
    double high = grid.axes()[0][LINE_POINTS - 1];
    files.put(
        "log-density-gradient.svg",
        Chart.of("Gradient of the log posterior")
            .axes(rows.get(0).parameters.get(0), "gradient")
            .line("", grid.axes()[0], grid.slope())
            .file());
    for (Row row : rows) {
      double[] draws = column(row.draws(), 0);
      // As far as the draws go, where they go beyond the posterior.
      double from = Math.min(low, quantile(draws, 0.001));
      double to = Math.max(high, quantile(draws, 0.999));
      files.put(
          row.file("density"),
          Chart.of(row.name)
              .axes(row.parameters.get(0), "density")
              .line(Histogram.of(draws, from, to, FINE_CELLS).outline("draws"))
              .dashed(new Curve("posterior by quadrature", grid.axes()[0], grid.marginal(0)))
              .file());
    }
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * sorted.length))];
  }

  private void autocorrelations(Map<String, String> files) {
    double[] reference = autocorrelation(rows.get(0));
    double[] lags = IntStream.range(0, LAGS).mapToDouble(lag -> lag).toArray();
    for (Row row : rows) {
      String of = row.parameters.get(row.parameters.size() - 1);
      files.put(
          row.file("autocorrelation"),
          Chart.of(row.name)
              .axes("lag, iterations", "autocorrelation of " + of)
              .upTo(0, 1)
              .line("draws", lags, autocorrelation(row))
              .dashed(new Curve(rows.get(0).name, lags, reference))
              .file());
    }
  }

  /** Returns the autocorrelation of the last parameter, pooled over chains. */
  private static double[] autocorrelation(Row row) {
    double[] sums = new double[LAGS];
    for (int c = 0; c < row.chains.size(); c++) {
      double[] x = row.draws(c, row.parameters.size() - 1);
      double mean = Arrays.stream(x).average().orElseThrow();
      for (int lag = 0; lag < Math.min(LAGS, x.length); lag++) {
        for (int i = 0; i + lag < x.length; i++) {
          sums[lag] += (x[i] - mean) * (x[i + lag] - mean);
        }
      }
    }
    return Arrays.stream(sums).map(sum -> sum / sums[0]).toArray();
  }

  private void evaluations(Map<String, String> files) {
    for (Row row : rows) {
      double[] all =
          row.chains.stream()
              .flatMap(chain -> chain.sampling().stream())
              .mapToDouble(each -> each.info().likelihoodEvaluations())
              .toArray();
      double most = Math.max(1, Arrays.stream(all).max().orElseThrow());
      files.put(
          row.file("evaluations"),
          Chart.of(row.name)
              .axes("likelihood evaluations of an iteration", "share")
              .line(shares(Histogram.of(all, 0, most * (1 + 1.0 / CELLS), CELLS)))
              .markX("mean", Arrays.stream(all).average().orElseThrow())
              .file());
    }
  }

  private static Curve shares(Histogram histogram) {
    return histogram.scaled(histogram.width()).outline("iterations");
  }

  private void runningMeans(Map<String, String> files) {
    for (Row row : rows) {
      List<Curve> byIteration = new ArrayList<>();
      List<Curve> byEvaluation = new ArrayList<>();
      double perPass = passes();
      for (int c = 0; c < row.chains.size(); c++) {
        double[] draws = row.draws(c, 0);
        double[] spent = row.evaluations(c);
        Arrays.parallelPrefix(spent, Double::sum);
        int before = row.chains.get(c).warmup().size();
        int thin = row.chains.get(c).sampling().size() / draws.length;
        int steps = Math.min(STEPS, draws.length);
        double[] mean = new double[steps];
        double[] iterations = new double[steps];
        double[] evaluations = new double[steps];
        double sum = 0;
        int next = 0;
        for (int k = 0; k < steps; k++) {
          int to = (int) ((k + 1L) * draws.length / steps);
          for (; next < to; next++) {
            sum += draws[next];
          }
          mean[k] = sum / to;
          iterations[k] = before + (double) to * thin;
          evaluations[k] = spent[before + to * thin - 1] / perPass;
        }
        byIteration.add(new Curve("", iterations, mean));
        byEvaluation.add(new Curve("", evaluations, mean));
      }
      files.put(
          row.file("running-mean"),
          Chart.of(row.name)
              .axes("passes over all rows", "running mean of " + row.parameters.get(0))
              .thins("by the budget of Metropolis-Hastings", byIteration)
              .thins("by its own evaluations", byEvaluation)
              .file());
    }
  }

  /** Returns the evaluations of an iteration of the first row, which reads every row once. */
  private double passes() {
    return Arrays.stream(rows.get(0).evaluations(0)).average().orElseThrow();
  }
}
