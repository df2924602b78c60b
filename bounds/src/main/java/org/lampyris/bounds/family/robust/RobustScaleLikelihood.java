package org.lampyris.bounds.family.robust;

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
}
