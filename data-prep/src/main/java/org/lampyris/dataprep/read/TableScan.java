package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.CellScan.VectorScan;
import org.lampyris.executors.table.TableSchema;

/**
 * The first look at all rows: what the label, the weight, the offset and every feature hold.
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

  /** In how many rows the label is more than the trials. */
  long beyondTrials;

  private final ArrayList<CellScan<?>> features = new ArrayList<>();

  /** The values of the groups' column and of the one that orders their rows, not counted. */
  final @Nullable LevelScan group;

  final @Nullable LevelScan order;

  /** The values of the columns that groups have effects by, not counted either. */
  final ArrayList<LevelScan> groups = new ArrayList<>();

  /** All of these that there are, in the order of a selected row. */
  private final ArrayList<CellScan<?>> cells = new ArrayList<>();

  /** Of how many rows each of these has no value. */
  private final long[] missing;

  /** Which of these have a level for cells without a value. */
  private final boolean[] levelled;

  private TableScan(InputColumns columns) {
    rule = columns.missing();
    label = columns.labelKind().isClass() ? new LevelScan(LevelScan.LABEL_LIMIT) : new NumberScan();
    weight = columns.weight() == null ? null : new NumberScan();
    offset = columns.offset() == null ? null : new NumberScan();
    trials = columns.trials() == null ? null : new NumberScan();
    for (InputColumns.Feature feature : columns.features()) {
      features.add(
          switch (feature.kind()) {
            case NUMERIC -> new NumberScan();
            case CATEGORICAL -> new LevelScan(LevelScan.LIMIT);
            case VECTOR -> new VectorScan();
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

  /** Begins to look at the rows of a table, or of a part of it. */
  public static TableScan begin(InputColumns columns) {
    return new TableScan(columns);
  }

  /** Returns what all parts of a table hold together. */
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
   * Refuses cells that a regression cannot do with, and labels that are not what the family needs.
   *
   * @param like an earlier table whose classes the label must have; null for none
   * @throws org.lampyris.bounds.config.UserException that names the column and the first such row
   */
  public void require(Input input, InputColumns columns, @Nullable TableSchema like) {
    new CellChecks(input).require(this, columns, like);
  }

  /**
   * Looks at a row.
   *
   * @return whether the row can be used: it is not left out, and nothing is missing in it but
   *     levels
   */
  public boolean add(RowCells row) {
    boolean complete = true;
    boolean usable = true;
    for (int k = 0; k < cells.size(); k++) {
      if (row.isMissing(k)) {
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
    if (trials != null && complete) {
      beyondTrials += row.number(0) > row.number(cells.indexOf(trials)) ? 1 : 0;
    }
    for (int k = 0; k < cells.size(); k++) {
      if (complete || !row.isMissing(k)) {
        cells.get(k).add(row, k);
      } else if (levelled[k] && cells.get(k) instanceof LevelScan levels) {
        levels.add(CellText.MISSING);
      }
    }
    return usable;
  }

  private void merge(TableScan that) {
    rows += that.rows;
    leftOut += that.leftOut;
    beyondTrials += that.beyondTrials;
    for (int k = 0; k < cells.size(); k++) {
      missing[k] += that.missing[k];
      merge(cells.get(k), that.cells.get(k));
    }
  }

  @SuppressWarnings("unchecked") // two scans of one column
  private static <S extends CellScan<S>> void merge(CellScan<S> mine, CellScan<?> theirs) {
    mine.merge((S) theirs);
  }

  /** Returns how many rows there are, without those that are left out. */
  public long rows() {
    return rows;
  }

  /** Returns how many rows are left out, because something is missing in them. */
  public long leftOut() {
    return leftOut;
  }

  /** Returns in how many rows a column has no value, where there is no level for that. */
  long missing(CellScan<?> column) {
    int k = cells.indexOf(column);
    return levelled[k] ? 0 : missing[k];
  }

  /** Returns the classes of the label; empty if it is a number. */
  public Set<String> classes() {
    return label instanceof LevelScan levels ? levels.counts().keySet() : Set.of();
  }

  /** Returns what a feature's column holds. */
  CellScan<?> feature(int feature) {
    return features.get(feature);
  }

  /** Returns what the offsets are; null if there are none. */
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
   * Returns what these rows hold, with the classes of the label and the levels of features of
   * others.
   *
   * @param others a look at rows of which {@link InputColumns#levelsOnly} are read
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

  /** Returns how many numeric slots there are. */
  public int slots() {
    return features.stream().mapToInt(feature -> numbers(feature).size()).sum();
  }
}
