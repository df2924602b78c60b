package org.lampyris.samplers.diagnostics;

import java.util.Arrays;

/**
 * The autocovariance of chains, averaged over the chains: with the divisor N of Geyer (1992) at
 * every lag, γ_t = 1/N Σ_{i=1}^{N−t} (x_i − x̄)(x_{i+t} − x̄).
 *
 * <p>By the Fourier transform of the zero-padded chains (Wiener and Khinchin): O(M N log N), where
 * sums lag by lag would take O(M N²) for a chain that mixes badly. Two real chains share one
 * complex transform, and one inverse serves all: the power spectra are added first.
 */
final class Autocovariance {
  private Autocovariance() {}

  /**
   * Returns γ_0 … γ_{N−1}, averaged over the chains, each about its own mean.
   *
   * @param chains chains × iterations, finite. Not modified.
   */
  static double[] average(double[][] chains) {
    int n = chains[0].length;
    int padded = Math.max(2, 2 * Integer.highestOneBit(2 * n - 1));
    FourierTransform transform = new FourierTransform(padded);
    double[] power = new double[padded];
    double[] re = new double[padded];
    double[] im = new double[padded];
    double squares = 0;
    for (int chain = 0; chain < chains.length; chain += 2) {
      squares += centre(chains[chain], re);
      if (chain + 1 < chains.length) {
        squares += centre(chains[chain + 1], im);
      } else {
        Arrays.fill(im, 0);
      }
      transform.transform(re, im);
      for (int k = 0; k < padded; k++) {
        power[k] += re[k] * re[k] + im[k] * im[k];
      }
    }
    // The spectrum of x + iy is not symmetric, but |X_k|² + |Y_k|² is its symmetric part, whose
    // transform is the real part of the whole.
    Arrays.fill(im, 0);
    transform.transform(power, im);
    double scale = (double) n * chains.length;
    double[] autocovariance = new double[n];
    for (int t = 0; t < n; t++) {
      autocovariance[t] = power[t] / padded / scale;
    }
    autocovariance[0] = squares / scale;
    return autocovariance;
  }

  /** Writes the chain about its mean, then zeros, to {@code out}, and returns Σ (x − x̄)². */
  private static double centre(double[] chain, double[] out) {
    double mean = Moments.mean(chain);
    for (int i = 0; i < chain.length; i++) {
      out[i] = chain[i] - mean;
    }
    Arrays.fill(out, chain.length, out.length, 0);
    return Moments.sumOfSquares(chain, mean);
  }
}
