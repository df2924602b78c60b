package org.lampyris.bounds.family.robust;

import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StudentDensity;

/**
 * Robust regression: (y − η)/σ has a standard Student-t density with ν degrees of freedom, so that
 * log L(η; y) = log t_ν((y − η)/σ) − log σ, natural log.
 *
 * <p>With r = y − η: dlog L/dη = (ν + 1) r / (νσ² + r²) and d²log L/dη² = −(ν + 1)(νσ² − r²) / (νσ²
 * + r²)², which is positive for |r| above σ√ν: the log-likelihood is not concave.
 *
 * <p>Source: Maclaurin and Adams (2014), section 4.3.
 */
public final class RobustLikelihood implements Likelihood {
  private final double df;
  private final double scale;
  private final double logConstant;

  /**
   * Takes the parameters, which are not sampled.
   *
   * @param df ν, above 0
   * @param scale σ, above 0, in units of the response
   */
  public RobustLikelihood(double df, double scale) {
    this.df = Parameters.requirePositive("df", df);
    this.scale = Parameters.requirePositive("scale", scale);
    this.logConstant = StudentDensity.logConstant(df) - Math.log(scale);
  }

  /** Returns ν. */
  public double df() {
    return df;
  }

  /** Returns σ. */
  public double scale() {
    return scale;
  }

  @Override
  public double logLikelihood(double eta, double y) {
    return StudentDensity.logKernel((y - eta) / scale, df) + logConstant;
  }

  @Override
  public double derivative(double eta, double y) {
    return -StudentDensity.derivative((y - eta) / scale, df) / scale;
  }

  @Override
  public double secondDerivative(double eta, double y) {
    return StudentDensity.secondDerivative((y - eta) / scale, df) / scale / scale;
  }

  /**
   * {@inheritDoc}
   *
   * <p>With x = |r|/(σ√ν), |log L″| = (ν + 1)/(νσ²) · |1 − x²|/(1 + x²)² has its peaks at 0, where
   * it is largest, and √3, and |log L‴| = (ν + 1)(νσ²)^−3/2 · 2x|3 − x²|/(1 + x²)³ at √2 ∓ 1, (3 +
   * 2√2)/4 at the first. In an interval each is largest where that is as near to a peak as it
   * comes.
   */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    double s = df * scale * scale;
    double root = Math.sqrt(s);
    double near = Math.max(0, Math.max(low - y, y - high)) / root;
    double far = Math.max(y - low, high - y) / root;
    return order == 2
        ? (df + 1) / s * Math.max(second(near), second(within(near, far, Math.sqrt(3))))
        : (df + 1)
            / (s * root)
            * Math.max(
                third(within(near, far, Math.sqrt(2) - 1)),
                third(within(near, far, Math.sqrt(2) + 1)));
  }

  private static double within(double near, double far, double peak) {
    return Math.max(near, Math.min(far, peak));
  }

  private static double second(double x) {
    return Math.abs(1 - x * x) / ((1 + x * x) * (1 + x * x));
  }

  private static double third(double x) {
    return x == Math.sqrt(2) - 1
        ? 0.75 + Math.sqrt(0.5)
        : 2 * x * Math.abs(3 - x * x) / Math.pow(1 + x * x, 3);
  }
}
