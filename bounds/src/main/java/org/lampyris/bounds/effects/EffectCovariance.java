package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.numbers.gamma.LogBeta;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Covariance Σ = LLᵀ of the effects of a grouping, by unbounded coordinates φ: log sd_e, then for
 * each correlation, row by row, y = artanh of a canonical partial correlation z_ef, f &lt; e.
 *
 * <p>L = DC with D the standard deviations and C the Cholesky factor of the correlations: C_ef =
 * z_ef Π_{g&lt;f} √(1 − z_eg²), C_ee = Π_{g&lt;e} √(1 − z_eg²). Under LKJ(η) the z are independent
 * with p(y_ef) ∝ (1 − z_ef²)^(η − 1 + (q − f)/2), f from 0. Source: Lewandowski, Kurowicka and Joe
 * (2009), section 2.4; the Stan reference manual for the factor. Effects of different {@linkplain
 * GroupingEffects#blocks blocks} have z_ef = 0 and no coordinate; in the formulas q and f then
 * count within the block. Matrices are row-major, q × q.
 */
public final class EffectCovariance implements Serializable {
  private final int size;
  private final int parameters;
  private final List<UnivariatePrior> sds;
  private final GroupingEffects effects;

  /** The first effect of the block of each effect. */
  private final int[] begin;

  /** Where the correlations of each effect with the earlier ones of its block begin in φ. */
  private final int[] start;

  /** Of each correlation in φ, η − 1 + (q − f)/2. */
  private final double[] exponent;

  /** Takes the size and the priors of a grouping's effects. */
  public EffectCovariance(GroupingEffects effects) {
    this.effects = effects;
    size = effects.size();
    parameters = effects.parameters();
    sds = effects.sds();
    begin = new int[size];
    start = new int[size];
    exponent = new double[parameters];
    int at = size;
    int from = 0;
    for (GroupingEffects.Block block : effects.blocks()) {
      for (int e = from; e < from + block.size(); e++) {
        begin[e] = from;
        start[e] = at;
        for (int f = 0; f < e - from; f++) {
          exponent[at++] = block.shape() - 1 + 0.5 * (block.size() - f);
        }
      }
      from += block.size();
    }
  }

  /** Returns q. */
  public int size() {
    return size;
  }

  /** Returns how many elements φ has. */
  public int parameters() {
    return parameters;
  }

  private int index(int e, int f) {
    return start[e] + f - begin[e];
  }

  /** Returns C. */
  private double[] correlationFactor(double[] phi) {
    double[] c = new double[size * size];
    for (int e = 0; e < size; e++) {
      double left = 1;
      for (int f = begin[e]; f < e; f++) {
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
      sum += sds.get(e).logDensity(Math.exp(phi[e])) + phi[e];
      for (int f = begin[e]; f < e; f++) {
        int k = index(e, f);
        sum -= 2 * exponent[k] * logCosh(phi[k]);
      }
    }
    return Double.isNaN(sum) ? Double.NEGATIVE_INFINITY : sum;
  }

  /**
   * Returns the constant that {@link #logPrior} lacks: −log ∫(1 − z²)^(a − 1) dz = −log(2^(2a − 1)
   * B(a, a)) for each correlation; NaN if the prior of a standard deviation is improper.
   */
  double logConstant() {
    if (!sds.stream().allMatch(UnivariatePrior::isNormalised)) {
      return Double.NaN;
    }
    double sum = 0;
    for (int k = size; k < parameters; k++) {
      double a = exponent[k];
      sum -= (2 * a - 1) * Math.log(2) + LogBeta.value(a, a);
    }
    return sum;
  }

  /** Returns the prior of each element of φ: p(z) ∝ (1 − z²)^(a − 1) for p(y) ∝ (1 − z²)^a. */
  List<ScaleCoordinate> coordinates() {
    List<ScaleCoordinate> coordinates = new ArrayList<>();
    sds.forEach(sd -> coordinates.add(new ScaleCoordinate.LogScale(sd)));
    for (int k = size; k < parameters; k++) {
      coordinates.add(new ScaleCoordinate.PartialCorrelation(exponent[k]));
    }
    return coordinates;
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
      gradient[from + e] += s * sds.get(e).derivative(s) + 1;
      for (int f = begin[e]; f < e; f++) {
        int k = index(e, f);
        gradient[from + k] -= 2 * exponent[k] * Math.tanh(phi[k]);
      }
    }
  }

  /**
   * Returns the standard deviations, then the correlations, row by row, of the effects of the
   * columns as they are: those of Σ where all origins are 0.
   */
  public double[] reported(double[] phi) {
    double[] rows = correlationFactor(phi);
    double[] sds = new double[size];
    Arrays.setAll(sds, e -> Math.exp(phi[e]));
    if (effects.isElsewhere()) {
      rows = factor(phi);
      effects.toInput(rows, 0, size);
      for (int e = 0; e < size; e++) {
        sds[e] = Math.sqrt(product(rows, e, e));
        for (int g = 0; g < size; g++) {
          rows[e * size + g] /= sds[e];
        }
      }
    }
    double[] out = Arrays.copyOf(sds, parameters);
    for (int e = 0; e < size; e++) {
      for (int f = begin[e]; f < e; f++) {
        out[index(e, f)] = Math.max(-1, Math.min(1, product(rows, e, f)));
      }
    }
    return out;
  }

  /** Returns the product of two rows of a q × q matrix. */
  private double product(double[] rows, int e, int f) {
    double sum = 0;
    for (int g = 0; g < size; g++) {
      sum += rows[e * size + g] * rows[f * size + g];
    }
    return sum;
  }
}
