package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** The file {@code summary.csv}: a line for each coefficient, on the input's scale. */
public final class SummaryFile {
  static final String NAME = "summary.csv";

  private static final List<String> COLUMNS =
      List.of(
          "variable mean median sd mad q5 q95 rhat ess_bulk ess_tail mcse_mean mcse_sd".split(" "));

  /** Of models that are chosen among: how often a coefficient is in. */
  private static final List<String> CHOSEN = List.of("included", "mcse_included");

  private SummaryFile() {}

  /** Replaces {@code summary.csv} in an output folder; the old one stays until the new is whole. */
  public static void replace(Configuration conf, String folder, List<VariableSummary> summary)
      throws IOException {
    try (OutputFolder output = OutputFolder.reserve(conf, folder, List.of(NAME), true)) {
      write(conf, output.temporary(NAME), summary);
      output.publish();
    }
  }

  /** Writes a summary to a file, which must not exist. */
  static void write(Configuration conf, Path file, List<VariableSummary> summary)
      throws IOException {
    boolean chosen = summary.stream().anyMatch(row -> row.inclusion().isChosen());
    List<String> columns = new ArrayList<>(COLUMNS);
    columns.addAll(chosen ? CHOSEN : List.of());
    CsvText.write(
        conf,
        file,
        columns,
        csv ->
            summary.forEach(
                variable -> csv.writeRow(Arrays.copyOf(cells(variable), columns.size()))));
  }

  private static Object[] cells(VariableSummary s) {
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
