package org.lampyris.bounds.prior;

/**
 * exp(−½ θᵀQθ + rᵀθ), a normal density up to a constant, or a part of one.
 *
 * @param precision Q, row-major d × d, symmetric; not copied
 * @param shift r; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GaussianFactor(double[] precision, double[] shift) implements PriorTerm {
  /** Adds r − Qθ to a gradient, modified, and returns −½ θᵀQθ + rᵀθ. */
  @Override
  public double addGradient(double[] theta, double[] gradient) {
    int d = shift.length;
    double value = 0;
    for (int i = 0; i < d; i++) {
      double product = 0;
      for (int j = 0; j < d; j++) {
        product += precision[i * d + j] * theta[j];
      }
      gradient[i] += shift[i] - product;
      value += theta[i] * (shift[i] - 0.5 * product);
    }
    return value;
  }

  @Override
  public double value(double[] theta) {
    return addGradient(theta, new double[theta.length]);
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    for (int j = 0; j < shift.length; j++) {
      diagonal[j] -= precision[j * shift.length + j];
    }
  }
}
