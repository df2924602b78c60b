package org.lampyris.experiments.reproduce;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.CsvText;
import org.lampyris.driver.report.Chart;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.Diagnostics;

/**
 * Risk of estimates of the posterior mean of the Amari distance: the mean over chains of (d̄_c − E
 * d)², after equal numbers of likelihood evaluations since warm-up in each chain. E d is the mean
 * over all chains of the first run, which is exact; for its own chains, over the others.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), section 6.2 and Figure 3.
 *
 * @param rows how many rows the table has
 */
public record RiskTable(long rows, List<Run> runs) {
  /** Points of a curve. */
  private static final int POINTS = 30;

  /** Budgets at which risks are reported, as shares of a chain's cost in the first run. */
  private static final double[] BUDGETS = {1.0 / 30, 1.0 / 10, 1.0 / 3, 1};

  /**
   * A run.
   *
   * @param distances by chain and draw
   * @param spent how many likelihoods have been evaluated up to a draw, by chain and draw
   */
  record Run(String name, double[][] distances, double[][] spent) {
    static Run of(String name, List<ChainTrace> chains, double[] mixture) {
      return new Run(
          name,
          chains.stream()
              .map(
                  chain ->
                      chain.draws().stream()
                          .mapToDouble(w -> AmariDistance.of(w, mixture, Signals.ORDER))
                          .toArray())
              .toArray(double[][]::new),
          chains.stream().map(Run::spent).toArray(double[][]::new));
    }

    private static double[] spent(ChainTrace chain) {
      double[] each =
          chain.sampling().stream()
              .mapToDouble(iteration -> iteration.info().likelihoodEvaluations())
              .toArray();
      Arrays.parallelPrefix(each, Double::sum);
      int thin = each.length / chain.size();
      return IntStream.range(0, chain.size()).mapToDouble(i -> each[(i + 1) * thin - 1]).toArray();
    }

    double mean() {
      return Arrays.stream(distances).flatMapToDouble(Arrays::stream).average().orElseThrow();
    }

    /** Returns the mean over all chains but one. */
    double meanWithout(int chain) {
      return IntStream.range(0, distances.length)
          .filter(c -> c != chain)
          .mapToObj(c -> distances[c])
          .flatMapToDouble(Arrays::stream)
          .average()
          .orElseThrow();
    }

    /** Returns the smallest cost of a chain. */
    double leastSpent() {
      return Arrays.stream(spent).mapToDouble(s -> s[s.length - 1]).min().orElseThrow();
    }

    double perIteration() {
      double iterations = Arrays.stream(distances).mapToInt(d -> d.length).sum();
      return Arrays.stream(spent).mapToDouble(s -> s[s.length - 1]).sum() / iterations;
    }

    /** Returns a chain's estimate within a budget; NaN if there is none. */
    double estimate(int chain, double budget) {
      double[] at = spent[chain];
      if (at[at.length - 1] < 0.95 * budget) {
        return Double.NaN;
      }
      return IntStream.range(0, at.length)
          .filter(i -> at[i] <= budget)
          .mapToDouble(i -> distances[chain][i])
          .average()
          .orElse(Double.NaN);
    }
  }

  /** Returns the risk of a run; NaN if a chain has no estimate. */
  double risk(Run run, double budget) {
    Run exact = runs.get(0);
    return IntStream.range(0, run.distances.length)
        .mapToDouble(
            c -> {
              double truth = run.name.equals(exact.name) ? exact.meanWithout(c) : exact.mean();
              double off = run.estimate(c, budget) - truth;
              return off * off;
            })
        .average()
        .orElseThrow();
  }

  private double[] budgets() {
    double all = runs.get(0).leastSpent();
    return Arrays.stream(BUDGETS).map(share -> share * all).toArray();
  }

  /** Returns the table as Markdown, to be read. */
  public String markdown() {
    double[] budgets = budgets();
    String heads =
        Arrays.stream(budgets).mapToObj(b -> Text.of(" %.2g |", b)).collect(Collectors.joining());
    StringBuilder text =
        new StringBuilder(
            "# Risk of the mean Amari distance, by likelihood evaluations of a chain\n\n"
                + "| algorithm | likelihood evaluations per iteration, of the rows | E d ±"
                + " Monte-Carlo error |"
                + heads
                + "\n|---|--:|--:|"
                + "--:|".repeat(budgets.length)
                + "\n");
    for (Run run : runs) {
      text.append(
          Text.of(
              "| %s | %,.0f (%.1f %%) | %.3g ± %.1g |",
              run.name,
              run.perIteration(),
              100 * run.perIteration() / rows,
              run.mean(),
              Diagnostics.mcseMean(run.distances)));
      Arrays.stream(budgets)
          .map(b -> risk(run, b))
          .forEach(r -> text.append(Double.isNaN(r) ? " – |" : Text.of(" %.2g |", r)));
      text.append('\n');
    }
    return text.toString();
  }

  /** Returns the picture of the risk by the cost. */
  public String svg() {
    Chart chart =
        Chart.of("Risk of the mean Amari distance")
            .axes("likelihood evaluations of a chain", "risk")
            .logX()
            .logY();
    for (Run run : runs) {
      double[] budgets = curve(run);
      chart.line(run.name, budgets, Arrays.stream(budgets).map(b -> risk(run, b)).toArray());
    }
    return chart.file();
  }

  /** Returns budgets from ten iterations of a run to all that each of its chains has spent. */
  private static double[] curve(Run run) {
    double first = 10 * run.perIteration();
    double growth = Math.pow(Math.max(1, run.leastSpent() / first), 1.0 / (POINTS - 1));
    return IntStream.range(0, POINTS).mapToDouble(k -> first * Math.pow(growth, k)).toArray();
  }

  /** Returns the table as CSV, with every digit: a line for each run and budget. */
  public String csv() {
    StringBuilder text =
        new StringBuilder("algorithm,evaluations_per_iteration,mean,mcse_mean,budget,risk\n");
    for (Run run : runs) {
      for (double budget : budgets()) {
        text.append(CsvText.quoted(run.name));
        DoubleStream.of(
                run.perIteration(),
                run.mean(),
                Diagnostics.mcseMean(run.distances),
                budget,
                risk(run, budget))
            .forEach(value -> text.append(',').append(value));
        text.append('\n');
      }
    }
    return text.toString();
  }
}
