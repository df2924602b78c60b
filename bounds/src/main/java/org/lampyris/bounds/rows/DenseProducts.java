package org.lampyris.bounds.rows;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Products of row-major dense rows with vectors, Xv, and of their transpose with factors, Xᵀw.
 *
 * <p>Xv is computed row by row, not four rows at a time. On one core with 50 columns that exceed
 * its caches, this takes 15 ns a row instead of 39, because the hardware sees one stream instead of
 * four. (From a cache it would be 14 and 8.) Xᵀw finds its rows in a cache, and takes four at a
 * time: 8 ns a row, where one row at a time takes 14. Every x_nᵀv is summed in one order, whatever
 * else is computed along with it, so that its bits do not depend on that.
 *
 * <p>Products are fused into the sums: one instruction instead of two on processors that have it
 * (x86 since 2013, all 64-bit ARM), which saves 5 ns of a row's 42 in a pass. Others compute the
 * same bits in software.
 *
 * <p>This class has them by plain loops. {@link #best} has them by vector instructions where there
 * are some, to the same bits (decision 0018).
 */
class DenseProducts {
  /** The property that, set to {@code off}, has all products be computed by plain loops. */
  private static final String SWITCH = "lampyris.vector";

  /** Number of rows of floats that are widened at a time, a multiple of 4. */
  private static final int WIDENED = 16;

  private static final String BY_VECTORS = "org.lampyris.bounds.rows.VectorProducts";

  /**
   * Number of multiplications, about half a second, after which vector instructions are worth their
   * compilation. That takes 0.3 s of a processor, and short runs should not wait for it.
   */
  private static final long WORTH_IT = 2_000_000_000L;

  private static final AtomicLong DONE = new AtomicLong();

  private static final DenseProducts PLAIN = new DenseProducts();

  /** Holder of the best implementation, found when vector products are first requested. */
  private static final class Best {
    static final DenseProducts PRODUCTS = find();

    private static DenseProducts find() {
      if (!"off".equals(System.getProperty(SWITCH))) {
        try {
          return Class.forName(BY_VECTORS)
              .asSubclass(DenseProducts.class)
              .getDeclaredConstructor()
              .newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
          // No module jdk.incubator.vector in this JVM, another version of it, or short vectors.
        }
      }
      return PLAIN;
    }
  }

  /** Returns the products that are fastest on this JVM once they are compiled. */
  static DenseProducts best() {
    return Best.PRODUCTS;
  }

  /**
   * Returns the fastest implementation for a number of products: plain loops until this JVM has
   * done many, then {@link #best}. It does not matter to the result which they are.
   */
  static DenseProducts forWork(long multiplications) {
    if (DONE.get() < WORTH_IT) {
      DONE.addAndGet(multiplications);
      return PLAIN;
    }
    return best();
  }

  /** Returns x[base …]ᵀv[at …] over d elements. */
  static double dot(double[] x, int base, int d, double[] v, int at) {
    // Eight running sums: a single one would wait for each addition to end before the next begins.
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int j = 0;
    for (; j + 7 < d; j += 8) {
      s0 = Math.fma(x[base + j], v[at + j], s0);
      s1 = Math.fma(x[base + j + 1], v[at + j + 1], s1);
      s2 = Math.fma(x[base + j + 2], v[at + j + 2], s2);
      s3 = Math.fma(x[base + j + 3], v[at + j + 3], s3);
      s4 = Math.fma(x[base + j + 4], v[at + j + 4], s4);
      s5 = Math.fma(x[base + j + 5], v[at + j + 5], s5);
      s6 = Math.fma(x[base + j + 6], v[at + j + 6], s6);
      s7 = Math.fma(x[base + j + 7], v[at + j + 7], s7);
    }
    for (; j < d; j++) {
      s0 = Math.fma(x[base + j], v[at + j], s0);
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }

  /** Float version of {@link #dot}; same bits as widening to double first. */
  static double dot(float[] x, int base, int d, double[] v, int at) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int j = 0;
    for (; j + 7 < d; j += 8) {
      s0 = Math.fma(x[base + j], v[at + j], s0);
      s1 = Math.fma(x[base + j + 1], v[at + j + 1], s1);
      s2 = Math.fma(x[base + j + 2], v[at + j + 2], s2);
      s3 = Math.fma(x[base + j + 3], v[at + j + 3], s3);
      s4 = Math.fma(x[base + j + 4], v[at + j + 4], s4);
      s5 = Math.fma(x[base + j + 5], v[at + j + 5], s5);
      s6 = Math.fma(x[base + j + 6], v[at + j + 6], s6);
      s7 = Math.fma(x[base + j + 7], v[at + j + 7], s7);
    }
    for (; j < d; j++) {
      s0 = Math.fma(x[base + j], v[at + j], s0);
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }

  /** Writes x_rᵀv to {@code out[r]} for rows r = 0 … rows − 1 that begin at {@code base}. */
  void dots(double[] x, int base, int rows, int d, double[] v, int at, double[] out) {
    for (int r = 0; r < rows; r++) {
      out[r] = dot(x, base + r * d, d, v, at);
    }
  }

  /** Float version of {@link #dots}; same bits as widening to double first. */
  void dots(float[] x, int base, int rows, int d, double[] v, int at, double[] out) {
    for (int r = 0; r < rows; r++) {
      out[r] = dot(x, base + r * d, d, v, at);
    }
  }

  /**
   * Adds Σ_r w_r · x_r to {@code out[at …]}, for rows r = 0 … rows − 1 that begin at {@code base}.
   */
  void addScaled(double[] x, int base, int rows, int d, double[] w, double[] out, int at) {
    addScaled(x, base, 0, rows, d, w, out, at);
  }

  /** Float version of {@link #addScaled}; same bits as widening to double first. */
  void addScaled(float[] x, int base, int rows, int d, double[] w, double[] out, int at) {
    for (int r = 0; r < rows; r += WIDENED) {
      int to = Math.min(rows, r + WIDENED);
      addScaled(widen(x, base + r * d, (to - r) * d), -r * d, r, to, d, w, out, at);
    }
  }

  /** Adds the rows r = from … rows − 1 only; row 0 would begin at {@code base}. */
  static void addScaled(
      double[] x, int base, int from, int rows, int d, double[] w, double[] out, int at) {
    int[] begin = new int[4];
    int r = from;
    for (; r + 3 < rows; r += 4) {
      for (int k = 0; k < 4; k++) {
        begin[k] = base + (r + k) * d;
      }
      addFour(x, begin, d, w, r, out, at);
    }
    for (; r < rows; r++) {
      addOne(x, base + r * d, d, w[r], out, at);
    }
  }

  /** Returns a copy of some floats as doubles. */
  static double[] widen(float[] x, int from, int size) {
    double[] wide = new double[size];
    for (int i = 0; i < size; i++) {
      wide[i] = x[from + i];
    }
    return wide;
  }

  /**
   * Adds Σ_r scale_r · x_r x_rᵀ to the lower triangle of {@code lower}, d × d and row-major, for
   * rows r = from … to − 1; the first starts at {@code base}. Best for at most {@link
   * DenseOuterProducts#chunk} rows.
   */
  void addOuters(double[] x, int base, int from, int to, int d, double[] scale, double[] lower) {
    new DenseOuterProducts(d, x, scale, lower).addRows(from, to, base);
  }

  /**
   * Adds |Lᵀx_r|² of {@link DenseLengths#TILE} rows, L lower triangular.
   *
   * @param x the rows, column by column. Not modified.
   * @param lower L, row-major, with {@code stride} elements a row. Not modified.
   * @param squared one sum a row. Modified.
   */
  void addSquares(double[] x, int d, double[] lower, int stride, double[] squared) {
    int rows = DenseLengths.TILE;
    double[] z = new double[rows];
    for (int k = 0; k < d; k++) {
      Arrays.fill(z, 0);
      int i = k;
      for (; i + 3 < d; i += 4) {
        double l0 = lower[i * stride + k];
        double l1 = lower[(i + 1) * stride + k];
        double l2 = lower[(i + 2) * stride + k];
        double l3 = lower[(i + 3) * stride + k];
        int b0 = i * rows;
        int b1 = b0 + rows;
        int b2 = b1 + rows;
        int b3 = b2 + rows;
        for (int r = 0; r < rows; r++) {
          z[r] += (l0 * x[b0 + r] + l1 * x[b1 + r]) + (l2 * x[b2 + r] + l3 * x[b3 + r]);
        }
      }
      for (; i < d; i++) {
        double l = lower[i * stride + k];
        for (int r = 0; r < rows; r++) {
          z[r] += l * x[i * rows + r];
        }
      }
      for (int r = 0; r < rows; r++) {
        squared[r] += z[r] * z[r];
      }
    }
  }

  /** Adds Σ w_{i − from} · x to {@code out[at …]}, for the rows {@code rows[from … to − 1]}. */
  static void addScaled(
      double[] x, int d, int[] rows, int from, int to, double[] w, double[] out, int at) {
    int[] begin = new int[4];
    int i = from;
    for (; i + 3 < to; i += 4) {
      for (int k = 0; k < 4; k++) {
        begin[k] = rows[i + k] * d;
      }
      addFour(x, begin, d, w, i - from, out, at);
    }
    for (; i < to; i++) {
      addOne(x, rows[i] * d, d, w[i - from], out, at);
    }
  }

  private static void addFour(
      double[] x, int[] begin, int d, double[] w, int r, double[] out, int at) {
    int b0 = begin[0];
    int b1 = begin[1];
    int b2 = begin[2];
    int b3 = begin[3];
    double w0 = w[r];
    double w1 = w[r + 1];
    double w2 = w[r + 2];
    double w3 = w[r + 3];
    for (int j = 0; j < d; j++) {
      out[at + j] += (w0 * x[b0 + j] + w1 * x[b1 + j]) + (w2 * x[b2 + j] + w3 * x[b3 + j]);
    }
  }

  private static void addOne(double[] x, int base, int d, double w, double[] out, int at) {
    for (int j = 0; j < d; j++) {
      out[at + j] += w * x[base + j];
    }
  }
}
