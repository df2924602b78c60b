package org.lampyris.driver.reproduce;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Rows of an experiment in the form of Table 1 of Maclaurin and Adams (2014), as Markdown and CSV.
 */
public final class ComparisonTable {
  /** The name of the table that is read. */
  public static final String MARKDOWN = "table.md";

  /** The name of the table with every digit. */
  public static final String CSV = "table.csv";

  private static final List<String> COLUMNS =
      List.of(
          "algorithm",
          "iterations",
          "evaluations_per_iteration",
          "ess_per_1000_min",
          "ess_per_1000_median",
          "ess_per_1000_mean",
          "speedup_per_evaluation",
          "seconds_per_iteration",
          "largest_difference_of_means_in_se",
          "largest_difference_of_log_sds_in_se");

  private final String title;
  private final List<RowResult> rows;

  /**
   * Takes the rows.
   *
   * @param title what the table is called
   * @param rows the rows; the others are compared with the first
   */
  public ComparisonTable(String title, List<RowResult> rows) {
    this.title = title;
    this.rows = List.copyOf(rows);
  }

  /** Returns the table as Markdown, to be read. */
  public String markdown() {
    RowResult first = rows.get(0);
    StringBuilder text = new StringBuilder();
    text.append("# ").append(title).append("\n\n");
    text.append(
        "| algorithm | iterations | likelihood evaluations per iteration | effective draws per 1000"
            + " iterations, min / median / mean | speed-up per evaluation | means apart | sds apart"
            + " |\n|---|--:|--:|--:|--:|--:|--:|\n");
    for (int i = 0; i < rows.size(); i++) {
      RowResult row = rows.get(i);
      boolean reference = i == 0;
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %,.0f | %.2f / %.2f / %.2f | %s | %s | %s |%n",
              row.name(),
              row.iterations(),
              row.evaluations(),
              row.leastEss(),
              row.medianEss(),
              row.meanEss(),
              reference ? "(1)" : String.format(Locale.ROOT, "%.1f", row.speedUp(first)),
              reference ? "" : String.format(Locale.ROOT, "%.1f", row.meansApart(first)),
              reference ? "" : String.format(Locale.ROOT, "%.1f", row.deviationsApart(first))));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%nWarm-up is left out. Speed-up: median effective draws per likelihood evaluation, as a"
                + " multiple of the first row's. Apart: the largest difference to the first row"
                + " over %d coefficients, in combined Monte-Carlo standard errors; where all rows"
                + " have one distribution about %.1f is expected.%n",
            first.summary().size(),
            largestExpected(first.summary().size())));
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  /** Returns about the median of the largest of n absolute standard normals. */
  private static double largestExpected(int n) {
    double tail = 1 - Math.pow(0.5, 1.0 / n);
    return NormalDistribution.of(0, 1).inverseSurvivalProbability(tail / 2);
  }

  /** Returns the table as CSV, with every digit. */
  public String csv() {
    RowResult first = rows.get(0);
    return String.join(",", COLUMNS)
        + "\n"
        + rows.stream()
            .map(
                row ->
                    String.join(
                        ",",
                        "\"" + row.name().replace("\"", "\"\"") + "\"",
                        Long.toString(row.iterations()),
                        Double.toString(row.evaluations()),
                        Double.toString(row.leastEss()),
                        Double.toString(row.medianEss()),
                        Double.toString(row.meanEss()),
                        Double.toString(row.speedUp(first)),
                        Double.toString(row.seconds()),
                        Double.toString(row.meansApart(first)),
                        Double.toString(row.deviationsApart(first))))
            .collect(Collectors.joining("\n"))
        + "\n";
  }
}
