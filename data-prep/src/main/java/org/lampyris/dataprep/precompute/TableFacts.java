package org.lampyris.dataprep.precompute;

import java.util.List;
import org.lampyris.bounds.family.FamilyTable;

/**
 * What the artefact keeps of the prepared table.
 *
 * @param fingerprint tells the table's content from that of any other
 * @param columns the names of the columns, in order
 * @param classes the names of the label's classes, in order; empty if the label is a number
 * @param rows how many rows it has
 * @param totalWeight the sum of their weights: {@code rows} if they have none
 */
public record TableFacts(
    String fingerprint, List<String> columns, List<String> classes, long rows, double totalWeight) {

  /** Copies the lists. */
  public TableFacts {
    columns = List.copyOf(columns);
    classes = List.copyOf(classes);
  }

  /** Returns what a family needs to know. */
  public FamilyTable familyTable() {
    return new FamilyTable(columns, classes, totalWeight);
  }
}
