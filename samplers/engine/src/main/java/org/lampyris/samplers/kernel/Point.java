package org.lampyris.samplers.kernel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Point of a chain.
 *
 * @param theta θ; copied
 * @param logDensity the target's log-density at θ, natural log without its normalising constant;
 *     NaN if it must be evaluated again because the target has changed
 * @param gradient the gradient of the log-density at θ, copied; null where it is not known
 */
public record Point(double[] theta, double logDensity, double @Nullable [] gradient)
    implements SamplerState {
  public Point(double[] theta, double logDensity, double @Nullable [] gradient) {
    this.theta = theta.clone();
    this.logDensity = logDensity;
    this.gradient = gradient == null ? null : gradient.clone();
  }

  /** A point whose gradient is not known. */
  public Point(double[] theta, double logDensity) {
    this(theta, logDensity, null);
  }

  @Override
  public Point point() {
    return this;
  }

  /** Returns a point of which only θ is known, for instance after the target has changed. */
  public static Point at(double[] theta) {
    return new Point(theta, Double.NaN);
  }

  /**
   * Returns a point with its log-density and its gradient, at the price of one evaluation.
   *
   * <p>If the gradient is not finite, or the density is 0, the point has the gradient 0. That
   * leaves every kernel here exact: MALA, HMC and Barker's proposal are, for any vector field in
   * the place of the gradient, as long as it depends on θ alone. A point that is not finite has
   * density 0 without being asked about.
   *
   * @param theta θ. Not modified.
   */
  public static Point evaluate(LogDensity target, double[] theta) {
    double[] gradient = new double[theta.length];
    if (!isFinite(theta)) {
      return new Point(theta, Double.NEGATIVE_INFINITY, gradient);
    }
    double logDensity = target.valueAndGradient(theta, gradient);
    if (Double.isNaN(logDensity)) {
      logDensity = Double.NEGATIVE_INFINITY;
    }
    if (logDensity == Double.NEGATIVE_INFINITY || !isFinite(gradient)) {
      gradient = new double[theta.length];
    }
    return new Point(theta, logDensity, gradient);
  }

  private static boolean isFinite(double[] vector) {
    for (double element : vector) {
      if (!Double.isFinite(element)) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if the log-density at θ is known. */
  public boolean isEvaluated() {
    return !Double.isNaN(logDensity);
  }

  /** Returns this point with its log-density and gradient, evaluated unless both are known. */
  public Point withGradient(LogDensity target) {
    return isEvaluated() && gradient != null ? this : evaluate(target, theta);
  }

  /** Returns the gradient, which must be known. */
  public double[] knownGradient() {
    if (gradient == null) {
      throw new IllegalStateException("a point without its gradient");
    }
    return gradient;
  }

  /**
   * Returns the log-density here, then at other points, which are not modified, from one question.
   * It includes this point only if its log-density is unknown.
   */
  public double[] logDensities(LogDensity target, double[]... others) {
    double[] values = new double[1 + others.length];
    int known = isEvaluated() ? 1 : 0;
    double[][] thetas = new double[values.length][];
    thetas[0] = theta;
    System.arraycopy(others, 0, thetas, 1, others.length);
    double[] asked = new double[values.length - known];
    target.values(Arrays.copyOfRange(thetas, known, thetas.length), asked);
    values[0] = logDensity;
    System.arraycopy(asked, 0, values, known, asked.length);
    return values;
  }
}
