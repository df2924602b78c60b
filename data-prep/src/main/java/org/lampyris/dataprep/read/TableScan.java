package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.CellScan.VectorScan;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.executors.table.TableSchema;

/**
 * Scan of all rows: the label, the weight, the offset and every feature.
 *
 * <p>Numeric features and the elements of vectors are numbered through as slots, categorical ones
 * counted apart, both in the order of the features.
 */
public final class TableScan implements Serializable {
  private final Columns.Missing rule;
  private long rows;
  private long leftOut;

  /** The label's classes, or its numbers if it has none. */
  final CellScan<?> label;

  final @Nullable NumberScan weight;
  final @Nullable NumberScan offset;
  final @Nullable NumberScan trials;

  /** Whether the trials are events: 0 or 1. */
  private final boolean events;

  /** The position of the times that intervals end at; −1 for none. */
  private final int second;

  /** In how many rows the label is more than the trials. */
  long beyondTrials;

  /** In how many rows of an event of code 3 the second time is not above the label. */
  long noIntervals;

  private final ArrayList<CellScan<?>> features = new ArrayList<>();

  /** The values of the group's column and of the one that orders its rows, not counted. */
  final @Nullable LevelScan group;

  final @Nullable LevelScan order;

  /** The values of the columns that groups have effects by, not counted either. */
  final ArrayList<LevelScan> groups = new ArrayList<>();

  /** All existing scans, in the order of a selected row. */
  private final ArrayList<CellScan<?>> cells = new ArrayList<>();

  /** Number of rows without a value, for each scan. */
  private final long[] missing;

  /** Whether a scan has a level for cells without a value. */
  private final boolean[] levelled;

  private TableScan(InputColumns columns) {
    rule = columns.missing();
    label = columns.labelKind().isClass() ? new LevelScan(LevelScan.LABEL_LIMIT) : new NumberScan();
    weight = columns.weight() == null ? null : new NumberScan();
    offset = columns.offset() == null ? null : new NumberScan();
    trials = columns.trials() == null ? null : new NumberScan();
    events = columns.labelKind().isTime();
    for (InputColumns.Feature feature : columns.features()) {
      features.add(
          switch (feature.kind()) {
            case NUMERIC -> new NumberScan();
            case CATEGORICAL -> new LevelScan(LevelScan.LIMIT);
            case VECTOR -> new VectorScan(feature.curve());
          });
    }
    group = columns.groupBy() == null ? null : new LevelScan(0);
    order = columns.orderBy() == null ? null : new LevelScan(0);
    Collections.addAll(cells, label, weight, offset, trials);
    cells.addAll(features);
    Collections.addAll(cells, group, order);
    columns.groups().forEach(name -> groups.add(new LevelScan(0)));
    cells.addAll(groups);
    cells.removeIf(Objects::isNull);
    second =
        columns.labelKind() == LabelKind.INTERVAL && offset != null ? cells.indexOf(offset) : -1;
    missing = new long[cells.size()];
    levelled = new boolean[cells.size()];
    for (int f = 0; f < features.size(); f++) {
      levelled[cells.indexOf(features.get(f))] =
          rule == Columns.Missing.LEVEL && features.get(f) instanceof LevelScan;
    }
    for (LevelScan of : groups) {
      levelled[cells.indexOf(of)] = rule == Columns.Missing.LEVEL;
    }
  }

  /** Starts a scan of a table's rows, or of a part of them. */
  public static TableScan begin(InputColumns columns) {
    return new TableScan(columns);
  }

  /** Returns the combined scan of all parts of a table. */
  public static TableScan of(InputColumns columns, List<TableScan> parts) {
    TableScan total = new TableScan(columns);
    parts.forEach(total::merge);
    for (CellScan<?> feature : total.features) {
      if (feature instanceof VectorScan vector) {
        vector.addZeros(total.rows);
      }
    }
    return total;
  }

  /**
   * Refuses cells that a regression cannot use, and labels that do not fit the family.
   *
   * @param like an earlier table whose classes the label must have; null for none
   * @throws org.lampyris.bounds.config.UserException that names the column and the first such row
   */
  public void require(Input input, InputColumns columns, @Nullable TableSchema like) {
    new CellChecks(input).require(this, columns, like);
  }

  /**
   * Adds a row.
   *
   * @return whether the row can be used: it is not left out, and nothing is missing in it but
   *     levels
   */
  public boolean add(RowCells row) {
    boolean complete = true;
    boolean usable = true;
    for (int k = 0; k < cells.size(); k++) {
      if (k != second && row.isMissing(k)) {
        missing[k]++;
        complete = false;
        usable &= levelled[k];
      }
    }
    if (!complete && rule == Columns.Missing.DROP) {
      leftOut++;
      return false;
    }
    rows++;
    if (complete && trials != null) {
      compare(row::number);
    }
    for (int k = 0; k < cells.size(); k++) {
      if (k == second) {
        continue;
      }
      if (complete || !row.isMissing(k)) {
        cells.get(k).add(row, k);
      } else if (levelled[k] && cells.get(k) instanceof LevelScan levels) {
        levels.add(CellText.MISSING, row.counter());
      }
    }
    return usable;
  }

  /** Compares the label of a complete row with the trials, or with the second time. */
  private void compare(IntToDoubleFunction number) {
    if (!events) {
      beyondTrials += number.applyAsDouble(0) > number.applyAsDouble(cells.indexOf(trials)) ? 1 : 0;
    } else if (second >= 0 && number.applyAsDouble(second + 1) == CensoredTime.BETWEEN) {
      double u = number.applyAsDouble(second);
      noIntervals += number.applyAsDouble(0) < u && u <= CensoredTime.MOST ? 0 : 1;
    }
  }

  /** Returns whether every column has numbers or levels, given the types of a selected row. */
  boolean isByColumn(StructType type) {
    return IntStream.range(0, cells.size())
        .allMatch(
            k ->
                cells.get(k) instanceof LevelScan
                    || (cells.get(k) instanceof NumberScan
                        && (RowCells.reader(type.apply(k).dataType()) != null
                            || type.apply(k).dataType() instanceof DecimalType)));
  }

  /** Returns the columns of a selected row, whose cells are added to these scans. */
  List<BatchColumn> byColumn(StructType type, RowCounter counter) {
    List<BatchColumn> columns = new ArrayList<>();
    for (int k = 0; k < cells.size(); k++) {
      DataType of = type.apply(k).dataType();
      columns.add(
          cells.get(k) instanceof LevelScan levels
              ? new BatchColumn.Levels(of, levels, levelled[k], counter)
              : new BatchColumn.Numbers(of, k == second ? null : (NumberScan) cells.get(k)));
    }
    return columns;
  }

  /**
   * Adds rows whose cells have been added by column.
   *
   * @param from the first row, as the columns have it
   */
  void add(List<BatchColumn> columns, int from, int count) {
    rows += count;
    for (int k = 0; k < missing.length; k++) {
      missing[k] = columns.get(k).missing;
    }
    for (int n = from; n < from + count && trials != null; n++) {
      int row = n;
      boolean complete = true;
      for (int k = 0; k < missing.length && complete; k++) {
        complete = !columns.get(k).isMissing(row);
      }
      if (complete) {
        compare(k -> ((BatchColumn.Numbers) columns.get(k)).values()[row]);
      }
    }
  }

  /** Returns whether some row lacks a value, and has no level for it. */
  boolean lacksValues() {
    return IntStream.range(0, missing.length).anyMatch(k -> missing[k] > 0 && !levelled[k]);
  }

  private void merge(TableScan that) {
    rows += that.rows;
    leftOut += that.leftOut;
    beyondTrials += that.beyondTrials;
    noIntervals += that.noIntervals;
    for (int k = 0; k < cells.size(); k++) {
      missing[k] += that.missing[k];
      merge(cells.get(k), that.cells.get(k));
    }
  }

  @SuppressWarnings("unchecked") // two scans of one column
  private static <S extends CellScan<S>> void merge(CellScan<S> mine, CellScan<?> theirs) {
    mine.merge((S) theirs);
  }

  /** Returns the number of rows, without dropped ones. */
  public long rows() {
    return rows;
  }

  /** Returns how many rows are left out, because something is missing in them. */
  public long leftOut() {
    return leftOut;
  }

  /** Returns the number of rows in which a column has no value and no level for it. */
  long missing(CellScan<?> column) {
    int k = cells.indexOf(column);
    return levelled[k] ? 0 : missing[k];
  }

  /** Returns the classes of the label; empty if it is a number. */
  public Set<String> classes() {
    return label instanceof LevelScan levels ? levels.counts().keySet() : Set.of();
  }

  /** Returns the scan of a feature's column. */
  CellScan<?> feature(int feature) {
    return features.get(feature);
  }

  /** Returns the scan of the offsets; null if there are none. */
  public @Nullable NumberScan offsets() {
    return offset;
  }

  /**
   * Returns whether rows may well be equal: features are categories or whole numbers, and the label
   * and the offsets, if they are numbers, whole ones.
   */
  public boolean mayRepeat() {
    return cells.stream()
        .flatMap(column -> numbers(column).stream())
        .allMatch(numbers -> numbers.fractions == 0);
  }

  /**
   * Returns this scan with the label's classes and the features' levels of another one.
   *
   * @param others a scan of rows with {@link InputColumns#levelsOnly}
   */
  public TableScan withLevelsOf(InputColumns columns, TableScan others) {
    TableScan scan = new TableScan(columns);
    scan.merge(this);
    Iterator<CellScan<?>> levels = others.features.iterator();
    for (CellScan<?> feature : scan.features) {
      if (feature instanceof LevelScan own) {
        own.replace((LevelScan) levels.next());
      }
    }
    if (scan.label instanceof LevelScan own) {
      own.replace((LevelScan) others.label);
    }
    return scan;
  }

  /** Returns the levels of a feature; none if it is not categorical. */
  public LevelScan levels(int feature) {
    return features.get(feature) instanceof LevelScan levels ? levels : new LevelScan(0);
  }

  /** Returns the slots of a feature: one of a number, several of a vector. */
  public List<NumberScan> numbers(int feature) {
    return numbers(features.get(feature));
  }

  private static List<NumberScan> numbers(CellScan<?> feature) {
    return feature instanceof NumberScan number
        ? List.of(number)
        : feature instanceof VectorScan vector
            ? Collections.unmodifiableList(vector.slots)
            : List.of();
  }

  /** Returns how many elements of all numeric slots are not zero. */
  public long nonzero() {
    return features.stream()
        .flatMap(feature -> numbers(feature).stream())
        .mapToLong(slot -> slot.nonzero)
        .sum();
  }

  /** Returns the number of numeric slots. */
  public int slots() {
    return features.stream().mapToInt(feature -> numbers(feature).size()).sum();
  }
}
