package org.lampyris.samplers.random;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The random numbers of a θ-step. An interface so that a test can take every value that they can
 * take, and add up or integrate the exact transition kernel of the very code that runs.
 */
public interface Noise {
  /** Returns a standard normal number. */
  double normal();

  /** Returns a standard exponential number. */
  double exponential();

  /** Returns a number between two others, uniformly. */
  double uniform(double low, double high);

  /** Returns one of 0, …, count − 1, uniformly. */
  int index(int count);

  /** Returns true with a probability in [0, 1]. */
  boolean flip(double probability);

  /** Returns a vector of standard normal numbers. */
  default double[] normals(int dimension) {
    double[] z = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      z[i] = normal();
    }
    return z;
  }

  /** Draws from a random stream. */
  static Noise of(UniformRandomProvider rng) {
    SharedStateContinuousSampler normal = ZigguratSampler.NormalizedGaussian.of(rng);
    return new Noise() {
      @Override
      public double normal() {
        return normal.sample();
      }

      @Override
      public double exponential() {
        return ZigguratSampler.Exponential.of(rng).sample();
      }

      @Override
      public double uniform(double low, double high) {
        return low + rng.nextDouble() * (high - low);
      }

      @Override
      public int index(int count) {
        return rng.nextInt(count);
      }

      @Override
      public boolean flip(double probability) {
        return rng.nextDouble() < probability;
      }
    };
  }
}
