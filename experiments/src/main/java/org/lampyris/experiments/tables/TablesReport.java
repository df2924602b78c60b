package org.lampyris.experiments.tables;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lampyris.bounds.config.Text;

/**
 * The rows of many tables, as Markdown and CSV.
 *
 * @param rows those that have been run, a table's beside each other
 */
record TablesReport(List<TableRow> rows) {
  static final String MARKDOWN = "tables.md";
  static final String CSV = "tables.csv";

  /** Returns the files by their names. */
  Map<String, String> files() {
    return Map.of(MARKDOWN, markdown(), CSV, csv());
  }

  String markdown() {
    return "| table | rows | coefficients | algorithm | evaluations an iteration | largest R-hat |"
        + " least ESS | ESS a second, from load on | share of the best | apart, in MCSE | seconds"
        + " in all | |\n|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|\n"
        + rows.stream().map(this::line).collect(Collectors.joining())
        + "\nESS: the smaller one of bulk and tail, of the worst variable. Apart: the largest"
        + " difference of a mean or an sd from the reference, in joint Monte-Carlo errors.\n";
  }

  private String line(TableRow row) {
    TableRow.Found found = row.found();
    return Text.of(
        "| %s | %,d | %d | %s | %.3g | %.3f | %.0f | %.3g | %.2f | %.1f | %.1f | %s |\n",
        row.table(),
        found.rows(),
        found.coefficients(),
        row.wanted().isEmpty() || row.wanted().equals(found.algorithm())
            ? found.algorithm()
            : row.wanted() + ": " + found.algorithm(),
        found.evaluations(),
        found.rhat(),
        found.ess(),
        found.perSecond(),
        found.perSecond() / best(row.table()),
        found.apart(),
        found.whole(),
        row.remark());
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
