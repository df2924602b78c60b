package org.lampyris.bounds.family;

import java.util.List;

/**
 * What a family needs to know of the table.
 *
 * @param columns the names of the columns of x_n, the intercept first if there is one
 * @param classes the names of the label's classes in ascending order; empty if the label is a
 *     number. The response is −1 for the first and +1 for the second class of a binary label, and
 *     the index of the class for several
 * @param totalWeight the sum of the rows' weights: the number of rows if they have none
 */
public record FamilyTable(List<String> columns, List<String> classes, double totalWeight) {

  /** Copies the lists and checks the sizes. */
  public FamilyTable {
    columns = List.copyOf(columns);
    classes = List.copyOf(classes);
    if (columns.isEmpty() || !(totalWeight > 0)) {
      throw new IllegalArgumentException(columns.size() + " columns, weight " + totalWeight);
    }
  }
}
