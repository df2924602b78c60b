package org.lampyris.bounds.block;

/**
 * Products of row-major dense rows with vectors, Xv, and of their transpose with factors, Xᵀw.
 *
 * <p>Xv takes two rows at a time, which share the elements of v: loads are what a product of
 * doubles waits for, and Java 17 makes no vector instructions of a sum. In one core's measurements
 * of 50 columns, from a cache and from memory, one row at a time took 12.7 and 14.6 ns a row, two
 * 10.0 and 13.7; four took 34 from memory, because the hardware then sees four streams. Xᵀw finds
 * its rows in a cache, and takes four at a time: 8 ns a row, where one row at a time takes 14.
 * Every x_nᵀv is summed in one order, whatever else is computed along with it, so that its bits do
 * not depend on that.
 */
final class DenseProducts {

  private DenseProducts() {}

  /** Returns x[base …]ᵀv[at …] over d elements. */
  static double dot(double[] x, int base, int d, double[] v, int at) {
    // Four running sums: a single one would wait for each addition to end before the next begins.
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int j = 0;
    for (; j + 3 < d; j += 4) {
      s0 += x[base + j] * v[at + j];
      s1 += x[base + j + 1] * v[at + j + 1];
      s2 += x[base + j + 2] * v[at + j + 2];
      s3 += x[base + j + 3] * v[at + j + 3];
    }
    for (; j < d; j++) {
      s0 += x[base + j] * v[at + j];
    }
    return (s0 + s1) + (s2 + s3);
  }

  /** Writes x[a …]ᵀv[at …] to {@code out[k]} and x[b …]ᵀv[at …] to {@code out[k + 1]}. */
  private static void dotTwo(
      double[] x, int a, int b, int d, double[] v, int at, double[] out, int k) {
    double p0 = 0;
    double p1 = 0;
    double p2 = 0;
    double p3 = 0;
    double q0 = 0;
    double q1 = 0;
    double q2 = 0;
    double q3 = 0;
    int j = 0;
    for (; j + 3 < d; j += 4) {
      double v0 = v[at + j];
      double v1 = v[at + j + 1];
      double v2 = v[at + j + 2];
      double v3 = v[at + j + 3];
      p0 += x[a + j] * v0;
      p1 += x[a + j + 1] * v1;
      p2 += x[a + j + 2] * v2;
      p3 += x[a + j + 3] * v3;
      q0 += x[b + j] * v0;
      q1 += x[b + j + 1] * v1;
      q2 += x[b + j + 2] * v2;
      q3 += x[b + j + 3] * v3;
    }
    for (; j < d; j++) {
      p0 += x[a + j] * v[at + j];
      q0 += x[b + j] * v[at + j];
    }
    out[k] = (p0 + p1) + (p2 + p3);
    out[k + 1] = (q0 + q1) + (q2 + q3);
  }

  /** Writes x_rᵀv to {@code out[r]} for rows r = 0 … rows − 1 that begin at {@code base}. */
  static void dots(double[] x, int base, int rows, int d, double[] v, int at, double[] out) {
    int r = 0;
    for (; r + 1 < rows; r += 2) {
      int a = base + r * d;
      dotTwo(x, a, a + d, d, v, at, out, r);
    }
    if (r < rows) {
      out[r] = dot(x, base + r * d, d, v, at);
    }
  }

  /** Writes xᵀv to {@code out[i − from]} for the rows {@code rows[from … to − 1]}. */
  static void dots(double[] x, int d, int[] rows, int from, int to, double[] v, double[] out) {
    int i = from;
    for (; i + 1 < to; i += 2) {
      dotTwo(x, rows[i] * d, rows[i + 1] * d, d, v, 0, out, i - from);
    }
    if (i < to) {
      out[i - from] = dot(x, rows[i] * d, d, v, 0);
    }
  }

  /**
   * Adds Σ_r w_r · x_r to {@code out[at …]}, for rows r = 0 … rows − 1 that begin at {@code base}.
   */
  static void addScaled(double[] x, int base, int rows, int d, double[] w, double[] out, int at) {
    int r = 0;
    for (; r + 3 < rows; r += 4) {
      int b = base + r * d;
      addFour(x, b, b + d, b + 2 * d, b + 3 * d, d, w, r, out, at);
    }
    for (; r < rows; r++) {
      addOne(x, base + r * d, d, w[r], out, at);
    }
  }

  /** Adds Σ w_{i − from} · x to {@code out[at …]}, for the rows {@code rows[from … to − 1]}. */
  static void addScaled(
      double[] x, int d, int[] rows, int from, int to, double[] w, double[] out, int at) {
    int i = from;
    for (; i + 3 < to; i += 4) {
      int b0 = rows[i] * d;
      int b1 = rows[i + 1] * d;
      int b2 = rows[i + 2] * d;
      addFour(x, b0, b1, b2, rows[i + 3] * d, d, w, i - from, out, at);
    }
    for (; i < to; i++) {
      addOne(x, rows[i] * d, d, w[i - from], out, at);
    }
  }

  private static void addFour(
      double[] x, int b0, int b1, int b2, int b3, int d, double[] w, int r, double[] out, int at) {
    double w0 = w[r];
    double w1 = w[r + 1];
    double w2 = w[r + 2];
    double w3 = w[r + 3];
    for (int j = 0; j < d; j++) {
      out[at + j] += (w0 * x[b0 + j] + w1 * x[b1 + j]) + (w2 * x[b2 + j] + w3 * x[b3 + j]);
    }
  }

  static void addOne(double[] x, int base, int d, double w, double[] out, int at) {
    for (int j = 0; j < d; j++) {
      out[at + j] += w * x[base + j];
    }
  }
}
