package org.lampyris.samplers.diagnostics;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Draws of known distribution and autocorrelation. */
final class SimulatedChains {
  private final ZigguratSampler.NormalizedGaussian gaussian;

  SimulatedChains(long seed) {
    UniformRandomProvider rng = new SplitMix64(seed);
    gaussian = ZigguratSampler.NormalizedGaussian.of(rng);
  }

  /** Returns stationary AR(1) chains x_i = φ x_{i−1} + √(1 − φ²) ε_i, of N(0, 1). */
  double[][] normal(int chains, int iterations, double phi) {
    double[][] draws = new double[chains][iterations];
    for (double[] chain : draws) {
      double x = gaussian.sample();
      for (int i = 0; i < iterations; i++) {
        chain[i] = x;
        x = phi * x + Math.sqrt(1 - phi * phi) * gaussian.sample();
      }
    }
    return draws;
  }
}
