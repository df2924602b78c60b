package org.lampyris.bounds.rows;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of {@link DenseProducts} with vector instructions, four or eight doubles each, to the
 * same bits. In xᵀv the eight running sums are lanes; elsewhere every lane is a column, whose sum
 * over rows keeps its order.
 *
 * <p>The compiler makes instructions of these calls where it compiles a method whole, and objects
 * where it gives up. There is therefore one species of doubles (with two, a sum of 50 products took
 * 45 ns instead of 13), and methods should exceed 325 bytes, so that they are not inlined.
 */
final class VectorProducts extends DenseProducts {
  private static final VectorSpecies<Double> SPECIES =
      DoubleVector.SPECIES_PREFERRED.length() >= 8
          ? DoubleVector.SPECIES_512
          : DoubleVector.SPECIES_256;

  private static final int LANES = SPECIES.length();

  private static final VectorSpecies<Float> FLOATS =
      LANES == 8 ? FloatVector.SPECIES_256 : FloatVector.SPECIES_128;

  /** Length below which sums are faster without vectors. */
  private static final int LONG = 32;

  /**
   * Requires vectors of four doubles at least.
   *
   * @throws UnsupportedOperationException where the processor has none
   */
  VectorProducts() {
    if (DoubleVector.SPECIES_PREFERRED.length() < 4) {
      throw new UnsupportedOperationException("vectors of " + DoubleVector.SPECIES_PREFERRED);
    }
  }

  private static DoubleVector load(double[] x, int at) {
    return DoubleVector.fromArray(SPECIES, x, at);
  }

  private static DoubleVector load(float[] x, int at) {
    return (DoubleVector)
        FloatVector.fromArray(FLOATS, x, at).convertShape(VectorOperators.F2D, SPECIES, 0);
  }

  private static DoubleVector all(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  @Override
  void dots(double[] x, int base, int rows, int d, double[] v, int at, double[] out) {
    if (d < LONG) {
      super.dots(x, base, rows, d, v, at, out);
      return;
    }
    int whole = d - d % 8;
    double[] s = new double[8];
    for (int r = 0; r < rows; r++) {
      int b = base + r * d;
      if (LANES == 8) {
        DoubleVector sums = DoubleVector.zero(SPECIES);
        for (int j = 0; j < whole; j += 8) {
          sums = load(x, b + j).fma(load(v, at + j), sums);
        }
        sums.intoArray(s, 0);
      } else {
        DoubleVector low = DoubleVector.zero(SPECIES);
        DoubleVector high = DoubleVector.zero(SPECIES);
        for (int j = 0; j < whole; j += 8) {
          low = load(x, b + j).fma(load(v, at + j), low);
          high = load(x, b + j + 4).fma(load(v, at + j + 4), high);
        }
        low.intoArray(s, 0);
        high.intoArray(s, 4);
      }
      double first = s[0];
      for (int j = whole; j < d; j++) {
        first = Math.fma(x[b + j], v[at + j], first);
      }
      out[r] = ((first + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
  }

  @Override
  void dots(float[] x, int base, int rows, int d, double[] v, int at, double[] out) {
    int whole = d - d % 8;
    double[] s = new double[8];
    for (int r = 0; r < rows; r++) {
      int b = base + r * d;
      if (LANES == 8) {
        DoubleVector sums = DoubleVector.zero(SPECIES);
        for (int j = 0; j < whole; j += 8) {
          sums = load(x, b + j).fma(load(v, at + j), sums);
        }
        sums.intoArray(s, 0);
      } else {
        DoubleVector low = DoubleVector.zero(SPECIES);
        DoubleVector high = DoubleVector.zero(SPECIES);
        for (int j = 0; j < whole; j += 8) {
          low = load(x, b + j).fma(load(v, at + j), low);
          high = load(x, b + j + 4).fma(load(v, at + j + 4), high);
        }
        low.intoArray(s, 0);
        high.intoArray(s, 4);
      }
      double first = s[0];
      for (int j = whole; j < d; j++) {
        first = Math.fma(x[b + j], v[at + j], first);
      }
      out[r] = ((first + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
  }

  @Override
  void addScaled(double[] x, int base, int rows, int d, double[] w, double[] out, int at) {
    int whole = d - d % LANES;
    int r = 0;
    for (; r + 3 < rows; r += 4) {
      int b0 = base + r * d;
      int b1 = b0 + d;
      int b2 = b1 + d;
      int b3 = b2 + d;
      double w0 = w[r];
      double w1 = w[r + 1];
      double w2 = w[r + 2];
      double w3 = w[r + 3];
      DoubleVector v0 = all(w0);
      DoubleVector v1 = all(w1);
      DoubleVector v2 = all(w2);
      DoubleVector v3 = all(w3);
      for (int j = 0; j < whole; j += LANES) {
        DoubleVector two = v0.mul(load(x, b0 + j)).add(v1.mul(load(x, b1 + j)));
        DoubleVector others = v2.mul(load(x, b2 + j)).add(v3.mul(load(x, b3 + j)));
        load(out, at + j).add(two.add(others)).intoArray(out, at + j);
      }
      for (int j = whole; j < d; j++) {
        out[at + j] += (w0 * x[b0 + j] + w1 * x[b1 + j]) + (w2 * x[b2 + j] + w3 * x[b3 + j]);
      }
    }
    addScaled(x, base, r, rows, d, w, out, at);
  }

  @Override
  void addScaled(float[] x, int base, int rows, int d, double[] w, double[] out, int at) {
    int whole = d - d % LANES;
    int r = 0;
    for (; r + 3 < rows; r += 4) {
      int b0 = base + r * d;
      int b1 = b0 + d;
      int b2 = b1 + d;
      int b3 = b2 + d;
      double w0 = w[r];
      double w1 = w[r + 1];
      double w2 = w[r + 2];
      double w3 = w[r + 3];
      DoubleVector v0 = all(w0);
      DoubleVector v1 = all(w1);
      DoubleVector v2 = all(w2);
      DoubleVector v3 = all(w3);
      for (int j = 0; j < whole; j += LANES) {
        DoubleVector two = v0.mul(load(x, b0 + j)).add(v1.mul(load(x, b1 + j)));
        DoubleVector others = v2.mul(load(x, b2 + j)).add(v3.mul(load(x, b3 + j)));
        load(out, at + j).add(two.add(others)).intoArray(out, at + j);
      }
      for (int j = whole; j < d; j++) {
        out[at + j] += (w0 * x[b0 + j] + w1 * x[b1 + j]) + (w2 * x[b2 + j] + w3 * x[b3 + j]);
      }
    }
    addScaled(widen(x, base + r * d, (rows - r) * d), -r * d, r, rows, d, w, out, at);
  }

  /**
   * {@inheritDoc}
   *
   * <p>In tiles of 4 × 2 vectors that stay in registers while the rows pass by. At the ends tiles
   * overlap, and what is there already is not added again.
   */
  @Override
  void addOuters(double[] x, int base, int from, int to, int d, double[] scale, double[] lower) {
    if (d < 2 * LANES) {
      super.addOuters(x, base, from, to, d, scale, lower);
      return;
    }
    double[] tile = new double[8 * LANES];
    for (int i = 0; i < d; i += 4) {
      int row = Math.min(i, d - 4);
      for (int j = 0; j < Math.min(i + 4, d); j += 2 * LANES) {
        int column = Math.min(j, d - 2 * LANES);
        addTile(x, base + row, from, to, d, scale, column - row, tile);
        for (int k = i; k < row + 4; k++) {
          int t = 2 * LANES * (k - row) - column;
          int end = Math.min(k + 1, column + 2 * LANES);
          int m = j;
          for (; m + LANES <= end; m += LANES) {
            load(lower, k * d + m).add(load(tile, t + m)).intoArray(lower, k * d + m);
          }
          for (; m < end; m++) {
            lower[k * d + m] += tile[t + m];
          }
        }
      }
    }
  }

  @Override
  void addSquares(double[] x, int d, double[] lower, int stride, double[] squared) {
    int rows = DenseLengths.TILE;
    for (int r = 0; r < rows; r += 2 * LANES) {
      DoubleVector sum = load(squared, r);
      DoubleVector next = load(squared, r + LANES);
      for (int k = 0; k < d; k++) {
        DoubleVector z = DoubleVector.zero(SPECIES);
        DoubleVector y = DoubleVector.zero(SPECIES);
        int i = k;
        for (; i + 3 < d; i += 4) {
          DoubleVector l0 = all(lower[i * stride + k]);
          DoubleVector l1 = all(lower[(i + 1) * stride + k]);
          DoubleVector l2 = all(lower[(i + 2) * stride + k]);
          DoubleVector l3 = all(lower[(i + 3) * stride + k]);
          int b0 = i * rows + r;
          int b1 = b0 + rows;
          int b2 = b1 + rows;
          int b3 = b2 + rows;
          z =
              z.add(
                  l0.mul(load(x, b0))
                      .add(l1.mul(load(x, b1)))
                      .add(l2.mul(load(x, b2)).add(l3.mul(load(x, b3)))));
          y =
              y.add(
                  l0.mul(load(x, b0 + LANES))
                      .add(l1.mul(load(x, b1 + LANES)))
                      .add(l2.mul(load(x, b2 + LANES)).add(l3.mul(load(x, b3 + LANES)))));
        }
        for (; i < d; i++) {
          DoubleVector l = all(lower[i * stride + k]);
          z = z.add(l.mul(load(x, i * rows + r)));
          y = y.add(l.mul(load(x, i * rows + r + LANES)));
        }
        sum = sum.add(z.mul(z));
        next = next.add(y.mul(y));
      }
      sum.intoArray(squared, r);
      next.intoArray(squared, r + LANES);
    }
  }

  /**
   * Writes Σ_r scale_r · x_ri x_rj for four i, the first at {@code base} in the first row, and for
   * 2 · LANES values of j from {@code shift} after it.
   */
  private static void addTile(
      double[] x, int base, int from, int to, int d, double[] scale, int shift, double[] out) {
    DoubleVector a0 = DoubleVector.zero(SPECIES);
    DoubleVector a1 = DoubleVector.zero(SPECIES);
    DoubleVector a2 = DoubleVector.zero(SPECIES);
    DoubleVector a3 = DoubleVector.zero(SPECIES);
    DoubleVector b0 = DoubleVector.zero(SPECIES);
    DoubleVector b1 = DoubleVector.zero(SPECIES);
    DoubleVector b2 = DoubleVector.zero(SPECIES);
    DoubleVector b3 = DoubleVector.zero(SPECIES);
    int i = base;
    for (int r = from; r < to; r++) {
      double w = scale[r];
      DoubleVector q = load(x, i + shift);
      DoubleVector z = load(x, i + shift + LANES);
      DoubleVector p0 = all(w * x[i]);
      DoubleVector p1 = all(w * x[i + 1]);
      DoubleVector p2 = all(w * x[i + 2]);
      DoubleVector p3 = all(w * x[i + 3]);
      a0 = a0.add(p0.mul(q));
      b0 = b0.add(p0.mul(z));
      a1 = a1.add(p1.mul(q));
      b1 = b1.add(p1.mul(z));
      a2 = a2.add(p2.mul(q));
      b2 = b2.add(p2.mul(z));
      a3 = a3.add(p3.mul(q));
      b3 = b3.add(p3.mul(z));
      i += d;
    }
    a0.intoArray(out, 0);
    b0.intoArray(out, LANES);
    a1.intoArray(out, 2 * LANES);
    b1.intoArray(out, 3 * LANES);
    a2.intoArray(out, 4 * LANES);
    b2.intoArray(out, 5 * LANES);
    a3.intoArray(out, 6 * LANES);
    b3.intoArray(out, 7 * LANES);
  }
}
