package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Digamma;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.lampyris.bounds.laplace.Cholesky;

/**
 * Distance of all variables together from a reference run, by means and covariances: the
 * Kullback–Leibler divergence of N(m, S) from the reference's N(m₀, S₀), ½ (tr S₀⁻¹S − d + (m −
 * m₀)ᵀS₀⁻¹(m − m₀) + log det S₀ − log det S), in nats.
 *
 * @param value the divergence; infinite where S is singular, NaN where S₀ is or nearly is
 * @param expected its expectation by chance alone, were both runs to draw from one normal
 *     distribution; infinite where there are too few effective draws for one
 * @param variables d
 */
public record GaussianDivergence(double value, double expected, int variables) {
  /** The share of a variable's variance that those before leave; below, it may be rounding. */
  private static final double LEAST_LEFT = 1e-11;

  /**
   * Returns how far a run is from the reference. Cost O(S d² + d³) for S draws.
   *
   * @param reference the reference's draws, variables × chains × iterations. Not modified.
   * @param run the run's draws of the same variables. Not modified.
   */
  public static GaussianDivergence of(double[][][] reference, double[][][] run) {
    int d = reference.length;
    double[] means = Arrays.stream(reference).mapToDouble(GaussianDivergence::mean).toArray();
    double[] covariance = covariance(reference, means);
    double[] lower =
        Cholesky.scaled(covariance, d).isPresent()
            ? Cholesky.lower(covariance, d)
            : new double[d * d];
    for (int j = 0; j < d * d; j += d + 1) {
      if (!(lower[j] * lower[j] > LEAST_LEFT * covariance[j])) {
        return new GaussianDivergence(Double.NaN, Double.NaN, d);
      }
    }
    // In coordinates where the reference has mean 0 and covariance I.
    double[][][] z = whitened(run, means, lower);
    double[] shift = Arrays.stream(z).mapToDouble(GaussianDivergence::mean).toArray();
    double[] s = covariance(z, shift);
    Optional<Cholesky> factor = Cholesky.scaled(s, d);
    double sum = -factor.map(Cholesky::logDeterminant).orElse(Double.NEGATIVE_INFINITY);
    for (int j = 0; j < d; j++) {
      sum += s[j * d + j] - 1 + shift[j] * shift[j];
    }
    Size size0 = Size.of(whitened(reference, means, lower));
    return new GaussianDivergence(sum / 2, expected(size0, Size.of(z), d), d);
  }

  private static double mean(double[][] draws) {
    return DrawMoments.mean(Chains.pool(draws));
  }

  private static double[] covariance(double[][][] draws, double[] means) {
    int d = draws.length;
    DMatrixRMaj centred = new DMatrixRMaj(d, draws[0].length * draws[0][0].length);
    for (int j = 0; j < d; j++) {
      double[] pooled = Chains.pool(draws[j]);
      for (int i = 0; i < pooled.length; i++) {
        centred.set(j, i, pooled[i] - means[j]);
      }
    }
    DMatrixRMaj covariance = new DMatrixRMaj(d, d);
    CommonOps_DDRM.multOuter(centred, covariance);
    CommonOps_DDRM.scale(1.0 / (centred.getNumCols() - 1), covariance);
    return covariance.getData();
  }

  /** Returns L⁻¹(x − m) of every draw x. */
  private static double[][][] whitened(double[][][] draws, double[] means, double[] lower) {
    int d = draws.length;
    double[][][] out = new double[d][draws[0].length][draws[0][0].length];
    double[] x = new double[d];
    for (int chain = 0; chain < out[0].length; chain++) {
      for (int i = 0; i < out[0][0].length; i++) {
        for (int j = 0; j < d; j++) {
          x[j] = draws[j][chain][i] - means[j];
        }
        Cholesky.solveLower(lower, x);
        for (int j = 0; j < d; j++) {
          out[j][chain][i] = x[j];
        }
      }
    }
    return out;
  }

  /**
   * Equivalent number of independent draws of a normal distribution: for means, whose variance is
   * sd²/n, and for covariances, whose sds have about sd²/(2n).
   */
  record Size(double ofMeans, double ofCovariances) {

    /**
     * Takes draws with covariance I, for which 1/n, in which the expectation is linear, is
     * averaged.
     */
    private static Size of(double[][][] draws) {
      double means = 0;
      double sds = 0;
      for (double[][] variable : draws) {
        double variance = DrawMoments.variance(Chains.pool(variable));
        means += Math.pow(Diagnostics.mcseMean(variable), 2) / variance;
        sds += 2 * Math.pow(Diagnostics.mcseSd(variable), 2) / variance;
      }
      return new Size(draws.length / means, draws.length / sds);
    }
  }

  /**
   * Returns the expected divergence of one set of independent draws from another of the same normal
   * distribution in d dimensions. With n draws and ν = n − 1, νS is a Wishart matrix: E S⁻¹ = Σ⁻¹
   * ν/(ν − d − 1), and E log det S = log det Σ + Σ_{i&lt;d} ψ((ν − i)/2) + d log(2/ν). To the first
   * order it is ½ (1/n + 1/n₀)(d + d(d + 1)/2), d for the means and the rest for the covariances.
   *
   * <p>Source: Muirhead (1982), "Aspects of Multivariate Statistical Theory", section 3.2.
   */
  static double expected(Size reference, Size run, int d) {
    double nu0 = reference.ofCovariances() - 1;
    double nu = run.ofCovariances() - 1;
    if (Math.min(nu0, nu) <= d + 1) {
      return Double.POSITIVE_INFINITY;
    }
    double determinants = d * Math.log(nu / nu0);
    for (int i = 0; i < d; i++) {
      determinants += Digamma.value((nu0 - i) / 2) - Digamma.value((nu - i) / 2);
    }
    double inverse = nu0 / (nu0 - d - 1);
    double means = d * inverse * (1 / reference.ofMeans() + 1 / run.ofMeans());
    return 0.5 * (means + d * (inverse - 1) + determinants);
  }

  /**
   * Returns the value that the divergence exceeds by chance at the rate of false alarms: to first
   * order it is a multiple of a χ² with d + d(d + 1)/2 degrees of freedom.
   */
  public double limit(FalseAlarms chance) {
    double degrees = variables * (variables + 3) / 2.0;
    return expected * chance.chiSquared(degrees) / degrees;
  }

  /** Returns whether the runs differ beyond chance; undefined values do not count. */
  public boolean differs(FalseAlarms chance) {
    return value > limit(chance);
  }
}
