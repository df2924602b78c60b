package org.lampyris.bounds.scale;

import java.io.Serializable;

/**
 * Carries coefficients between the columns that the sampler sees, z_j = (x_j − m_j)/s_j, and the
 * columns of the input, x_j.
 *
 * <p>The linear predictor is the same on both sides: β_j(input) = β_j / s_j for every column but
 * the intercept, and β_0(input) = β_0 − Σ_j β_j m_j / s_j. A column may be centred only if there is
 * an intercept to take the shift.
 *
 * <p>Immutable.
 */
public final class CoefficientScale implements Serializable {
  private final double[] center;
  private final double[] scale;
  private final int intercept;

  /**
   * Describes the columns.
   *
   * @param center m_j of every column, 0 for the intercept; copied
   * @param scale s_j of every column, positive and finite, 1 for the intercept; copied
   * @param intercept the index of the column of ones, or −1 if there is none
   */
  public CoefficientScale(double[] center, double[] scale, int intercept) {
    if (center.length != scale.length || intercept < -1 || intercept >= center.length) {
      throw new IllegalArgumentException(
          center.length + " centres, " + scale.length + " scales, intercept at " + intercept);
    }
    for (int j = 0; j < center.length; j++) {
      boolean centred = center[j] != 0;
      boolean positive = scale[j] > 0 && Double.isFinite(scale[j]) && Double.isFinite(center[j]);
      if (!positive
          || (centred && intercept < 0)
          || (j == intercept && (centred || scale[j] != 1))) {
        throw new IllegalArgumentException(
            "column " + j + " with centre " + center[j] + " and scale " + scale[j]);
      }
    }
    this.center = center.clone();
    this.scale = scale.clone();
    this.intercept = intercept;
  }

  /** Returns how many coefficients there are. */
  public int dimension() {
    return center.length;
  }

  /** Returns s_j, 1 for the intercept. */
  public double scale(int column) {
    return scale[column];
  }

  /** Returns m_j, 0 for the intercept. */
  public double center(int column) {
    return center[column];
  }

  /** Returns the index of the column of ones, or −1 if there is none. */
  public int intercept() {
    return intercept;
  }

  /**
   * Returns the coefficients of the standardised columns of those on the input's scale, which are
   * not modified: the inverse of {@link #toInput}.
   */
  public double[] fromInput(double[] input) {
    double[] theta = new double[input.length];
    double shift = 0;
    for (int j = 0; j < theta.length; j++) {
      theta[j] = input[j] * scale[j];
      shift += input[j] * center[j];
    }
    if (intercept >= 0) {
      theta[intercept] += shift;
    }
    return theta;
  }

  /**
   * Returns the coefficients on the input's scale of those of the standardised columns, which are
   * not modified.
   */
  public double[] toInput(double[] theta) {
    if (theta.length != center.length) {
      throw new IllegalArgumentException(
          theta.length + " coefficients for " + center.length + " columns");
    }
    double[] input = new double[theta.length];
    double shift = 0;
    for (int j = 0; j < theta.length; j++) {
      input[j] = theta[j] / scale[j];
      shift += input[j] * center[j];
    }
    if (intercept >= 0) {
      input[intercept] -= shift;
    }
    return input;
  }
}
