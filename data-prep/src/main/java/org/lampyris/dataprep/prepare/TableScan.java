package org.lampyris.dataprep.prepare;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * The first look at all rows: what the label, the weight, the offset and every feature hold.
 *
 * <p>Numeric features and the elements of vectors are numbered through as slots, categorical ones
 * counted apart, both in the order of the features.
 */
final class TableScan implements Serializable {
  private static final long serialVersionUID = 1L;

  long rows;

  /** The label's classes, if it has any. */
  final LevelScan label = new LevelScan(LevelScan.LABEL_LIMIT);

  /** The label's numbers; null if it has classes. */
  final @Nullable NumberScan response;

  final @Nullable NumberScan weight;
  final @Nullable NumberScan offset;
  private final boolean[] categorical;
  private final boolean[] vector;

  /** By feature: the levels of categorical ones; of vectors, how many are missing. */
  final LevelScan[] levels;

  /** By feature: the slots of numeric ones and of vectors; empty before the first row is seen. */
  final ArrayList<ArrayList<NumberScan>> numbers;

  /** By feature: the size of some vector that differs from the others', or −1. */
  final int[] otherSize;

  private TableScan(InputColumns columns) {
    int features = columns.features().size();
    response = columns.labelKind().isClass() ? null : new NumberScan();
    weight = columns.weight() == null ? null : new NumberScan();
    offset = columns.offset() == null ? null : new NumberScan();
    categorical = new boolean[features];
    vector = new boolean[features];
    levels = new LevelScan[features];
    numbers = new ArrayList<>();
    otherSize = new int[features];
    for (int f = 0; f < features; f++) {
      FeatureKind kind = columns.features().get(f).kind();
      categorical[f] = kind == FeatureKind.CATEGORICAL;
      vector[f] = kind == FeatureKind.VECTOR;
      levels[f] = new LevelScan(LevelScan.LIMIT);
      otherSize[f] = -1;
      ArrayList<NumberScan> slots = new ArrayList<>();
      if (kind == FeatureKind.NUMERIC) {
        slots.add(new NumberScan());
      }
      numbers.add(slots);
    }
  }

  /** Looks at all rows of a selected table, in one job. */
  static TableScan of(JavaRDD<Row> table, InputColumns columns) {
    TableScan total = new TableScan(columns);
    List<TableScan> parts =
        table
            .mapPartitions(
                rows -> {
                  TableScan scan = new TableScan(columns);
                  while (rows.hasNext()) {
                    scan.add(rows.next());
                  }
                  Iterator<TableScan> one = List.of(scan).iterator();
                  return one;
                })
            .collect();
    parts.forEach(total::merge);
    for (int f = 0; f < total.levels.length; f++) {
      for (NumberScan slot : total.numbers.get(f)) {
        slot.addZeros(total.rows - total.levels[f].missing - slot.missing - slot.seen);
      }
    }
    return total;
  }

  private void add(Row row) {
    rows++;
    if (response != null) {
      add(response, row.get(0));
    } else {
      label.add(row.get(0));
    }
    int at = 1;
    if (weight != null) {
      add(weight, row.get(at++));
    }
    if (offset != null) {
      add(offset, row.get(at++));
    }
    for (int f = 0; f < categorical.length; f++) {
      Object cell = row.get(at + f);
      if (categorical[f]) {
        levels[f].add(cell);
      } else if (!vector[f]) {
        add(numbers.get(f).get(0), cell);
      } else if (cell == null) {
        levels[f].missing++;
      } else {
        addVector(f, cell);
      }
    }
  }

  private static void add(NumberScan scan, @Nullable Object cell) {
    if (cell == null) {
      scan.missing++;
    } else {
      scan.add(RowEncoder.number(cell));
    }
  }

  private void addVector(int feature, Object cell) {
    ArrayList<NumberScan> slots = numbers.get(feature);
    boolean first = slots.isEmpty();
    int size =
        VectorCell.visit(
            cell,
            (index, value) -> {
              while (slots.size() <= index) {
                slots.add(new NumberScan());
              }
              slots.get(index).add(value);
            });
    while (first && slots.size() < size) {
      slots.add(new NumberScan());
    }
    if (slots.size() != size) {
      otherSize[feature] = size;
    }
  }

  private void merge(TableScan that) {
    rows += that.rows;
    label.merge(that.label);
    merge(response, that.response);
    merge(weight, that.weight);
    merge(offset, that.offset);
    for (int f = 0; f < categorical.length; f++) {
      levels[f].merge(that.levels[f]);
      merge(f, that);
    }
  }

  private static void merge(@Nullable NumberScan mine, @Nullable NumberScan theirs) {
    if (mine != null && theirs != null) {
      mine.merge(theirs);
    }
  }

  private void merge(int feature, TableScan that) {
    ArrayList<NumberScan> mine = numbers.get(feature);
    ArrayList<NumberScan> theirs = that.numbers.get(feature);
    otherSize[feature] = Math.max(otherSize[feature], that.otherSize[feature]);
    if (!mine.isEmpty() && !theirs.isEmpty() && mine.size() != theirs.size()) {
      otherSize[feature] = theirs.size();
    }
    while (mine.size() < theirs.size()) {
      mine.add(new NumberScan());
    }
    for (int k = 0; k < theirs.size(); k++) {
      mine.get(k).merge(theirs.get(k));
    }
  }

  /** Returns how many elements of all numeric slots are not zero. */
  long nonzero() {
    return numbers.stream().flatMap(List::stream).mapToLong(slot -> slot.nonzero).sum();
  }

  /** Returns how many numeric slots there are. */
  int slots() {
    return numbers.stream().mapToInt(List::size).sum();
  }
}
