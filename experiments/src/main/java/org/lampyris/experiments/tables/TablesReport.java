package org.lampyris.experiments.tables;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.Convergence;

/**
 * The rows of many tables, as Markdown and CSV.
 *
 * @param rows the completed ones, grouped by table
 */
record TablesReport(List<TableRow> rows) {
  static final String MARKDOWN = "tables.md";
  static final String CSV = "tables.csv";

  /** Returns the files by their names. */
  Map<String, String> files() {
    return Map.of(MARKDOWN, markdown(), CSV, csv());
  }

  String markdown() {
    long passed = rows.stream().filter(TableRow::passes).count();
    return "| table | model | rows | groups | algorithm | largest R-hat | least ESS | ESS a second,"
        + " from load on | share of the best | apart, in sds | apart, in MCSE | seconds in all |"
        + " passes |\n|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|\n"
        + rows.stream().map(this::line).collect(Collectors.joining())
        + Text.of(
            """

            ESS: the smaller one of bulk and tail, of the worst variable. Apart: the largest
            difference from the reference, of means and 5 %% and 95 %% quantiles in posterior sds
            ± its joint Monte-Carlo error, and of these and sds in joint Monte-Carlo errors.
            %d of %d pass: R-hat at most %s, ESS at least %.0f, no figure over %.0f errors apart.
            """,
            passed, rows.size(), Convergence.RHAT, Convergence.ESS, Reference.LIMIT);
  }

  private String line(TableRow row) {
    TableRow.Found found = row.found();
    TableRow.Sampled sampled = found.sampled();
    return Text.of(
        "| %s | %s | %,d | %s | %s | %.3f | %.0f | %.3g | %.2f | %.3f ± %.3f | %.1f | %.1f | %s"
            + " |\n",
        row.table(),
        sampled.model().replace("|", "\\|"),
        sampled.rows(),
        sampled.groups(),
        row.wanted().isEmpty() || row.wanted().equals(sampled.algorithm())
            ? sampled.algorithm()
            : row.wanted() + ": " + sampled.algorithm(),
        found.rhat(),
        found.ess(),
        found.perSecond(),
        found.perSecond() / best(row.table()),
        found.difference().inSds(),
        found.difference().error(),
        found.difference().inErrors(),
        found.whole(),
        row.verdict());
  }

  /** Returns the most effective draws a second of any algorithm on a table. */
  private double best(String table) {
    return rows.stream()
        .filter(row -> row.table().equals(table))
        .mapToDouble(row -> row.found().perSecond())
        .filter(each -> !Double.isNaN(each))
        .max()
        .orElse(Double.NaN);
  }

  String csv() {
    String header =
        String.join(",", new TableRow("", "", TableRow.Found.NOTHING, "").cells().keySet());
    return header
        + "\n"
        + rows.stream()
            .map(
                row ->
                    row.cells().values().stream()
                            .map(Object::toString)
                            .collect(Collectors.joining(","))
                        + "\n")
            .collect(Collectors.joining());
  }
}
