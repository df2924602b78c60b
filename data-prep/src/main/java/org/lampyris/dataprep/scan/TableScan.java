package org.lampyris.dataprep.scan;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.input.CellText;
import org.lampyris.dataprep.input.Input;
import org.lampyris.dataprep.input.InputColumns;
import org.lampyris.dataprep.input.VectorCell;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * The first look at all rows: what the label, the weight, the offset and every feature hold.
 *
 * <p>Numeric features and the elements of vectors are numbered through as slots, categorical ones
 * counted apart, both in the order of the features.
 */
public final class TableScan implements Serializable {
  private long rows;

  /** The label's classes, if it has any. */
  final LevelScan label = new LevelScan(LevelScan.LABEL_LIMIT);

  /** The label's numbers; null if it has classes. */
  final @Nullable NumberScan response;

  final @Nullable NumberScan weight;
  final @Nullable NumberScan offset;

  /** The values of the groups' column and of the one that orders their rows, not counted. */
  final @Nullable LevelScan group;

  final @Nullable LevelScan order;
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
    group = columns.groupBy() == null ? null : new LevelScan(0);
    order = columns.orderBy() == null ? null : new LevelScan(0);
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
  public static TableScan of(JavaRDD<Row> table, InputColumns columns) {
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

  /**
   * Refuses cells that a regression cannot do with, and labels that are not what the family needs.
   *
   * @param input the table, for messages
   * @param columns the columns that were looked at
   * @param like an earlier table whose classes the label must have; null for none
   * @throws org.lampyris.bounds.config.UserException that names the column and the first such row
   */
  public void require(Input input, InputColumns columns, @Nullable TableSchema like) {
    new CellChecks(input).require(this, columns);
    new LabelChecks(input, columns).require(this, like);
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
    at += categorical.length;
    if (group != null) {
      group.add(row.get(at++));
    }
    if (order != null) {
      order.add(row.get(at));
    }
  }

  private static void add(NumberScan scan, @Nullable Object cell) {
    if (cell == null) {
      scan.missing++;
    } else {
      scan.add(CellText.asNumber(cell));
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
    merge(group, that.group);
    merge(order, that.order);
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

  private static void merge(@Nullable LevelScan mine, @Nullable LevelScan theirs) {
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

  /** Returns how many rows there are. */
  public long rows() {
    return rows;
  }

  /** Returns the classes of the label; empty if it is a number. */
  public Set<String> classes() {
    return label.counts().keySet();
  }

  /** Returns the levels of a categorical feature. */
  public LevelScan levels(int feature) {
    return levels[feature];
  }

  /** Returns the slots of a feature: one of a number, several of a vector. */
  public List<NumberScan> numbers(int feature) {
    return Collections.unmodifiableList(numbers.get(feature));
  }

  /** Returns how many elements of all numeric slots are not zero. */
  public long nonzero() {
    return numbers.stream().flatMap(List::stream).mapToLong(slot -> slot.nonzero).sum();
  }

  /** Returns how many numeric slots there are. */
  public int slots() {
    return numbers.stream().mapToInt(List::size).sum();
  }
}
