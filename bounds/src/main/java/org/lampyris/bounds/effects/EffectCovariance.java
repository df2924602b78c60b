package org.lampyris.bounds.effects;

import java.io.Serializable;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * The covariance Σ = LLᵀ of the effects of a grouping, by coordinates φ that are not bounded: log
 * sd_e, then for each correlation, row by row, y = artanh of a canonical partial correlation z_ef, f
 * &lt; e.
 *
 * <p>L = DC with D the standard deviations and C the Cholesky factor of the correlations: C_ef =
 * z_ef Π_{g&lt;f} √(1 − z_eg²), C_ee = Π_{g&lt;e} √(1 − z_eg²). Under LKJ(η) the z are independent
 * with p(y_ef) ∝ (1 − z_ef²)^(η − 1 + (q − f)/2), f from 0. Source: Lewandowski, Kurowicka and Joe
 * (2009), section 2.4; the Stan reference manual for the factor. Matrices are row-major, q × q.
 */
public final class EffectCovariance implements Serializable {
  private final int size;
  private final UnivariatePrior sd;
  private final double shape;

  /** Takes the size and the priors of a grouping's effects. */
  public EffectCovariance(GroupEffects effects) {
    size = effects.size();
    sd = effects.sd();
    shape = effects.correlation();
  }

  /** Returns q. */
  public int size() {
    return size;
  }

  /** Returns how many elements φ has. */
  public int parameters() {
    return size * (size + 1) / 2;
  }

  private int index(int e, int f) {
    return size + e * (e - 1) / 2 + f;
  }

  /** Returns C. */
  private double[] correlationFactor(double[] phi) {
    double[] c = new double[size * size];
    for (int e = 0; e < size; e++) {
      double left = 1;
      for (int f = 0; f < e; f++) {
        double z = Math.tanh(phi[index(e, f)]);
        c[e * size + f] = z * left;
        left *= Math.sqrt((1 - z) * (1 + z));
      }
      c[e * size + e] = left;
    }
    return c;
  }

  /** Returns L. */
  public double[] factor(double[] phi) {
    double[] l = correlationFactor(phi);
    for (int e = 0; e < size; e++) {
      double s = Math.exp(phi[e]);
      for (int f = 0; f <= e; f++) {
        l[e * size + f] *= s;
      }
    }
    return l;
  }

  /** Returns log p(φ), the correlations' up to a constant; −∞ outside of the support. */
  public double logPrior(double[] phi) {
    double sum = 0;
    for (int e = 0; e < size; e++) {
      sum += sd.logDensity(Math.exp(phi[e])) + phi[e];
      for (int f = 0; f < e; f++) {
        sum -= 2 * exponent(f) * logCosh(phi[index(e, f)]);
      }
    }
    return Double.isNaN(sum) ? Double.NEGATIVE_INFINITY : sum;
  }

  private double exponent(int f) {
    return shape - 1 + 0.5 * (size - f);
  }

  /** Returns log cosh y, with 1 − tanh² y = cosh⁻² y. */
  private static double logCosh(double y) {
    double a = Math.abs(y);
    return a + Math.log1p(Math.exp(-2 * a)) - Math.log(2);
  }

  /** Adds the gradient of log p(φ) to {@code gradient}, from {@code from} on. */
  public void addPriorGradient(double[] phi, double[] gradient, int from) {
    for (int e = 0; e < size; e++) {
      double s = Math.exp(phi[e]);
      gradient[from + e] += s * sd.derivative(s) + 1;
      for (int f = 0; f < e; f++) {
        gradient[from + index(e, f)] -= 2 * exponent(f) * Math.tanh(phi[index(e, f)]);
      }
    }
  }

  /**
   * Adds the gradient of a function of L(φ).
   *
   * @param slope its derivatives in L; those above the diagonal have no part. Not modified.
   * @param from where φ begins in {@code gradient}, which is added to. Modified.
   */
  public void addGradient(double[] phi, double[] slope, double[] gradient, int from) {
    double[] c = correlationFactor(phi);
    for (int e = 0; e < size; e++) {
      double s = Math.exp(phi[e]);
      double along = 0;
      for (int f = 0; f <= e; f++) {
        along += slope[e * size + f] * s * c[e * size + f];
      }
      gradient[from + e] += along;
      for (int f = 0; f < e; f++) {
        double z = Math.tanh(phi[index(e, f)]);
        double left = Math.sqrt(remaining(phi, e, f));
        double change = slope[e * size + f] * left * (1 - z) * (1 + z);
        for (int g = f + 1; g <= e; g++) {
          change -= slope[e * size + g] * c[e * size + g] * z;
        }
        gradient[from + index(e, f)] += s * change;
      }
    }
  }

  /** Returns ∂L/∂φ_k for each k. */
  public double[][] derivatives(double[] phi) {
    double[][] all = new double[parameters()][size * size];
    for (int i = 0; i < size * size; i++) {
      double[] unit = new double[size * size];
      unit[i] = 1;
      double[] along = new double[parameters()];
      addGradient(phi, unit, along, 0);
      for (int k = 0; k < along.length; k++) {
        all[k][i] = along[k];
      }
    }
    return all;
  }

  /** Returns Π_{g&lt;f} (1 − z_eg²). */
  private double remaining(double[] phi, int e, int f) {
    double left = 1;
    for (int g = 0; g < f; g++) {
      double z = Math.tanh(phi[index(e, g)]);
      left *= (1 - z) * (1 + z);
    }
    return left;
  }

  /** Returns the standard deviations, then the correlations, row by row. */
  public double[] reported(double[] phi) {
    double[] c = correlationFactor(phi);
    double[] out = new double[parameters()];
    for (int e = 0; e < size; e++) {
      out[e] = Math.exp(phi[e]);
      for (int f = 0; f < e; f++) {
        double sum = 0;
        for (int g = 0; g <= f; g++) {
          sum += c[e * size + g] * c[f * size + g];
        }
        out[index(e, f)] = sum;
      }
    }
    return out;
  }

  /** Returns φ of a factor L with a positive diagonal, which is not modified. */
  public double[] coordinates(double[] l) {
    double[] phi = new double[parameters()];
    for (int e = 0; e < size; e++) {
      double squared = 0;
      for (int f = 0; f <= e; f++) {
        squared += l[e * size + f] * l[e * size + f];
      }
      double s = Math.sqrt(squared);
      phi[e] = Math.log(s);
      double left = 1;
      for (int f = 0; f < e; f++) {
        double z = l[e * size + f] / s / left;
        double within = Math.max(-0.999999, Math.min(0.999999, z));
        phi[index(e, f)] = 0.5 * Math.log((1 + within) / (1 - within));
        left *= Math.sqrt((1 - within) * (1 + within));
      }
    }
    return phi;
  }
}
