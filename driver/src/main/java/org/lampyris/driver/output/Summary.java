package org.lampyris.driver.output;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Summary of a run: a row for each variable of the draws. Its text is an aligned table. */
public final class Summary extends AbstractList<VariableSummary> {
  private final List<VariableSummary> rows;
  private final int chains;
  private final String folder;

  /**
   * Takes the rows.
   *
   * @param chains the number of chains
   * @param folder the output folder, which the text names if it does not show all rows
   */
  public Summary(List<VariableSummary> rows, int chains, String folder) {
    this.rows = List.copyOf(rows);
    this.chains = chains;
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
    return SummaryTable.render(
        rows, Map.of(), folder + "/" + SummaryFile.NAME, new Convergence(rows.size(), chains));
  }
}
