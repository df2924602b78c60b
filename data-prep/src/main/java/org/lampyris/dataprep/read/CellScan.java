package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * What the cells of a column hold.
 *
 * @param <S> the scan itself
 */
public interface CellScan<S extends CellScan<S>> extends Serializable {
  /** Looks at a cell of a row that has a value. */
  void add(RowCells row, int column);

  /** Adds what another scan, of other rows of the same column, has seen. */
  void merge(S that);

  /** What a column of vectors holds. */
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

    /** Counts the zeros that sparse vectors have left out, of so many rows. */
    void addZeros(long rows) {
      slots.forEach(slot -> slot.addZeros(rows - slot.seen));
    }
  }

  /**
   * What a column of numbers holds: counts, extremes, and its distinct values as far as two. All of
   * it is exact, so the order of rows has no influence.
   */
  public static final class NumberScan implements CellScan<NumberScan> {
    private static final double MOST_COUNT = 1L << 40;

    long seen;
    long infinite;
    long nonzero;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    /** How many values are not whole. */
    long fractions;

    /** The sums of the whole values and of their squares, modulo 2⁶⁴. */
    private long sum;

    private long squares;

    /** True if there is a value that is neither the least nor the greatest. */
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

    /** Returns the least value; infinite if there is none. */
    public double min() {
      return min;
    }

    /** Returns the greatest value; minus infinity if there is none. */
    public double max() {
      return max;
    }

    /**
     * Returns whether the values are n consecutive whole numbers, each of them once, in any order,
     * as far as their range, sum and sum of squares tell.
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

  /** How often each value of a column occurs. */
  public static final class LevelScan implements CellScan<LevelScan> {
    /** How many different values of a categorical column are counted. */
    public static final int LIMIT = 1_000_000;

    /** How many different values of a label are counted: the most classes there may be. */
    static final int LABEL_LIMIT = 1_000;

    long infinite;
    private boolean tooMany;
    private final HashMap<String, Long> counts = new HashMap<>();
    private final int limit;

    /** Begins to count so many different values. */
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

    /** Returns how often each value occurs, as far as they are counted. */
    public Map<String, Long> counts() {
      return Collections.unmodifiableMap(counts);
    }

    /** Returns whether there are values that are not counted. */
    public boolean tooMany() {
      return tooMany;
    }

    /** Takes what others have in place of its own. */
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
