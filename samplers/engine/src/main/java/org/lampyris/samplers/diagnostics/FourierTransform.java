package org.lampyris.samplers.diagnostics;

/**
 * The discrete Fourier transform X_k = Σ_j x_j exp(−2πi jk/n) of a complex vector whose length n is
 * a power of two, in place.
 *
 * <p>Cost O(n log n). The roots of unity come from a table, each computed by itself: a recurrence
 * would lose digits in proportion to n. Source: Cooley and Tukey (1965), radix 2, decimation in
 * time. Own code because neither the JDK nor the Commons libraries in use have one.
 */
final class FourierTransform {
  private final int length;
  private final double[] cos;
  private final double[] sin;

  /** Plans transforms of vectors of a length, a power of two. */
  FourierTransform(int length) {
    if (Integer.bitCount(length) != 1) {
      throw new IllegalArgumentException(length + " is no power of two");
    }
    this.length = length;
    cos = new double[length / 2];
    sin = new double[length / 2];
    for (int k = 0; k < length / 2; k++) {
      double angle = -2 * Math.PI * k / length;
      cos[k] = StrictMath.cos(angle);
      sin[k] = StrictMath.sin(angle);
    }
  }

  /** Transforms a vector of real and imaginary parts. Modified. */
  void transform(double[] re, double[] im) {
    if (re.length != length || im.length != length) {
      throw new IllegalArgumentException(re.length + " and " + im.length + " for " + length);
    }
    reverseBits(re, im);
    for (int half = 1; half < length; half *= 2) {
      int stride = length / 2 / half;
      for (int start = 0; start < length; start += 2 * half) {
        butterflies(re, im, start, half, stride);
      }
    }
  }

  private void butterflies(double[] re, double[] im, int start, int half, int stride) {
    for (int a = start, root = 0; a < start + half; a++, root += stride) {
      int b = a + half;
      double turnedRe = re[b] * cos[root] - im[b] * sin[root];
      double turnedIm = re[b] * sin[root] + im[b] * cos[root];
      re[b] = re[a] - turnedRe;
      im[b] = im[a] - turnedIm;
      re[a] += turnedRe;
      im[a] += turnedIm;
    }
  }

  private void reverseBits(double[] re, double[] im) {
    int unused = Integer.numberOfLeadingZeros(length) + 1;
    for (int i = 1; i < length; i++) {
      int j = Integer.reverse(i) >>> unused;
      if (i < j) {
        swap(re, i, j);
        swap(im, i, j);
      }
    }
  }

  private static void swap(double[] values, int i, int j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}
