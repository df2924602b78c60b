package org.lampyris.dataprep.prepare;

import java.util.Collection;
import java.util.List;
import org.lampyris.executors.table.TableSchema.Label;

/** The two classes of a binary label. */
final class LabelClasses {
  private LabelClasses() {}

  /**
   * Orders the two values of a label: {0, 1}, {−1, +1}, {false, true}, or any two, numbers by value
   * and text by character. The second one is stored as +1.
   *
   * @param column the label's name
   * @param values its distinct values, exactly two
   */
  static Label of(String column, Collection<String> values) {
    List<String> sorted = values.stream().sorted(CellText::compareLevels).toList();
    if (sorted.size() != 2) {
      throw new IllegalArgumentException(sorted.size() + " values of " + column);
    }
    return new Label(column, sorted.get(0), sorted.get(1));
  }
}
