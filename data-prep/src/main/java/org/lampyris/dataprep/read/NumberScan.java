package org.lampyris.dataprep.read;

/**
 * What a column of numbers holds: counts, extremes, and its distinct values as far as two. All of
 * it is exact, so the order of rows has no influence.
 */
public final class NumberScan implements CellScan<NumberScan> {
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
   * Returns whether the values are n consecutive whole numbers, each of them once, in any order, as
   * far as their range, sum and sum of squares tell.
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
