package org.lampyris.driver.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.Convergence;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Charts of coefficients: densities with the priors', traces, ranks, effective sample sizes. */
final class CoefficientCharts {
  private static final int STRETCHES = 90;
  private static final int SPARK_POINTS = 32;

  /** Cells of ranks. */
  static final int CELLS = 20;

  private static final int STEPS = 12;
  private static final int MOST = 5;
  private static final int FEWEST_DRAWS = 20;

  private CoefficientCharts() {}

  /**
   * Returns the density of the draws, of all chains together, and the prior's.
   *
   * @param prior null where it is improper, or not known
   */
  static String density(VariableSummary row, double[][] draws, @Nullable DrawnPrior prior) {
    Shape shape = shape(row, draws);
    Chart chart =
        Chart.of("Density of " + row.variable())
            .upTo(0, 0)
            .line("posterior", shape.x(), shape.density());
    if (prior != null && shape.x().length > 0) {
      double[] density = Arrays.stream(shape.x()).map(prior.density()).toArray();
      chart.dashed(new Curve("prior, " + prior.name(), shape.x(), density));
    }
    return chart.markX("", row.quantiles().q5()).markX("", row.quantiles().q95()).svg();
  }

  /** Returns the trace of each chain: the smallest and the largest draw of each stretch. */
  static String trace(String name, double[][] draws, int thin) {
    Chart chart = Chart.of("Trace of " + name).axes("draw of a chain", "");
    for (int c = 0; c < draws.length; c++) {
      chart.thin(course("chain " + (c + 1), draws[c], thin));
    }
    return chart.svg();
  }

  private static Curve course(String name, double[] draws, int thin) {
    int stretches = Math.min(STRETCHES, draws.length / 4);
    if (stretches < STRETCHES) {
      double[] x = IntStream.range(0, draws.length).mapToDouble(i -> thin * (i + 1)).toArray();
      return new Curve(name, x, draws);
    }
    double[] x = new double[2 * stretches];
    double[] y = new double[2 * stretches];
    for (int s = 0; s < stretches; s++) {
      int from = (int) ((long) s * draws.length / stretches);
      int to = (int) ((long) (s + 1) * draws.length / stretches);
      int least = from;
      int greatest = from;
      for (int i = from; i < to; i++) {
        least = draws[i] < draws[least] ? i : least;
        greatest = draws[i] > draws[greatest] ? i : greatest;
      }
      int first = Math.min(least, greatest);
      int second = Math.max(least, greatest);
      x[2 * s] = (double) thin * (first + 1);
      y[2 * s] = draws[first];
      x[2 * s + 1] = (double) thin * (second + 1);
      y[2 * s + 1] = draws[second];
    }
    return new Curve(name, x, y);
  }

  /** Returns a chart of each chain's rank counts, with their range by chance. */
  static String ranks(String name, double[][] draws) {
    int[][] counts = rankCounts(draws);
    int perChain = draws[0].length;
    double expected = (double) perChain / CELLS;
    double margin = Math.min(expected, byChance(perChain));
    Chart chart =
        Chart.of("Ranks of " + name)
            .axes("rank among all draws, in " + CELLS + " cells", "draws")
            .upTo(0, expected + margin);
    double[] edges = new double[2 * CELLS];
    for (int i = 0; i < edges.length; i++) {
      int edge = (i + 1) / 2;
      edges[i] = edge;
    }
    for (int c = 0; c < counts.length; c++) {
      double[] steps = new double[edges.length];
      int[] of = counts[c];
      Arrays.setAll(steps, i -> of[i / 2]);
      chart.thin(new Curve("chain " + (c + 1), edges, steps));
    }
    double[] ends = {0, CELLS};
    double[] low = {expected - margin, expected - margin};
    double[] high = {expected + margin, expected + margin};
    return chart.band(new Curve("95 % by chance", ends, low), high).svg();
  }

  /** Returns the density as a picture of the size of a word. */
  static String spark(VariableSummary row, double[][] draws) {
    Shape shape = shape(row, draws);
    StringBuilder svg =
        new StringBuilder(
            "<svg class=\"spark\" width=\"84\" height=\"20\" viewBox=\"0 0 84 20\""
                + " aria-hidden=\"true\">");
    double most = Arrays.stream(shape.density()).max().orElse(0);
    if (most > 0) {
      StringBuilder path = new StringBuilder("M2 19");
      for (int i = 0; i < SPARK_POINTS; i++) {
        int at = i * (Shape.POINTS - 1) / (SPARK_POINTS - 1);
        long x = Math.round(2 + 80.0 * i / (SPARK_POINTS - 1));
        long tenths = Math.round(190 - 170 * shape.density()[at] / most);
        path.append('L').append(x).append(' ').append(tenths / 10).append('.').append(tenths % 10);
      }
      svg.append("<path class=\"wash s0\" d=\"").append(path).append("L82 19Z\"/>");
      svg.append("<path class=\"s0\" d=\"").append(path).append("\"/>");
    }
    return svg.append("</svg>").toString();
  }

  /** Returns the density of the draws in which the coefficient is in the model. */
  private static Shape shape(VariableSummary row, double[][] draws) {
    double[] pooled = Arrays.stream(draws).flatMapToDouble(Arrays::stream).toArray();
    if (row.inclusion().isChosen()) {
      double[] in = Arrays.stream(pooled).filter(x -> x != 0).toArray();
      return Shape.of(in, (double) in.length / pooled.length);
    }
    return Shape.of(pooled, 1);
  }

  /**
   * Returns the rank counts of each chain among the draws of all chains, in cells: equal, if the
   * chains agree. Source: Vehtari et al. (2021), section 4.3.
   *
   * @param draws chains × iterations. Not modified.
   * @return chains × cells
   */
  static int[][] rankCounts(double[][] draws) {
    int chains = draws.length;
    int length = draws[0].length;
    List<int[]> order = new ArrayList<>(chains * length);
    for (int i = 0; i < length; i++) {
      for (int c = 0; c < chains; c++) {
        order.add(new int[] {c, i});
      }
    }
    // Equal draws of different chains stay in turns: no chain has the lower ranks.
    order.sort(Comparator.comparingDouble(at -> draws[at[0]][at[1]]));
    int[][] counts = new int[chains][CELLS];
    for (int rank = 0; rank < order.size(); rank++) {
      counts[order.get(rank)[0]][(int) ((long) rank * CELLS / order.size())]++;
    }
    return counts;
  }

  /**
   * Returns the 95 % range by chance of counts about their expectation, for independent draws: 1.96
   * √(n p (1 − p)).
   */
  private static double byChance(int perChain) {
    double p = 1.0 / CELLS;
    return 1.96 * Math.sqrt(perChain * p * (1 - p));
  }

  /**
   * Returns the growth of the effective sample size with the draws, for the variables that have the
   * least: proportional, if the chains mix. If it levels off, they have not explored all of the
   * posterior.
   */
  static String growth(String what, RunFolder run, boolean tail) {
    Comparator<VariableSummary> least =
        Comparator.comparingDouble(
            row -> {
              double ess = tail ? row.essTail() : row.mixing().essBulk();
              return Double.isNaN(ess) ? 0 : ess;
            });
    List<VariableSummary> worst = run.summary().stream().sorted(least).limit(MOST).toList();
    Chart chart =
        Chart.of(what).axes("draws of all chains", "effective draws").upTo(0, Convergence.ESS);
    for (VariableSummary row : worst) {
      double[][] draws = run.drawsOf(row.variable());
      int length = draws[0].length;
      int steps = Math.min(STEPS, length / FEWEST_DRAWS);
      double[] x = new double[steps];
      double[] y = new double[steps];
      for (int k = 0; k < steps; k++) {
        int to = (int) ((long) (k + 1) * length / steps);
        double[][] first =
            Arrays.stream(draws).map(chain -> Arrays.copyOf(chain, to)).toArray(double[][]::new);
        x[k] = (double) to * draws.length * run.thin();
        y[k] = tail ? Diagnostics.essTail(first) : Diagnostics.essBulk(first);
      }
      chart.line(row.variable(), x, y);
    }
    return chart.markY("400", Convergence.ESS).svg();
  }
}
