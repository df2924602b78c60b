package org.lampyris.bounds.prior;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Carries coefficients between the columns that the sampler sees, z_j = x_j − m_j, and the columns
 * of the input, x_j.
 *
 * <p>The linear predictor is the same on both sides: the coefficients are the same but the
 * intercept's, β_0(input) = β_0 − Σ_j β_j m_j. A column may be centred only if there is an
 * intercept to take the shift.
 *
 * <p>This class is the one place that turns stored columns into columns of the input: columns are
 * never divided by a scale, whatever {@code data.standardize} says.
 *
 * <p>Immutable.
 */
public final class ColumnCenters implements Serializable {
  private final double[] center;
  private final int intercept;

  /**
   * Describes the columns.
   *
   * @param center m_j of every column, finite, 0 for the intercept; copied
   * @param intercept the index of the column of ones, or −1 if there is none
   */
  public ColumnCenters(double[] center, int intercept) {
    if (intercept < -1 || intercept >= center.length) {
      throw new IllegalArgumentException(center.length + " centres, intercept at " + intercept);
    }
    for (int j = 0; j < center.length; j++) {
      boolean centred = center[j] != 0;
      if (!Double.isFinite(center[j]) || (centred && (intercept < 0 || j == intercept))) {
        throw new IllegalArgumentException("column " + j + " with centre " + center[j]);
      }
    }
    this.center = center.clone();
    this.intercept = intercept;
  }

  /** Returns the number of coefficients. */
  public int dimension() {
    return center.length;
  }

  /** Returns m_j, 0 for the intercept. */
  public double of(int column) {
    return center[column];
  }

  /** Returns the index of the column of ones, or −1 if there is none. */
  public int intercept() {
    return intercept;
  }

  /** Returns x = z + m of a stored z. */
  public static double input(double stored, double center) {
    return stored + center;
  }

  /** Returns x_j of a stored row. */
  public double input(DataBlock block, int row, int column) {
    return input(block.feature(row, column), center[column]);
  }

  /**
   * Writes x of a stored row.
   *
   * @param x as long as there are columns. Modified.
   */
  public void input(DataBlock block, int row, double[] x) {
    Arrays.fill(x, 0);
    block.addScaled(row, 1, x, 0);
    for (int j = 0; j < x.length; j++) {
      x[j] = input(x[j], center[j]);
    }
  }

  /**
   * Converts coefficients of the input's columns, which are not modified, to the centred columns:
   * the inverse of {@link #toInput}.
   */
  public double[] fromInput(double[] input) {
    return moved(input, 1);
  }

  /**
   * Converts coefficients of the centred columns, which are not modified, to the input's columns.
   */
  public double[] toInput(double[] theta) {
    return moved(theta, -1);
  }

  private double[] moved(double[] from, double sign) {
    if (from.length != center.length) {
      throw new IllegalArgumentException(
          from.length + " coefficients for " + center.length + " columns");
    }
    double[] to = from.clone();
    double shift = 0;
    for (int j = 0; j < to.length; j++) {
      shift += to[j] * center[j];
    }
    if (intercept >= 0) {
      to[intercept] += sign * shift;
    }
    return to;
  }
}
