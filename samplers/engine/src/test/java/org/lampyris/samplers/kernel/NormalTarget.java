package org.lampyris.samplers.kernel;

/** A normal density of covariance LLᵀ about a mean, L lower triangular; counts the questions. */
final class NormalTarget implements LogDensity {
  private final double[] mean;
  private final Preconditioner factor;
  private long questions;
  private long points;

  NormalTarget(double[] mean, Preconditioner factor) {
    this.mean = mean.clone();
    this.factor = factor;
  }

  long questions() {
    return questions;
  }

  long points() {
    return points;
  }

  @Override
  public int dimension() {
    return mean.length;
  }

  private double[] whitened(double[] theta) {
    double[] deviation = theta.clone();
    for (int i = 0; i < deviation.length; i++) {
      deviation[i] -= mean[i];
    }
    return factor.inverse(deviation);
  }

  private static double logDensity(double[] u) {
    double squares = 0;
    for (double x : u) {
      squares += x * x;
    }
    return -0.5 * squares;
  }

  @Override
  public void values(double[][] thetas, double[] out) {
    questions++;
    points += thetas.length;
    for (int k = 0; k < thetas.length; k++) {
      out[k] = logDensity(whitened(thetas[k]));
    }
  }

  @Override
  public double valueAndGradient(double[] theta, double[] gradient) {
    questions++;
    points++;
    double[] u = whitened(theta);
    // −L⁻ᵀu, column by column of L⁻¹
    for (int j = 0; j < u.length; j++) {
      double[] unit = new double[u.length];
      unit[j] = 1;
      double[] column = factor.inverse(unit);
      gradient[j] = 0;
      for (int i = 0; i < u.length; i++) {
        gradient[j] -= column[i] * u[i];
      }
    }
    return logDensity(u);
  }
}
