package org.lampyris.samplers.program.mixture;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Distribution;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Member;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.random.Noise;

/**
 * A cluster's mean μ and covariance Σ: Σ ~ IW(ν, S), of density ∝ |Σ|^(−(ν+d+1)/2) exp(−½ tr SΣ⁻¹),
 * and μ | Σ ~ N(m, Σ/κ). Given n rows with the sums Σx and Σxxᵀ, it has the same form,
 *
 * <pre>κ′ = κ + n, ν′ = ν + n, m′ = (κm + Σx)/κ′, S′ = S + Σxxᵀ + κmmᵀ − κ′m′m′ᵀ.</pre>
 *
 * <p>Drawn by Bartlett's decomposition: with S = LLᵀ and A lower triangular, A_ii² ~ χ² with ν − i
 * degrees of freedom, i from 0, and normal elements below, Σ⁻¹ = L⁻ᵀAAᵀL⁻¹. A draw is μ, the factor
 * P = AᵀL⁻¹ of Σ⁻¹ = PᵀP, and log|P|: d + d² + 1 numbers, which {@link #normal} turns into
 * densities.
 *
 * <p>Source: Murphy (2007), Conjugate Bayesian analysis of the Gaussian distribution, equations 250
 * to 258; Bartlett (1933).
 *
 * @param mean m
 * @param kappa κ
 * @param nu ν, above d − 1
 * @param scale S, row-major d × d
 */
public record NormalInverseWishart(double[] mean, double kappa, double nu, double[] scale)
    implements Distribution {
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  /** Returns d. */
  public int columns() {
    return mean.length;
  }

  @Override
  public int dimension() {
    return columns() + columns() * columns() + 1;
  }

  @Override
  public List<Term> parameters() {
    return List.of();
  }

  /** Returns how many numbers the sums of a cluster's rows have: 1, x and xxᵀ. */
  int statistics() {
    return 1 + columns() + columns() * columns();
  }

  /** Adds a row's share, times ±1, to sums that begin at {@code at}. Modified. */
  void add(double[] x, double sign, double[] sums, int at) {
    int d = columns();
    sums[at] += sign;
    for (int i = 0; i < d; i++) {
      sums[at + 1 + i] += sign * x[i];
      for (int j = 0; j < d; j++) {
        sums[at + 1 + d + i * d + j] += sign * x[i] * x[j];
      }
    }
  }

  /** Returns the distribution given rows with these sums. */
  NormalInverseWishart given(double[] sums) {
    int d = columns();
    double k = kappa + sums[0];
    double[] m = new double[d];
    double[] s = scale.clone();
    for (int i = 0; i < d; i++) {
      m[i] = (kappa * mean[i] + sums[1 + i]) / k;
    }
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        // The same order of the factors for (i, j) and (j, i), so that S stays symmetric.
        s[i * d + j] += sums[1 + d + i * d + j] + kappa * (mean[i] * mean[j]) - k * (m[i] * m[j]);
      }
    }
    return new NormalInverseWishart(m, k, nu + sums[0], s);
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    int d = columns();
    Noise noise = Noise.of(rng);
    double[] lower = Cholesky.lower(scale, d);
    double[] a = new double[d * d];
    double logDet = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < i; j++) {
        a[i * d + j] = noise.normal();
      }
      a[i * d + i] = Math.sqrt(ChiSquaredDistribution.of(nu - i).createSampler(rng).sample());
      logDet += Math.log(a[i * d + i]) - Math.log(lower[i * d + i]);
    }
    for (int column = 0; column < d; column++) {
      double[] inverse = new double[d];
      inverse[column] = 1;
      Cholesky.solveLower(lower, inverse);
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int k = i; k < d; k++) {
          sum += a[k * d + i] * inverse[k];
        }
        out[at + d + i * d + column] = sum;
      }
    }
    out[at + d + d * d] = logDet;
    double[] z = noise.normals(d);
    TriangularSolver_DDRM.solveTranL(a, z, d);
    for (int i = 0; i < d; i++) {
      double sum = 0;
      for (int k = 0; k <= i; k++) {
        sum += lower[i * d + k] * z[k];
      }
      out[at + i] = mean[i] + sum / Math.sqrt(kappa);
    }
  }

  /** Returns the normal distribution of a row of a cluster: log|P| − ½‖P(x − μ)‖² − d/2 log 2π. */
  public Density normal(Member cluster) {
    return new ClusterNormal(columns(), cluster);
  }

  /** Returns whether a distribution is the one of rows in a family's clusters. */
  static boolean isOf(@Nullable Distribution distribution, Node family) {
    return distribution instanceof ClusterNormal normal && normal.cluster.family().equals(family);
  }

  private record ClusterNormal(int dimension, Member cluster) implements Density {
    @Override
    public List<Term> parameters() {
      return List.of(given -> given.of(cluster)[0]);
    }

    @Override
    public double logDensity(Given given, double[] x, int at) {
      double[] values = given.of(cluster);
      int d = dimension;
      double squares = 0;
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int j = 0; j < d; j++) {
          sum += values[d + i * d + j] * (x[at + j] - values[j]);
        }
        squares += sum * sum;
      }
      return values[d + d * d] - 0.5 * squares - d * HALF_LOG_2_PI;
    }

    @Override
    public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
      throw new IllegalStateException("the mean and covariance of a cluster's rows are observed");
    }
  }
}
