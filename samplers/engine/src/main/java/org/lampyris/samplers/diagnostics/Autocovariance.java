package org.lampyris.samplers.diagnostics;

import java.util.Arrays;

/**
 * The autocovariance of chains, averaged over the chains: with the divisor N of Geyer (1992) at
 * every lag, γ_t = 1/N Σ_{i=1}^{N−t} (x_i − x̄)(x_{i+t} − x̄), each chain about its own mean.
 *
 * <p>The first lags, which are all that chains that mix well need, are summed as they are defined,
 * O(M N) a lag. All lags are computed by the Fourier transform of the zero-padded chains (Wiener
 * and Khinchin), O(M N log N). Sums lag by lag would take O(M N²) for a chain that mixes badly. Two
 * real chains share one complex transform, and one inverse serves all: the power spectra are added
 * first. A transform of 8 × 75,000 draws takes as long as 300 lags.
 */
final class Autocovariance {
  /** Number of lags summed at once: as many sums as a processor updates in parallel. */
  static final int BATCH = 8;

  private final double[][] centred;
  private final int length;
  private final double squares;

  /** Takes chains, finite. Not modified. */
  Autocovariance(SplitChains chains) {
    length = chains.length();
    centred = chains.deviations();
    double sum = 0;
    for (double square : chains.squares()) {
      sum += square;
    }
    squares = sum;
  }

  /** Returns γ_0. */
  double variance() {
    return squares / scale();
  }

  private double scale() {
    return (double) length * centred.length;
  }

  /**
   * Sums {@link #BATCH} lags directly, starting at the first, above 0: element t of {@code out} is
   * set to γ_t, as far as draws are that far apart.
   */
  void sum(int first, double[] out) {
    double[] sums = new double[BATCH];
    for (double[] x : centred) {
      addProducts(x, first, sums);
    }
    for (int k = 0; k < BATCH && first + k < length; k++) {
      out[first + k] = sums[k] / scale();
    }
  }

  private static void addProducts(double[] x, int first, double[] sums) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int whole = Math.max(0, x.length - first - BATCH + 1);
    for (int i = 0; i < whole; i++) {
      double value = x[i];
      int j = i + first;
      s0 += value * x[j];
      s1 += value * x[j + 1];
      s2 += value * x[j + 2];
      s3 += value * x[j + 3];
      s4 += value * x[j + 4];
      s5 += value * x[j + 5];
      s6 += value * x[j + 6];
      s7 += value * x[j + 7];
    }
    double[] batch = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (int k = 0; k < BATCH; k++) {
      for (int i = whole; i + first + k < x.length; i++) {
        batch[k] += x[i] * x[i + first + k];
      }
      sums[k] += batch[k];
    }
  }

  /** Transforms all lags: sets element t of {@code out} to γ_t, from the first lag on, above 0. */
  void transform(int first, double[] out) {
    int padded = Math.max(2, 2 * Integer.highestOneBit(2 * length - 1));
    FourierTransform transform = new FourierTransform(padded);
    double[] power = new double[padded];
    for (int chain = 0; chain < centred.length; chain += 2) {
      double[] re = Arrays.copyOf(centred[chain], padded);
      double[] im =
          chain + 1 < centred.length
              ? Arrays.copyOf(centred[chain + 1], padded)
              : new double[padded];
      transform.transform(re, im);
      for (int k = 0; k < padded; k++) {
        power[k] += re[k] * re[k] + im[k] * im[k];
      }
    }
    // The spectrum of x + iy is not symmetric, but |X_k|² + |Y_k|² is its symmetric part, whose
    // transform is the real part of the whole.
    transform.transform(power, new double[padded]);
    for (int t = first; t < length; t++) {
      out[t] = power[t] / padded / scale();
    }
  }
}
