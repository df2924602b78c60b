package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.SelectedRows.Place;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.executors.table.Curve;

/**
 * Scan of a column's cells.
 *
 * @param <S> the scan itself
 */
public interface CellScan<S extends CellScan<S>> extends Serializable {
  /** Adds a cell that has a value. */
  void add(RowCells row, int column);

  /** Adds a scan of other rows of the same column. */
  void merge(S that);

  /** Scan of a column of vectors. */
  static final class VectorScan implements CellScan<VectorScan> {
    /** By element; empty before the first vector is seen. */
    final ArrayList<NumberScan> slots = new ArrayList<>();

    /** The size of some vector that differs from the others', or −1. */
    int otherSize = -1;

    /** Not sent along: a scan that is sent has seen all its cells. */
    private final transient @Nullable Curve curve;

    private transient double[] values = new double[0];

    /**
     * Begins.
     *
     * @param curve the elements, if cells are numbers that stand for them; null for vectors
     */
    VectorScan(@Nullable Curve curve) {
      this.curve = curve;
    }

    private void add(double x, Curve of) {
      if (values.length == 0) {
        values = new double[of.size()];
        grow(of.size());
      }
      if (Double.isInfinite(x)) {
        Arrays.fill(values, x);
      } else {
        of.write(x, values, 0);
      }
      for (int k = 0; k < values.length; k++) {
        slots.get(k).add(values[k]);
      }
    }

    @Override
    public void add(RowCells row, int column) {
      if (curve != null) {
        add(row.number(column), curve);
        return;
      }
      boolean first = slots.isEmpty();
      int size =
          VectorCell.visit(
              row.value(column),
              (index, value) -> {
                grow(index + 1);
                slots.get(index).add(value);
              });
      if (first) {
        grow(size);
      }
      if (slots.size() != size) {
        otherSize = size;
      }
    }

    private void grow(int size) {
      while (slots.size() < size) {
        slots.add(new NumberScan());
      }
    }

    @Override
    public void merge(VectorScan that) {
      otherSize = Math.max(otherSize, that.otherSize);
      if (!slots.isEmpty() && !that.slots.isEmpty() && slots.size() != that.slots.size()) {
        otherSize = that.slots.size();
      }
      grow(that.slots.size());
      for (int k = 0; k < that.slots.size(); k++) {
        slots.get(k).merge(that.slots.get(k));
      }
    }

    /** Counts the zeros omitted in sparse vectors, given the number of rows. */
    void addZeros(long rows) {
      slots.forEach(slot -> slot.addZeros(rows - slot.seen));
    }
  }

  /**
   * Scan of a column of numbers: counts, extremes, and up to two distinct values. All of it is
   * exact, so the order of rows has no influence.
   */
  public static final class NumberScan implements CellScan<NumberScan> {
    private static final double MOST_COUNT = 1L << 40;

    long seen;
    long infinite;
    long nonzero;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    /** Number of values that are not whole. */
    long fractions;

    /** The sums of the whole values and of their squares, modulo 2⁶⁴. */
    private long sum;

    private long squares;

    /** True if there is a value between the smallest and the largest. */
    private boolean between;

    @Override
    public void add(RowCells row, int column) {
      add(row.number(column));
    }

    void add(double x) {
      seen++;
      if (Double.isInfinite(x)) {
        infinite++;
        return;
      }
      if (x != 0) {
        nonzero++;
      }
      if (x != Math.rint(x)) {
        fractions++;
      } else {
        long whole = (long) x;
        sum += whole;
        squares += whole * whole;
      }
      value(x + 0.0);
    }

    /** Adds values, and returns how many of them are missing (NaN). */
    int add(double[] values, int from, int to) {
      // Fields would be stored for each value.
      double low = min;
      double high = max;
      boolean third = between;
      int missing = 0;
      int ends = 0;
      int zeros = 0;
      int whole = 0;
      long total = 0;
      long totalSquares = 0;
      for (int k = from; k < to; k++) {
        double x = values[k] + 0.0;
        if (x >= low && x <= high) {
          third = third || (x > low && x < high);
        } else if (Math.abs(x) < Double.POSITIVE_INFINITY) {
          third |= low < high;
          low = Math.min(low, x);
          high = Math.max(high, x);
        } else {
          ends++;
          missing += Double.isNaN(x) ? 1 : 0;
          continue;
        }
        zeros += x == 0 ? 1 : 0;
        if (x == Math.rint(x)) {
          long n = (long) x;
          whole++;
          total += n;
          totalSquares += n * n;
        }
      }
      int finite = to - from - ends;
      seen += finite + ends - missing;
      infinite += ends - missing;
      nonzero += finite - zeros;
      fractions += finite - whole;
      sum += total;
      squares += totalSquares;
      between = third;
      min = low;
      max = high;
      return missing;
    }

    private void value(double x) {
      between |= min < max && x != min && x != max;
      min = Math.min(min, x);
      max = Math.max(max, x);
    }

    /** Counts the zeros that a sparse vector leaves out. */
    void addZeros(long rows) {
      if (rows > 0) {
        seen += rows;
        value(0.0);
      }
    }

    @Override
    public void merge(NumberScan that) {
      seen += that.seen;
      infinite += that.infinite;
      nonzero += that.nonzero;
      fractions += that.fractions;
      sum += that.sum;
      squares += that.squares;
      between |= that.between;
      if (that.min <= that.max) {
        value(that.min);
        value(that.max);
      }
    }

    /** Returns the smallest value; infinite if there is none. */
    public double min() {
      return min;
    }

    /** Returns the largest value; minus infinity if there is none. */
    public double max() {
      return max;
    }

    /**
     * Returns whether the values are n consecutive whole numbers without repetition, in any order,
     * judging by range, sum and sum of squares.
     */
    public boolean isCount() {
      if (fractions > 0 || infinite > 0 || max - min != seen - 1 || Math.abs(min) > MOST_COUNT) {
        return false;
      }
      long expected = 0;
      long expectedSquares = 0;
      for (long x = (long) min; x <= (long) max; x++) {
        expected += x;
        expectedSquares += x * x;
      }
      return sum == expected && squares == expectedSquares;
    }

    /** Returns true if all values are the same. */
    public boolean isConstant() {
      return min >= max;
    }

    /** Returns true if there are exactly two values. */
    public boolean isBinary() {
      return min < max && !between;
    }
  }

  /** Counts of a column's values, and the place where each appears first. */
  public static final class LevelScan implements CellScan<LevelScan> {
    /** Largest number of different values counted in a categorical column. */
    public static final int LIMIT = 1_000_000;

    /** Largest number of different values counted in a label: the largest number of classes. */
    static final int LABEL_LIMIT = 1_000;

    long infinite;
    private boolean tooMany;
    private final HashMap<String, Level> levels = new HashMap<>();
    private final int limit;

    /** Rows of a level. A plain class, for Kryo's sake. */
    public static final class Level implements Serializable {
      long rows;
      private Place first;

      /** How many pieces a task had read when it looked at the place. */
      private int piece;

      private Level(Place first) {
        this.first = first;
      }
    }

    /** Starts counting up to a number of different values. */
    public LevelScan(int limit) {
      this.limit = limit;
    }

    @Override
    public void add(RowCells row, int column) {
      if (row.isInfinite(column)) {
        infinite++;
      } else {
        add(row.level(column), row.counter());
      }
    }

    /**
     * Counts a row of a level.
     *
     * @param counter knows the place of the row
     */
    public void add(String level, RowCounter counter) {
      Level known = level(level, counter::place);
      if (known == null) {
        return;
      }
      known.rows++;
      if (known.piece != counter.pieces()) {
        // Spark reads large files before small ones, whatever their names.
        known.piece = counter.pieces();
        known.first = Collections.min(List.of(known.first, counter.place()));
      }
    }

    /** Adds rows of a level that may be known. */
    void add(String level, long rows, Supplier<Place> place) {
      Level known = level(level, place);
      if (known != null) {
        known.rows += rows;
      }
    }

    /** Returns the count of a level, which is begun if it is new; null if that is one too many. */
    @Nullable Level level(String level, Supplier<Place> place) {
      Level known = levels.get(level);
      if (known == null && levels.size() < limit) {
        known = new Level(place.get());
        levels.put(level, known);
      }
      tooMany |= known == null;
      return known;
    }

    /** Returns how often each counted value occurs, in the order of appearance in the input. */
    public Map<String, Long> counts() {
      Map<String, Long> counts = new LinkedHashMap<>();
      levels.entrySet().stream()
          .sorted(Comparator.comparing(level -> level.getValue().first))
          .forEach(level -> counts.put(level.getKey(), level.getValue().rows));
      return counts;
    }

    /** Returns how often a value occurs, if it is counted. */
    public long rows(String level) {
      Level known = levels.get(level);
      return known == null ? 0 : known.rows;
    }

    /** Returns whether some values are not counted. */
    public boolean tooMany() {
      return tooMany;
    }

    /** Replaces its own counts by another scan's. */
    void replace(LevelScan that) {
      levels.clear();
      tooMany = false;
      infinite = 0;
      merge(that);
    }

    @Override
    public void merge(LevelScan that) {
      infinite += that.infinite;
      tooMany |= that.tooMany;
      that.levels.forEach(
          (name, more) -> {
            Level known = levels.get(name);
            if (known == null) {
              add(name, more.rows, () -> more.first);
            } else {
              known.rows += more.rows;
              known.first = known.first.compareTo(more.first) < 0 ? known.first : more.first;
            }
          });
    }
  }
}
