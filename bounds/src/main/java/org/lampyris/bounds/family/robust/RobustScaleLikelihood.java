package org.lampyris.bounds.family.robust;

import java.util.function.DoubleUnaryOperator;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StudentDensity;

/**
 * Robust regression with its scale σ = e^τ sampled: log L(η, τ; y) = k(z) − τ, z = (y − η)/σ, where
 * k is the standard Student-t log-density with ν degrees of freedom.
 *
 * <p>∂η = −k′/σ, ∂τ = −zk′ − 1, ∂²η = k″/σ², ∂η∂τ = (k′ + zk″)/σ and ∂²τ = zk′ + z²k″.
 */
public final class RobustScaleLikelihood implements DispersedLikelihood {
  /** Beyond, z² is not to overflow. */
  private static final double FAR = 1e150;

  /** Where √(w(1 − w))(1 − w)(3 − 4w) has no slope: 8w² − 8w + 1 = 0. */
  private static final double[] THIRD = {0.5 - Math.sqrt(0.125), 0.5 + Math.sqrt(0.125)};

  /** Where (1 − w)²(1 − 4w) has none. */
  private static final double[] SECOND = {0.5};

  /** Where √(w(1 − w))(1 − w)(1 − 2w) has none: 12w² − 10w + 1 = 0. */
  private static final double[] FIRST = {(5 - Math.sqrt(13)) / 12, (5 + Math.sqrt(13)) / 12};

  /** Where w(1 − w)(1 − 2w) has none: 6w² − 6w + 1 = 0. */
  private static final double[] NONE = {0.5 - Math.sqrt(1.0 / 12), 0.5 + Math.sqrt(1.0 / 12)};

  private final double df;
  private final double logConstant;

  /** Takes the degrees of freedom ν, above 0. */
  public RobustScaleLikelihood(double df) {
    this.df = Parameters.requirePositive("df", df);
    this.logConstant = StudentDensity.logConstant(df);
  }

  @Override
  public At at(double tau) {
    double s = Math.exp(-tau);
    return new At() {
      @Override
      public double logLikelihood(double eta, double y) {
        return at((y - eta) * s);
      }

      private double at(double z) {
        return StudentDensity.logKernel(z, df) + logConstant - tau;
      }

      @Override
      public double derivatives(double eta, double y, double[] out) {
        double z = (y - eta) * s;
        double first = StudentDensity.derivative(z, df);
        double second = StudentDensity.secondDerivative(z, df);
        out[0] = -first * s;
        out[1] = -z * first - 1;
        out[2] = second * s * s;
        out[3] = (first + z * second) * s;
        out[4] = z * (first + z * second);
        return at(z);
      }
    };
  }

  /**
   * {@inheritDoc}
   *
   * <p>With w = z²/(ν + z²), c = 4(ν + 1) and g = √(w(1 − w)/ν), so that |z|/(ν + z²) = g,
   *
   * <pre>|∂³η| = c/(2νσ³)·g(1 − w)|3 − 4w|, |∂²η∂τ| = c/(2νσ²)·(1 − w)²|1 − 4w|,
   * |∂η∂²τ| = (c/σ)·g(1 − w)|1 − 2w|, |∂³τ| = c·w(1 − w)|1 − 2w|.</pre>
   *
   * <p>Each function of w is largest at an end of the box, or at one of its extrema.
   */
  @Override
  public void thirdDerivatives(double eta, double r, double tau, double s, double y, double[] out) {
    double inverse = Math.exp(s - tau);
    double residual = Math.abs(y - eta);
    double low = share(Math.max(0, residual - r) * Math.exp(-s - tau));
    double high = share((residual + r) * inverse);
    double c = 4 * (df + 1);
    double cubic = inverse * inverse * inverse * c / (2 * df);
    out[0] = cubic * largest(w -> root(w) * (1 - w) * (3 - 4 * w), low, high, THIRD);
    double square = inverse * inverse * c / (2 * df);
    out[1] = square * largest(w -> (1 - w) * (1 - w) * (1 - 4 * w), low, high, SECOND);
    out[2] = inverse * c * largest(w -> root(w) * (1 - w) * (1 - 2 * w), low, high, FIRST);
    out[3] = c * largest(w -> w * (1 - w) * (1 - 2 * w), low, high, NONE);
  }

  private double share(double z) {
    return z > FAR ? 1 : z * z / (df + z * z);
  }

  private double root(double w) {
    return Math.sqrt(w * (1 - w) / df);
  }

  /** Returns the largest |f(w)| for w in an interval, by its ends and the extrema of f. */
  private static double largest(DoubleUnaryOperator f, double low, double high, double... extrema) {
    double most = Math.max(Math.abs(f.applyAsDouble(low)), Math.abs(f.applyAsDouble(high)));
    for (double w : extrema) {
      if (w > low && w < high) {
        most = Math.max(most, Math.abs(f.applyAsDouble(w)));
      }
    }
    return most;
  }
}
