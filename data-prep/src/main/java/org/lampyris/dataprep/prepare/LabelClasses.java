package org.lampyris.dataprep.prepare;

import java.util.Collection;
import java.util.List;
import org.lampyris.executors.table.TableSchema.Label;
import org.lampyris.executors.table.TableSchema.LabelKind;

/** The classes of a label. */
final class LabelClasses {
  private LabelClasses() {}

  /**
   * Orders the values of a label: numbers by value, text by character. Of two, such as {0, 1}, {−1,
   * +1} or {false, true}, the second one is stored as +1; of the classes of a softmax regression
   * each is stored as its index.
   *
   * @param column the label's name
   * @param kind what the label is
   * @param values its distinct values; empty if it is a number
   */
  static Label of(String column, LabelKind kind, Collection<String> values) {
    List<String> sorted = values.stream().sorted(CellText::compareLevels).toList();
    if (kind.isClass() ? sorted.size() < 2 : !sorted.isEmpty()) {
      throw new IllegalArgumentException(sorted.size() + " values of " + column);
    }
    return new Label(column, kind, sorted);
  }
}
