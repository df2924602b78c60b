package org.lampyris.bounds.prior;

import java.io.Serializable;
import java.util.stream.IntStream;
import org.lampyris.bounds.rows.Predictors;

/**
 * Conversion of θ between two intercepts: η at 0 of the stored columns, as for the rows, and η at
 * another point z = shift, as a prior may need. γ = Aθ with γ_0 = θ_0 + Σ_j shift_j θ_j and all
 * other elements the same, for every linear predictor. The determinant is 1, so that densities of θ
 * and γ are the same number.
 *
 * <p>Immutable.
 */
public final class InterceptShift implements Serializable {
  private final double[] shift;
  private final Predictors predictors;
  private final int[] intercepts;

  /**
   * Describes the point.
   *
   * @param shift the point, an element for every column, 0 for the intercept; copied
   * @param intercept the column of the intercept
   * @param predictors the columns of each linear predictor, the intercept's among them
   */
  public InterceptShift(double[] shift, int intercept, Predictors predictors) {
    this.shift = shift.clone();
    this.predictors = predictors;
    this.intercepts =
        IntStream.range(0, predictors.count()).map(p -> predictors.place(p, intercept)).toArray();
    if (intercepts.length < 1
        || IntStream.of(intercepts).anyMatch(place -> place < 0)
        || shift.length != predictors.width()
        || shift[intercept] != 0) {
      throw new IllegalArgumentException(
          shift.length + " columns, intercept at " + intercept + ", " + predictors);
    }
  }

  /** Returns γ = Aθ. θ is not modified. */
  public double[] toPoint(double[] theta) {
    return moved(theta, 1);
  }

  /** Returns θ = A⁻¹γ. γ is not modified. */
  public double[] toStored(double[] gamma) {
    return moved(gamma, -1);
  }

  private double[] moved(double[] from, double sign) {
    double[] to = from.clone();
    for (int p = 0; p < intercepts.length; p++) {
      int base = predictors.start(p);
      int[] columns = predictors.columns(p);
      double sum = 0;
      for (int j = 0; j < columns.length; j++) {
        sum += shift[columns[j]] * from[base + j];
      }
      to[intercepts[p]] += sign * sum;
    }
    return to;
  }

  /** Returns whether an element of θ is an intercept. */
  public boolean isIntercept(int j) {
    return IntStream.of(intercepts).anyMatch(place -> place == j);
  }

  /** Replaces the gradient of a function in γ by that in θ, Aᵀg. Modified. */
  public void gradientToStored(double[] gradient) {
    transpose(gradient, 0, 1, 1);
  }

  /** Replaces the gradient of a function in θ by that in γ, A⁻ᵀg. Modified. */
  public void gradientToPoint(double[] gradient) {
    transpose(gradient, 0, 1, -1);
  }

  /** Converts the diagonal of a Hessian in γ that is diagonal to the Hessian's in θ. Modified. */
  public void diagonalToStored(double[] diagonal) {
    for (int p = 0; p < intercepts.length; p++) {
      int base = predictors.start(p);
      int[] columns = predictors.columns(p);
      for (int j = 0; j < columns.length; j++) {
        double s = shift[columns[j]];
        diagonal[base + j] += s * s * diagonal[intercepts[p]];
      }
    }
  }

  /** Returns which elements of θ are intercepts. */
  public int[] intercepts() {
    return intercepts.clone();
  }

  /**
   * Converts the diagonal of the Hessian H of a function in θ to the Hessian's in γ, A⁻ᵀHA⁻¹.
   *
   * @param diagonal modified
   * @param products the columns of H for the intercepts, d × predictors. Not modified.
   */
  public void diagonalToPoint(double[] diagonal, double[] products) {
    int count = intercepts.length;
    for (int p = 0; p < count; p++) {
      int base = predictors.start(p);
      int[] columns = predictors.columns(p);
      double own = products[intercepts[p] * count + p];
      for (int j = 0; j < columns.length; j++) {
        double s = shift[columns[j]];
        diagonal[base + j] += s * (s * own - 2 * products[(base + j) * count + p]);
      }
    }
  }

  /** Replaces the Hessian H of a function in θ by that in γ, A⁻ᵀHA⁻¹, row-major d × d. Modified. */
  public void hessianToPoint(double[] hessian, int d) {
    transpose(hessian, d, -1);
  }

  /** Replaces the Hessian H of a function in γ by that in θ, AᵀHA, row-major d × d. Modified. */
  public void hessianToStored(double[] hessian, int d) {
    transpose(hessian, d, 1);
  }

  private void transpose(double[] hessian, int d, double sign) {
    for (int i = 0; i < d; i++) {
      transpose(hessian, i, d, sign);
    }
    for (int i = 0; i < d; i++) {
      transpose(hessian, i * d, 1, sign);
    }
  }

  /** Adds sign·shift_j times a vector's intercept to its elements j: stride apart, from one on. */
  private void transpose(double[] values, int from, int stride, double sign) {
    for (int p = 0; p < intercepts.length; p++) {
      int base = from + predictors.start(p) * stride;
      int[] columns = predictors.columns(p);
      double atIntercept = values[from + intercepts[p] * stride];
      for (int j = 0; j < columns.length; j++) {
        values[base + j * stride] += sign * shift[columns[j]] * atIntercept;
      }
    }
  }

  /**
   * Returns the covariance of θ given γ's covariance C: A⁻¹CA⁻ᵀ, row-major d × d. C is not
   * modified.
   */
  public double[] covarianceToStored(double[] covariance, int d) {
    double[] rows = covariance.clone();
    for (int p = 0; p < intercepts.length; p++) {
      int base = predictors.start(p);
      int[] columns = predictors.columns(p);
      for (int j = 0; j < columns.length; j++) {
        for (int k = 0; k < d; k++) {
          rows[intercepts[p] * d + k] -= shift[columns[j]] * rows[(base + j) * d + k];
        }
      }
    }
    for (int p = 0; p < intercepts.length; p++) {
      int base = predictors.start(p);
      int[] columns = predictors.columns(p);
      for (int j = 0; j < columns.length; j++) {
        for (int k = 0; k < d; k++) {
          rows[k * d + intercepts[p]] -= shift[columns[j]] * rows[k * d + base + j];
        }
      }
    }
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < i; j++) {
        rows[i * d + j] = rows[j * d + i];
      }
    }
    return rows;
  }
}
