package org.lampyris.bounds.effects;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Effects of the levels of a grouping factor, b_j ~ N(0, Σ) for each level j with Σ = LLᵀ of an
 * {@link EffectCovariance}, or the penalised coefficients of a smooth, which are levels of one
 * effect each: T is L for every level.
 */
public final class LevelScales implements ScaleGroup {
  private final EffectCovariance covariance;
  private final int[] coefficients;
  private final List<String> names;
  private final List<String> priors;

  /**
   * Makes the group.
   *
   * @param effects the effects of a level, and the priors of their covariance
   * @param first the index in θ of the first effect of the first level
   * @param levels how many levels there are, whose effects lie one after the other
   */
  public LevelScales(GroupingEffects effects, int first, int levels) {
    this.covariance = new EffectCovariance(effects);
    this.coefficients = new int[levels * effects.size()];
    Arrays.setAll(coefficients, i -> first + i);
    this.names = effects.names();
    this.priors = effects.priors();
  }

  /**
   * Makes the group of coefficients that share a standard deviation.
   *
   * @param sd its prior
   * @param coefficients their indices in θ, ascending; not copied
   */
  public LevelScales(String name, UnivariatePrior sd, int[] coefficients) {
    GroupingEffects one = new GroupingEffects(name, List.of("(Intercept)"), sd, 1);
    this.covariance = new EffectCovariance(one);
    this.coefficients = coefficients;
    this.names = List.of(name);
    this.priors = one.priors();
  }

  @Override
  public int parameters() {
    return covariance.parameters();
  }

  @Override
  public int[] coefficients() {
    return coefficients;
  }

  @Override
  public List<ScaleCoordinate> coordinates() {
    return covariance.coordinates();
  }

  @Override
  public double logPrior(double[] phi) {
    return covariance.logPrior(phi);
  }

  @Override
  public double logConstant() {
    return covariance.logConstant();
  }

  @Override
  public void whiten(double[] phi, double[] b) {
    int q = covariance.size();
    double[] l = covariance.factor(phi);
    for (int at = 0; at < b.length; at += q) {
      for (int e = 0; e < q; e++) {
        double sum = b[at + e];
        for (int f = 0; f < e; f++) {
          sum -= l[e * q + f] * b[at + f];
        }
        b[at + e] = sum / l[e * q + e];
      }
    }
  }

  @Override
  public void color(double[] phi, double[] u) {
    int q = covariance.size();
    double[] l = covariance.factor(phi);
    for (int at = 0; at < u.length; at += q) {
      for (int e = q - 1; e >= 0; e--) {
        double sum = 0;
        for (int f = 0; f <= e; f++) {
          sum += l[e * q + f] * u[at + f];
        }
        u[at + e] = sum;
      }
    }
  }

  @Override
  public double[] sds(double[] phi) {
    double[] sds = new double[coefficients.length];
    Arrays.setAll(sds, i -> Math.exp(phi[i % covariance.size()]));
    return sds;
  }

  @Override
  public double logDeterminant(double[] phi) {
    int q = covariance.size();
    double[] l = covariance.factor(phi);
    double sum = 0;
    for (int e = 0; e < q; e++) {
      sum += Math.log(l[e * q + e]);
    }
    int levels = coefficients.length / q;
    return levels * sum;
  }

  @Override
  public void addPrecision(double[] phi, double[] matrix, int d) {
    int q = covariance.size();
    double[] precision = levelPrecision(phi);
    for (int at = 0; at < coefficients.length; at += q) {
      for (int e = 0; e < q; e++) {
        for (int f = 0; f < q; f++) {
          matrix[coefficients[at + e] * d + coefficients[at + f]] += precision[e * q + f];
        }
      }
    }
  }

  @Override
  public void addGradient(double[] phi, double[] b, double[] gradient) {
    int q = covariance.size();
    double[] precision = levelPrecision(phi);
    for (int at = 0; at < b.length; at += q) {
      for (int e = 0; e < q; e++) {
        double sum = 0;
        for (int f = 0; f < q; f++) {
          sum += precision[e * q + f] * b[at + f];
        }
        gradient[coefficients[at + e]] -= sum;
      }
    }
  }

  /** {@inheritDoc} Σ⁻¹ = L⁻ᵀL⁻¹, q × q. */
  @Override
  public double[] levelPrecision(double[] phi) {
    int q = covariance.size();
    double[][] columns = new double[q][q];
    for (int f = 0; f < q; f++) {
      columns[f][f] = 1;
      whiten(phi, columns[f]);
    }
    double[] precision = new double[q * q];
    for (int e = 0; e < q; e++) {
      for (int f = 0; f < q; f++) {
        for (int k = 0; k < q; k++) {
          precision[e * q + f] += columns[e][k] * columns[f][k];
        }
      }
    }
    return precision;
  }

  /** {@inheritDoc} Here all of them. */
  @Override
  public int[] shared() {
    int[] all = new int[parameters()];
    Arrays.setAll(all, k -> k);
    return all;
  }

  /** {@inheritDoc} Here log sd_e multiplies effect e of every level. */
  @Override
  public int @Nullable [] multiplied(int k) {
    int q = covariance.size();
    return k < q ? IntStream.range(0, coefficients.length / q).map(j -> j * q + k).toArray() : null;
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public List<String> priors() {
    return priors;
  }

  @Override
  public double[] reported(double[] phi) {
    return covariance.reported(phi);
  }
}
