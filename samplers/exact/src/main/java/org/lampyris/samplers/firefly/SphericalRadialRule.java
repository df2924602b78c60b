package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

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
final class SphericalRadialRule implements PerRowRates.Cubature {
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
        directions[n++] = axis;
        directions[n++] = Arrays.stream(axis).map(x -> -x).toArray();
      }
    }
    GaussRule squares = GaussRule.laguerre(RADII, 0.5 * dimension - 1); // of r²/2
    radii = Arrays.stream(squares.nodes()).map(x -> Math.sqrt(2 * x)).toArray();
    weights = Arrays.stream(squares.weights()).map(w -> w / directions.length).toArray();
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
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).reduce(0, Double::sum);
  }

  @Override
  public int size() {
    return RADII * directions.length;
  }

  @Override
  public double node(int k, int i) {
    return radii[k % RADII] * directions[k / RADII][i];
  }

  @Override
  public double weight(int k) {
    return weights[k % RADII];
  }
}
