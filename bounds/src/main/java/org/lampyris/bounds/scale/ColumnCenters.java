package org.lampyris.bounds.scale;

import java.io.Serializable;

/**
 * Carries coefficients between the columns that the sampler sees, z_j = x_j − m_j, and the columns
 * of the input, x_j.
 *
 * <p>The linear predictor is the same on both sides: the coefficients are the same but the
 * intercept's, β_0(input) = β_0 − Σ_j β_j m_j. A column may be centred only if there is an
 * intercept to take the shift.
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

  /** Returns how many coefficients there are. */
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

  /**
   * Returns the coefficients of the centred columns of those of the input's, which are not
   * modified: the inverse of {@link #toInput}.
   */
  public double[] fromInput(double[] input) {
    return moved(input, 1);
  }

  /**
   * Returns the coefficients of the input's columns of those of the centred ones, which are not
   * modified.
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
