package org.lampyris.samplers.firefly.rates;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Cubature for a standard normal in P ≥ 2 dimensions: E f(Z) ≈ Σ w_k f(z_k), with z = r·s, where s
 * are the axes of a few rotated orthonormal frames, in both directions, and r the nodes of Gauss
 * quadrature for r²/2 ~ Gamma(P/2).
 *
 * <p>Exact for polynomials up to degree 3, and for even ones of |z| up to degree 14; the rotations,
 * drawn once from a fixed seed, average what the axes of a single frame would miss. About a hundred
 * points in few dimensions, 8P in many. Source: Genz and Monahan (1998), "Stochastic integration
 * rules for infinite regions".
 */
final class SphericalRadialRule implements Serializable {
  private static final int RADII = 4;
  private static final int DIRECTIONS = 24;
  private static final long SEED = 0x5eed;

  private final double[][] directions;
  private final double[] radii;
  private final double[] weights;

  /** Makes the rule for P dimensions. */
  SphericalRadialRule(int dimension) {
    int frames = (DIRECTIONS + 2 * dimension - 1) / (2 * dimension);
    UniformRandomProvider rng = new SplitMix64(SEED);
    directions = new double[2 * dimension * frames][];
    int n = 0;
    for (int f = 0; f < frames; f++) {
      for (double[] axis : frame(dimension, rng)) {
        double[] opposite = axis.clone();
        for (int i = 0; i < dimension; i++) {
          opposite[i] = -axis[i];
        }
        directions[n++] = axis;
        directions[n++] = opposite;
      }
    }
    radii = new double[RADII];
    weights = new double[RADII];
    laguerre(0.5 * dimension - 1);
  }

  /** Orthonormalises normal vectors, which gives a frame without preference (Gram and Schmidt). */
  private static double[][] frame(int dimension, UniformRandomProvider rng) {
    SharedStateContinuousSampler normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[][] axes = new double[dimension][dimension];
    for (int k = 0; k < dimension; k++) {
      for (int i = 0; i < dimension; i++) {
        axes[k][i] = normal.sample();
      }
      for (int l = 0; l < k; l++) {
        double product = dot(axes[k], axes[l]);
        for (int i = 0; i < dimension; i++) {
          axes[k][i] -= product * axes[l][i];
        }
      }
      double length = Math.sqrt(dot(axes[k], axes[k]));
      for (int i = 0; i < dimension; i++) {
        axes[k][i] /= length;
      }
    }
    return axes;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Nodes for the weight x^α e^−x (Golub and Welsch 1969), x = r²/2. */
  private void laguerre(double alpha) {
    DMatrixRMaj jacobi = new DMatrixRMaj(RADII, RADII);
    for (int k = 0; k < RADII; k++) {
      jacobi.set(k, k, 2 * k + 1 + alpha);
      if (k > 0) {
        jacobi.set(k, k - 1, Math.sqrt(k * (k + alpha)));
        jacobi.set(k - 1, k, Math.sqrt(k * (k + alpha)));
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(RADII, true, true);
    if (!eigen.decompose(jacobi)) {
      throw new IllegalStateException("no eigenvalues for α = " + alpha);
    }
    for (int k = 0; k < RADII; k++) {
      radii[k] = Math.sqrt(2 * eigen.getEigenvalue(k).getReal());
      double first = eigen.getEigenVector(k).get(0);
      weights[k] = first * first / directions.length;
    }
  }

  /** Returns how many points there are. */
  int size() {
    return RADII * directions.length;
  }

  /** Returns coordinate {@code i} of point {@code k}. */
  double node(int k, int i) {
    return radii[k % RADII] * directions[k / RADII][i];
  }

  /** Returns the weight of point {@code k}; they add up to 1. */
  double weight(int k) {
    return weights[k % RADII];
  }
}
