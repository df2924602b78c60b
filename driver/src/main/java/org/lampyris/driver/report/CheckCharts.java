package org.lampyris.driver.report;

import java.util.Arrays;
import java.util.List;
import org.lampyris.driver.predict.Histogram;
import org.lampyris.driver.predict.LooPit;
import org.lampyris.driver.predict.Panel;
import org.lampyris.driver.predict.SurvivalCurves;

/** Pictures of predictive checks. */
final class CheckCharts {
  /** From this ratio of the largest to the smallest on, an axis is logarithmic. */
  private static final double DECADES = 100;

  private CheckCharts() {}

  /** Returns a hanging rootogram: bars hang from the curve, and should end near 0. */
  static String rootogram(String label, Histogram counts) {
    int cells = counts.observed().length;
    double[] at = sizes(counts);
    double[] top = new double[cells];
    double[] foot = new double[cells];
    double[] low = new double[cells];
    double[] high = new double[cells];
    for (int k = 0; k < cells; k++) {
      top[k] = Math.sqrt(counts.mean()[k]);
      foot[k] = top[k] - Math.sqrt(counts.observed()[k]);
      low[k] = top[k] - Math.sqrt(counts.high()[k]);
      high[k] = top[k] - Math.sqrt(counts.low()[k]);
    }
    return Chart.of("Rootogram of " + label)
        .axes(label + " (the last bar includes all larger values)", "√ number of rows")
        .bars(new Curve("observed, hanging", at, foot), top)
        .line(new Curve("expected", at, top))
        .band(new Curve("ends of bars, 95 %", at, low), high)
        .markY("", 0)
        .svg();
  }

  /** Returns the distribution functions of counts, observed and of replicated tables. */
  static String distribution(String label, Histogram counts) {
    double[] at = sizes(counts);
    String name = counts.some().length + " replicated tables";
    return Chart.of("Distribution of " + label)
        .axes(label, "share of rows with at most this")
        .upTo(0, 1)
        .thins(
            name,
            Arrays.stream(counts.some()).map(one -> new Curve("", at, cumulated(one))).toList())
        .line(new Curve("observed", at, cumulated(counts.observed())))
        .svg();
  }

  /** Returns the middles of the cells of counts. */
  private static double[] sizes(Histogram counts) {
    double[] at = new double[counts.observed().length];
    Arrays.setAll(at, k -> 0.5 * (counts.edges()[k] + counts.edges()[k + 1] - 1));
    return at;
  }

  private static double[] cumulated(double[] counts) {
    double all = Arrays.stream(counts).sum();
    double[] shares = new double[counts.length];
    double sum = 0;
    for (int k = 0; k < counts.length; k++) {
      sum += counts[k];
      shares[k] = sum / all;
    }
    return shares;
  }

  /** Returns the density of the response, observed and of replicated tables. */
  static String density(String label, Histogram counts) {
    double[] edges = counts.edges();
    double[] at = new double[edges.length - 1];
    Arrays.setAll(
        at,
        k -> counts.log() ? Math.sqrt(edges[k] * edges[k + 1]) : 0.5 * (edges[k] + edges[k + 1]));
    double width = counts.log() ? Math.log(edges[1] / edges[0]) : edges[1] - edges[0];
    double all = Arrays.stream(counts.mean()).sum() * width;
    Chart chart =
        Chart.of("Density of " + label)
            .axes(label, counts.log() ? "density of log " + label : "density")
            .upTo(0, 0)
            .wash(
                new Curve("replicated, 95 %", at, over(counts.low(), all)),
                over(counts.high(), all))
            .thins(
                counts.some().length + " replicated tables",
                Arrays.stream(counts.some()).map(one -> new Curve("", at, over(one, all))).toList())
            .line(new Curve("observed", at, over(counts.observed(), all)));
    return (counts.log() ? chart.logX() : chart).svg();
  }

  /** Returns survival by Kaplan and Meier, and as the model expects it. */
  static String survival(String label, SurvivalCurves curves) {
    double[] at = curves.at();
    Chart chart =
        Chart.of("Rows without an event")
            .axes(label, "share of rows")
            .upTo(0, 1)
            .bars(new Curve("Kaplan–Meier, 95 %", at, curves.low()), curves.high())
            .points(new Curve("Kaplan–Meier", at, curves.observed()))
            .line(new Curve("expected", at, curves.expected()));
    return (at[at.length - 1] > DECADES * at[0] ? chart.logX() : chart).svg();
  }

  /** Returns shares of rows at or below their fitted quantile, by tenths of the rows. */
  static String coverage(Panel panel) {
    List<Panel.Group> groups = panel.groups();
    double[] at = groups.stream().mapToDouble(Panel.Group::at).toArray();
    double[] seen = groups.stream().mapToDouble(Panel.Group::observed).toArray();
    double[] low = groups.stream().mapToDouble(g -> g.replicated().low()).toArray();
    double[] high = groups.stream().mapToDouble(g -> g.replicated().high()).toArray();
    return Chart.of("Coverage by " + panel.what())
        .axes(parts(panel), "share of rows at or below it")
        .bars(new Curve("95 % of shares", at, low), high)
        .points(new Curve("observed", at, seen))
        .markY("", groups.get(0).mean())
        .svg();
  }

  /** Returns the histogram of the probability integral transform, level for a right model. */
  static String transform(Histogram counts) {
    double[] at = new double[counts.edges().length - 1];
    Arrays.setAll(at, k -> 0.5 * (counts.edges()[k] + counts.edges()[k + 1]));
    double[] most = counts.high();
    return Chart.of("Probability integral transform")
        .axes("quantile of the row's predictive distribution", "rows")
        .fromTo(0, 1)
        .upTo(0, Arrays.stream(most).max().orElse(1))
        .bars(new Curve("replicated, 95 %", at, counts.low()), most)
        .points(new Curve("observed", at, counts.observed()))
        .svg();
  }

  /** Returns the distribution function of leave-one-out transforms, less the uniform one. */
  static String leftOut(LooPit found) {
    int places = found.difference().length;
    double[] at = new double[places];
    double[] low = new double[places];
    double[] high = new double[places];
    for (int k = 0; k < places; k++) {
      at[k] = (double) k / (places - 1);
      high[k] = found.band(k);
      low[k] = -high[k];
    }
    return Chart.of("Leave-one-out transform, less uniform")
        .axes("quantile of the distribution predicted by the other rows", "difference of shares")
        .fromTo(0, 1)
        .band(new Curve("uniform, 95 % of whole curves", at, low), high)
        .line(new Curve("observed", at, found.difference()))
        .markY("", 0)
        .svg();
  }

  private static double[] over(double[] counts, double all) {
    return Arrays.stream(counts).map(count -> count / all).toArray();
  }

  /**
   * Returns the means over the groups of a panel. Expectations that spread over decades have a
   * logarithmic axis, at whose lower edge numbers lie that are not above 0.
   */
  static String means(Panel panel) {
    List<Panel.Group> groups = panel.groups();
    double[] expected = groups.stream().mapToDouble(Panel.Group::mean).toArray();
    boolean log = spreadsOverDecades(expected);
    double floor = log ? 0.5 * Arrays.stream(expected).min().orElse(0) : Double.NEGATIVE_INFINITY;
    double[] at = groups.stream().mapToDouble(Panel.Group::at).toArray();
    double[] seen = groups.stream().mapToDouble(g -> Math.max(floor, g.observed())).toArray();
    double[] low =
        groups.stream().mapToDouble(g -> Math.max(floor, g.replicated().low())).toArray();
    double[] high =
        groups.stream().mapToDouble(g -> Math.max(floor, g.replicated().high())).toArray();
    boolean fitted = panel.kind() == Panel.Kind.FITTED;
    boolean zeros =
        log && groups.stream().anyMatch(g -> Math.min(g.observed(), g.replicated().low()) <= 0);
    Chart chart =
        Chart.of(fitted ? "Calibration: " + panel.what() : "By " + panel.what())
            .axes(parts(panel), zeros ? "mean (0 at the lower edge)" : "mean")
            .bars(new Curve("replicated, 95 %", at, low), high)
            .points(new Curve("observed", at, seen));
    if (log) {
      chart.logY();
    }
    if (log && fitted) {
      chart.logX();
    }
    return chart.svg();
  }

  /** Returns what the rows of a panel are grouped by, and into how many groups. */
  private static String parts(Panel panel) {
    int parts = panel.groups().size();
    return panel.what() + (parts == 10 ? ", in tenths of the rows" : ", in " + parts + " groups");
  }

  /** Returns whether all numbers are above 0, and the largest is a hundred times the smallest. */
  private static boolean spreadsOverDecades(double[] values) {
    double least = Arrays.stream(values).min().orElse(0);
    return least > 0 && Arrays.stream(values).max().orElse(0) > DECADES * least;
  }
}
