package org.lampyris.driver.report;

import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.chart.Chart;
import org.lampyris.driver.chart.Curve;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.predictive.Histogram;
import org.lampyris.driver.predictive.Panel;
import org.lampyris.driver.predictive.TestStatistic;

/** Pictures and tables of posterior predictive checks. */
final class CheckCharts {
  /** Normal quantile of 97.5 %. */
  private static final double WIDE = 1.96;

  /** The p-value of a table beyond all replicated ones is below. */
  private static final double BEYOND = 1e-3;

  private CheckCharts() {}

  /** Adds the table of test statistics. */
  static void statistics(Html html, List<TestStatistic> statistics) {
    if (statistics.isEmpty()) {
      return;
    }
    html.words("h3", "Test statistics").open("div", "wide").open("table", "levels stats");
    heads(html, "statistic", "observed", "replicated mean", "95 %", "p-value");
    for (TestStatistic found : statistics) {
      html.markup("<tr>").words("th", found.name());
      html.words("td", Text.brief(found.observed())).words("td", Text.brief(found.mean()));
      html.words("td", Text.brief(found.low()) + " to " + Text.brief(found.high()));
      boolean low = found.p() < BEYOND;
      html.classed("td", low ? "short" : "", low ? "< 0.001" : Text.of("%.3f", found.p()));
      html.markup("</tr>\n");
    }
    html.markup("</tbody></table></div>");
    html.classed(
        "p",
        "faint",
        "p-values are posterior predictive. Only the group mean and the share of rows that deviate"
            + " most are shown, with the p-value of the largest deviation among all of them.");
  }

  /** Returns a hanging rootogram: bars hang from the curve, and should end near 0. */
  static String rootogram(String label, Histogram counts) {
    int cells = counts.observed().length;
    double[] at = new double[cells];
    double[] top = new double[cells];
    double[] foot = new double[cells];
    double[] low = new double[cells];
    double[] high = new double[cells];
    for (int k = 0; k < cells; k++) {
      at[k] = 0.5 * (counts.edges()[k] + counts.edges()[k + 1] - 1);
      top[k] = Math.sqrt(counts.mean()[k]);
      foot[k] = top[k] - Math.sqrt(counts.observed()[k]);
      low[k] = top[k] - Math.sqrt(counts.high()[k]);
      high[k] = top[k] - Math.sqrt(counts.low()[k]);
    }
    return Chart.of("Rootogram of " + label)
        .axes(label + " (the last cell holds what is larger)", "√ number of rows")
        .bars(new Curve("observed, hanging", at, foot), top)
        .line(new Curve("expected", at, top))
        .band(new Curve("where bars end, 95 %", at, low), high)
        .markY("", 0)
        .svg();
  }

  /** Returns the density of the response, observed and replicated. */
  static String density(String label, Histogram counts) {
    double[] at = middles(counts.edges());
    double all = Arrays.stream(counts.mean()).sum() * (at.length > 1 ? at[1] - at[0] : 1);
    return Chart.of("Density of " + label)
        .axes(label, "density")
        .upTo(0, 0)
        .band(new Curve("replicated, 95 %", at, over(counts.low(), all)), over(counts.high(), all))
        .line(new Curve("observed", at, over(counts.observed(), all)))
        .svg();
  }

  /** Returns the histogram of the probability integral transform, level for a right model. */
  static String transform(Histogram counts) {
    double[] at = middles(counts.edges());
    double[] most = counts.high();
    return Chart.of("Probability integral transform")
        .axes("quantile of the row's predictive distribution", "rows")
        .fromTo(0, 1)
        .upTo(0, Arrays.stream(most).max().orElse(1))
        .bars(new Curve("replicated, 95 %", at, counts.low()), most)
        .points(new Curve("observed", at, counts.observed()))
        .svg();
  }

  private static double[] middles(double[] edges) {
    double[] at = new double[edges.length - 1];
    Arrays.setAll(at, k -> 0.5 * (edges[k] + edges[k + 1]));
    return at;
  }

  private static double[] over(double[] counts, double all) {
    return Arrays.stream(counts).map(count -> count / all).toArray();
  }

  /** Returns the means over the groups of a panel. */
  static String means(Panel panel) {
    double[] at = panel.groups().stream().mapToDouble(Panel.Group::at).toArray();
    double[] seen = panel.groups().stream().mapToDouble(Panel.Group::observed).toArray();
    double[] low = panel.groups().stream().mapToDouble(group -> group.replicated().low()).toArray();
    double[] high =
        panel.groups().stream().mapToDouble(group -> group.replicated().high()).toArray();
    boolean fitted = panel.kind() == Panel.Kind.FITTED;
    Chart chart =
        Chart.of(fitted ? "Calibration: " + panel.what() : "By " + panel.what())
            .axes(panel.what() + ", in tenths of the rows", "mean");
    chart.bars(new Curve("replicated, 95 %", at, low), high);
    return chart.points(new Curve("observed", at, seen)).svg();
  }

  /** Adds the table of a panel whose groups have names. */
  static void table(Html html, String title, Panel panel) {
    html.words("h3", title).open("div", "wide").open("table", "levels");
    heads(html, panel.what(), "rows", "observed", "expected", "95 %", "off by");
    for (Panel.Group group : panel.groups()) {
      html.markup("<tr>").words("th", group.name()).words("td", Text.of("%,d", group.rows()));
      html.words("td", SummaryTable.number(group.observed(), group.sd()));
      html.words("td", SummaryTable.number(group.mean(), group.sd()));
      html.words(
          "td",
          SummaryTable.number(group.replicated().low(), group.sd())
              + " to "
              + SummaryTable.number(group.replicated().high(), group.sd()));
      double z = Math.round(10 * group.z()) / 10.0; // 0, not −0
      html.classed("td", Math.abs(z) > WIDE ? "short" : "", Text.of("%.1f sd", z));
      html.markup("</tr>\n");
    }
    html.markup("</tbody></table></div>");
  }

  private static void heads(Html html, String... heads) {
    html.markup("<thead><tr>");
    for (String head : heads) {
      html.words("th", head);
    }
    html.markup("</tr></thead><tbody>");
  }
}
