package org.lampyris.driver.output;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Summary of a run: a row for each variable of the draws. Its text is an aligned table. */
public final class Summary extends AbstractList<VariableSummary> {
  private final List<VariableSummary> rows;
  private final Convergence convergence;
  private final String folder;

  /**
   * Takes the rows.
   *
   * @param convergence the criteria that the text marks rows by
   * @param folder the output folder, which the text names if it does not show all rows
   */
  public Summary(List<VariableSummary> rows, Convergence convergence, String folder) {
    this.rows = List.copyOf(rows);
    this.convergence = convergence;
    this.folder = folder;
  }

  @Override
  public VariableSummary get(int index) {
    return rows.get(index);
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public String toString() {
    return SummaryTable.render(rows, Map.of(), folder + "/" + SummaryFile.NAME, convergence);
  }
}
