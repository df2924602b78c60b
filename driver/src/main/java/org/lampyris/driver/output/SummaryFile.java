package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** The file {@code summary.csv}: a line for each coefficient, on the input's scale. */
public final class SummaryFile {
  static final String NAME = "summary.csv";

  private static final List<String> COLUMNS =
      List.of(
          "variable mean median sd mad q5 q95 rhat ess_bulk ess_tail mcse_mean mcse_sd".split(" "));

  /** Column for variable selection: a coefficient's inclusion probability. */
  private static final List<String> CHOSEN = List.of("included", "mcse_included");

  private SummaryFile() {}

  /** Replaces {@code summary.csv} in an output folder; the old one stays until the new is whole. */
  public static void replace(Configuration conf, String folder, List<VariableSummary> summary)
      throws IOException {
    try (OutputFolder output = OutputFolder.reserve(conf, folder, List.of(NAME), true)) {
      write(output, summary);
      output.publish();
    }
  }

  /**
   * Reads the summary of an output folder.
   *
   * @throws UserException (data) if there is none, or it is none of ours
   */
  public static List<VariableSummary> read(Configuration conf, String folder) throws IOException {
    Path file = new Path(folder, NAME);
    if (!file.getFileSystem(conf).exists(file)) {
      throw UserException.data(
          folder + " holds no " + NAME + ". Write one with the command summarize.");
    }
    List<String[]> lines = CsvText.read(conf, file);
    List<VariableSummary> summary = new ArrayList<>();
    List<String> columns = lines.isEmpty() ? List.of() : List.of(lines.get(0));
    if (columns.size() < COLUMNS.size() || !columns.subList(0, COLUMNS.size()).equals(COLUMNS)) {
      throw UserException.data(
          file + " does not have the columns of a summary. Write one with the command summarize.");
    }
    for (int line = 1; line < lines.size(); line++) {
      String[] cells = lines.get(line);
      double[] of = new double[COLUMNS.size() + CHOSEN.size()];
      for (int k = 1; k < of.length; k++) {
        of[k] =
            k < cells.length
                ? CsvText.number(file, line + 1, columns.get(k), cells[k])
                : k == COLUMNS.size() ? 1 : 0;
      }
      summary.add(row(cells[0], of));
    }
    return summary;
  }

  private static VariableSummary row(String variable, double[] of) {
    double in = of[COLUMNS.size()];
    double mcse = of[COLUMNS.size() + 1];
    double ess = mcse > 0 ? in * (1 - in) / (mcse * mcse) : Double.NaN;
    return new VariableSummary(
        variable,
        of[1],
        of[3],
        new VariableSummary.Quantiles(of[2], of[4], of[5], of[6]),
        new VariableSummary.Mixing(of[7], of[8], of[9], of[10], of[11]),
        new VariableSummary.Inclusion(in, ess, mcse));
  }

  /** Returns the columns of a summary: the variable, and numbers. */
  public static List<String> columns(List<VariableSummary> summary) {
    boolean chosen = summary.stream().anyMatch(row -> row.inclusion().isChosen());
    List<String> columns = new ArrayList<>(COLUMNS);
    columns.addAll(chosen ? CHOSEN : List.of());
    return columns;
  }

  /** Writes a summary into a folder, as {@link #NAME}. */
  static void write(OutputFolder folder, List<VariableSummary> summary) throws IOException {
    List<String> columns = columns(summary);
    folder.csv(
        NAME,
        columns,
        csv ->
            summary.forEach(
                variable -> csv.writeRow(Arrays.copyOf(cells(variable), columns.size()))));
  }

  /** Returns a cell for each column that a summary can have, in order. */
  public static Object[] cells(VariableSummary s) {
    return new Object[] {
      s.variable(),
      s.mean(),
      s.quantiles().median(),
      s.sd(),
      s.quantiles().mad(),
      s.quantiles().q5(),
      s.quantiles().q95(),
      s.mixing().rhat(),
      s.mixing().essBulk(),
      s.essTail(),
      s.mixing().mcseMean(),
      s.mixing().mcseSd(),
      s.inclusion().probability(),
      s.inclusion().mcse()
    };
  }
}
