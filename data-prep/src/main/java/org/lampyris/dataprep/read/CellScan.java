package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

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

    @Override
    public void add(RowCells row, int column) {
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

    private void value(double x) {
      if (min > max) {
        min = x;
        max = x;
      } else if (x < min) {
        between |= min != max;
        min = x;
      } else if (x > max) {
        between |= min != max;
        max = x;
      } else {
        between |= x != min && x != max;
      }
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

  /** Counts of a column's values. */
  public static final class LevelScan implements CellScan<LevelScan> {
    /** Largest number of different values counted in a categorical column. */
    public static final int LIMIT = 1_000_000;

    /** Largest number of different values counted in a label: the largest number of classes. */
    static final int LABEL_LIMIT = 1_000;

    long infinite;
    private boolean tooMany;
    private final HashMap<String, Long> counts = new HashMap<>();
    private final int limit;

    /** Starts counting up to a number of different values. */
    public LevelScan(int limit) {
      this.limit = limit;
    }

    @Override
    public void add(RowCells row, int column) {
      if (row.isInfinite(column)) {
        infinite++;
      } else {
        count(row.level(column), 1);
      }
    }

    /** Counts a row of a level. */
    public void add(String level) {
      count(level, 1);
    }

    private void count(String level, long times) {
      if (counts.size() < limit || counts.containsKey(level)) {
        counts.merge(level, times, Long::sum);
      } else {
        tooMany = true;
      }
    }

    /** Returns how often each counted value occurs. */
    public Map<String, Long> counts() {
      return Collections.unmodifiableMap(counts);
    }

    /** Returns whether some values are not counted. */
    public boolean tooMany() {
      return tooMany;
    }

    /** Replaces its own counts by another scan's. */
    void replace(LevelScan that) {
      counts.clear();
      tooMany = false;
      infinite = 0;
      merge(that);
    }

    @Override
    public void merge(LevelScan that) {
      infinite += that.infinite;
      tooMany |= that.tooMany;
      for (Map.Entry<String, Long> entry : that.counts.entrySet()) {
        count(entry.getKey(), entry.getValue());
      }
    }
  }
}
