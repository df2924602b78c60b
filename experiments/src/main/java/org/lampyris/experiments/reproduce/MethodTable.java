package org.lampyris.experiments.reproduce;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.CsvText;
import org.lampyris.experiments.study.Efficiency;

/**
 * Rows of an experiment in the form of Table 1 of Maclaurin and Adams (2014), as Markdown and CSV.
 */
public final class MethodTable {
  /** The name of the table that is read. */
  public static final String MARKDOWN = "table.md";

  /** The name of the table with every digit. */
  public static final String CSV = "table.csv";

  private final String title;
  private final List<RowResult> rows;

  /**
   * Takes the rows.
   *
   * @param title what the table is called
   * @param rows the rows; the others are compared with the first
   */
  public MethodTable(String title, List<RowResult> rows) {
    this.title = title;
    this.rows = List.copyOf(rows);
  }

  /** Returns the table as Markdown, to be read. */
  public String markdown() {
    RowResult first = rows.get(0);
    int coefficients = first.summary().size();
    String table =
        ("# %s\n\n| algorithm | iterations | likelihood evaluations per iteration |"
                + " effective draws per 1000 iterations, min / median / mean | effective draws in"
                + " all, median | speed-up per evaluation | means apart | sds apart"
                + " | means off, in sds | variance ratio | wrong decisions | total variation"
                + " |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n%s")
            .formatted(title, rows.stream().map(this::line).collect(Collectors.joining()));
    return table
        + format(
            "%nWarm-up is left out. Speed-up: median effective draws per likelihood evaluation, as"
                + " a multiple of the first row's, ± its standard error by the jackknife over"
                + " chains. Apart: the largest difference from the first row over %d coefficients,"
                + " in combined Monte-Carlo standard errors, and the root mean square. If all rows"
                + " have one distribution, %.1f (1.0) is expected. Off, in sds: the root mean"
                + " square. Variance ratio: the geometric mean. Both are relative to the first row."
                + " Wrong decisions: decisions on proposals from the run that differ from the"
                + " decision with all rows. Total variation: distance from the posterior by"
                + " quadrature. In brackets: its approximate value for as many exact draws as are"
                + " effective.",
            coefficients, largestExpected(coefficients))
        + (rows.size() > 2 ? anyTwo() : "")
        + rows.stream()
            .filter(row -> !row.off().sentence().isEmpty())
            .map(row -> format("%n%nBias of %s: %s.", row.name(), row.off().sentence()))
            .collect(Collectors.joining())
        + "\n";
  }

  private String line(RowResult row) {
    RowResult first = rows.get(0);
    boolean reference = row.name().equals(first.name());
    RowResult versus = versus(row);
    Efficiency run = row.run();
    return format(
        "| %s | %,d | %,.0f | %.2f / %.2f / %.2f | %,.0f | %s%s | %s | %s | %s | %s | %s | %s |%n",
        row.name(),
        run.iterations(),
        run.evaluations(),
        row.perThousand(run.least()),
        row.perThousand(run.median()),
        row.perThousand(run.mean()),
        run.median(),
        reference ? "(1)" : speedUp(row, first),
        versus == null ? "" : format("; %s times %s", speedUp(row, versus), versus.name()),
        reference ? "" : apart(row.meansApart(first)),
        reference ? "" : apart(row.deviationsApart(first)),
        reference ? "" : format("%.3f", row.meansOff(first)),
        reference ? "" : format("%.3f", row.varianceRatio(first)),
        known(row.off().decisions(), format("%.1f %%", 100 * row.off().decisions())),
        known(
            row.off().totalVariation(),
            format("%.3f (%.3f)", row.off().totalVariation(), row.off().ofExactDraws())));
  }

  private static String known(double value, String text) {
    return Double.isNaN(value) ? "" : text;
  }

  private static String apart(RowResult.Apart apart) {
    return format("%.1f (%.1f)", apart.largest(), apart.rootMeanSquare());
  }

  /** Returns the row to compare a row with, in addition to the first, if it is in the table. */
  private @Nullable RowResult versus(RowResult row) {
    return rows.stream().filter(r -> r.name().equals(row.row().versus())).findFirst().orElse(null);
  }

  private static String speedUp(RowResult row, RowResult reference) {
    double ratio = row.speedUp(reference);
    if (Double.isInfinite(ratio)) {
      return ""; // nothing was evaluated
    }
    double error = row.speedUpError(reference);
    String relative = Double.isNaN(error) ? "" : format(" ± %.0f %%", 100 * error);
    return format(ratio < 1 ? "%.2g%s" : "%.1f%s", ratio, relative);
  }

  private String anyTwo() {
    double means = 0;
    double deviations = 0;
    for (RowResult a : rows) {
      for (RowResult b : rows) {
        means = Math.max(means, a.meansApart(b).largest());
        deviations = Math.max(deviations, a.deviationsApart(b).largest());
      }
    }
    int comparisons = rows.size() * (rows.size() - 1) / 2 * rows.get(0).summary().size();
    return format(
        " Between any two rows, means differ by at most %.1f and sds by at most %.1f; about %.1f is"
            + " expected.",
        means, deviations, largestExpected(comparisons));
  }

  /** Formats, with the ends of lines the same everywhere. */
  private static String format(String pattern, Object... values) {
    return Text.of(pattern, values).replace(System.lineSeparator(), "\n");
  }

  /** Returns about the median of the largest of n absolute standard normals. */
  private static double largestExpected(int n) {
    double tail = 1 - Math.pow(0.5, 1.0 / n);
    return NormalDistribution.of(0, 1).inverseSurvivalProbability(tail / 2);
  }

  /** Returns the table as CSV, with every digit. */
  public String csv() {
    StringBuilder text = new StringBuilder();
    for (RowResult row : rows) {
      Map<String, Object> cells = cells(row);
      if (text.isEmpty()) {
        text.append(String.join(",", cells.keySet())).append('\n');
      }
      text.append(cells.values().stream().map(Object::toString).collect(Collectors.joining(",")));
      text.append('\n');
    }
    return text.toString();
  }

  private Map<String, Object> cells(RowResult row) {
    RowResult first = rows.get(0);
    RowResult versus = versus(row);
    Efficiency run = row.run();
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("algorithm", CsvText.quoted(row.name()));
    cells.put("iterations", run.iterations());
    cells.put("evaluations_per_iteration", run.evaluations());
    cells.put("ess_per_1000_min", row.perThousand(run.least()));
    cells.put("ess_per_1000_median", row.perThousand(run.median()));
    cells.put("ess_per_1000_mean", row.perThousand(run.mean()));
    cells.put("log_ess_standard_error", row.error());
    cells.put("speedup_per_evaluation", row.speedUp(first));
    cells.put("versus", versus == null ? "" : CsvText.quoted(versus.name()));
    cells.put("speedup_versus", versus == null ? "" : row.speedUp(versus));
    cells.put("seconds_per_iteration", run.seconds());
    cells.put("largest_difference_of_means_in_se", row.meansApart(first).largest());
    cells.put("rms_difference_of_means_in_se", row.meansApart(first).rootMeanSquare());
    cells.put("largest_difference_of_log_sds_in_se", row.deviationsApart(first).largest());
    cells.put("rms_difference_of_log_sds_in_se", row.deviationsApart(first).rootMeanSquare());
    cells.put("rms_difference_of_means_in_sds", row.meansOff(first));
    cells.put("variance_ratio", row.varianceRatio(first));
    cells.put("ess_per_second_median", row.perSecond());
    cells.put("decision_error_rate", row.off().decisions());
    cells.put("total_variation", row.off().totalVariation());
    cells.put("total_variation_of_exact_draws", row.off().ofExactDraws());
    return cells;
  }
}
