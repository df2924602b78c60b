package org.lampyris.bounds.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Columns of each linear predictor of a model, η_p = Σ_i x_{c(p, i)} θ_{s(p) + i}: the coefficients
 * of the first predictor come first in θ, then the second's.
 *
 * <p>A vector that is <i>full</i> has an element for each of the D columns of a row, 0 for columns
 * that the predictor does not have. Immutable.
 */
public final class Predictors implements Serializable {
  private final int width;
  private final int[][] columns;
  private final int[] starts;

  private Predictors(int width, List<int[]> columns) {
    this.width = width;
    this.columns = columns.stream().map(int[]::clone).toArray(int[][]::new);
    this.starts = new int[columns.size() + 1];
    for (int p = 0; p < columns.size(); p++) {
      starts[p + 1] = starts[p] + columns.get(p).length;
      for (int column : columns.get(p)) {
        if (column < 0 || column >= width) {
          throw new IllegalArgumentException("column " + column + " of " + width);
        }
      }
    }
  }

  /** Returns predictors that have all D columns each. */
  public static Predictors all(int width, int count) {
    return new Predictors(width, Collections.nCopies(count, IntStream.range(0, width).toArray()));
  }

  /** Returns predictors with some of D columns each, in the order of their coefficients. */
  public static Predictors of(int width, List<int[]> columns) {
    return new Predictors(width, columns);
  }

  /** Returns D. */
  public int width() {
    return width;
  }

  /** Returns how many predictors there are. */
  public int count() {
    return columns.length;
  }

  /** Returns how many coefficients all predictors have: the first elements of θ. */
  public int coefficients() {
    return starts[columns.length];
  }

  /** Returns the place in θ of the first coefficient of a predictor. */
  public int start(int p) {
    return starts[p];
  }

  /** Returns the columns of a predictor; not to be modified. */
  public int[] columns(int p) {
    return columns[p];
  }

  /** Returns the predictor of the coefficient θ_j. */
  public int predictor(int j) {
    int p = 0;
    while (j >= starts[p + 1]) {
      p++;
    }
    return p;
  }

  /** Returns the column of the coefficient θ_j. */
  public int column(int j) {
    int p = predictor(j);
    return columns[p][j - starts[p]];
  }

  /** Returns the place in θ of a column's coefficient in a predictor; −1 if it has none. */
  public int place(int p, int column) {
    for (int i = 0; i < columns[p].length; i++) {
      if (columns[p][i] == column) {
        return starts[p] + i;
      }
    }
    return -1;
  }

  /** Returns the full coefficients of a predictor, from θ at {@code from}, which is unchanged. */
  public double[] full(int p, double[] theta, int from) {
    double[] full = new double[width];
    for (int i = 0; i < columns[p].length; i++) {
      full[columns[p][i]] = theta[from + starts[p] + i];
    }
    return full;
  }

  /** Adds a full vector, which is unchanged, to the elements of {@code theta} of a predictor. */
  public void addFull(int p, double[] full, double[] theta) {
    for (int i = 0; i < columns[p].length; i++) {
      theta[starts[p] + i] += full[columns[p][i]];
    }
  }

  /** Returns η_p of a row without its offset, for the θ at {@code from}, which is unchanged. */
  public double dot(DataBlock block, int row, int p, double[] theta, int from) {
    return isAll(p)
        ? block.dot(row, theta, from + starts[p])
        : block.dot(row, full(p, theta, from), 0);
  }

  /** Adds scale · x_n to the elements of {@code theta} of a predictor. */
  public void addScaled(DataBlock block, int row, int p, double scale, double[] theta) {
    if (isAll(p)) {
      block.addScaled(row, scale, theta, starts[p]);
    } else {
      double[] full = new double[width];
      block.addScaled(row, scale, full, 0);
      addFull(p, full, theta);
    }
  }

  /** Returns whether every predictor has all columns. */
  public boolean isFull() {
    return IntStream.range(0, columns.length).allMatch(this::isAll);
  }

  private boolean isAll(int p) {
    return columns[p].length == width;
  }

  @Override
  public String toString() {
    return width + " columns, predictors of " + Arrays.deepToString(columns);
  }
}
