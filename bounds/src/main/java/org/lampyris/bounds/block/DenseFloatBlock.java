package org.lampyris.bounds.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A block whose features are packed row by row in one array of floats: half the memory of a {@link
 * DenseBlock}. A float is widened before anything is computed with it, so that only the features
 * themselves are rounded (by a relative 6·10⁻⁸ at most); responses, weights and offsets are
 * doubles.
 *
 * <p>A pass widens the rows of a tile once, into a scratch array that stays in the cache.
 */
public final class DenseFloatBlock extends DataBlock {
  private static final long serialVersionUID = 1L;

  private final float[] features;

  /**
   * Wraps the arrays, which must not be written to afterwards.
   *
   * @param id the block's number in the table, from 0
   * @param columns how many features a row has
   * @param features row-major, {@code response.length × columns}
   * @param response one value a row
   * @param weight one positive value a row, or null for weights of 1
   * @param offset one value a row, or null for offsets of 0
   */
  public DenseFloatBlock(
      long id,
      int columns,
      float[] features,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset) {
    super(id, columns, response, weight, offset);
    if (features.length != (long) response.length * columns) {
      throw new IllegalArgumentException(
          features.length + " features for " + response.length + " rows × " + columns);
    }
    this.features = features;
  }

  @Override
  public DataBlock append(DataBlock other) {
    if (!(other instanceof DenseFloatBlock dense) || dense.columns() != columns()) {
      throw doesNotGoWith(other);
    }
    return new DenseFloatBlock(
        id(),
        columns(),
        append(features, dense.features),
        appendResponse(other),
        appendWeight(other),
        appendOffset(other));
  }

  @Override
  public double feature(int row, int column) {
    return features[row * columns() + column];
  }

  @Override
  public double dot(int row, double[] v, int offset) {
    int d = columns();
    int base = row * d;
    // In the order of DenseProducts.dot, so that a pass finds the same numbers.
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
      s0 = Math.fma(features[base + j], v[offset + j], s0);
      s1 = Math.fma(features[base + j + 1], v[offset + j + 1], s1);
      s2 = Math.fma(features[base + j + 2], v[offset + j + 2], s2);
      s3 = Math.fma(features[base + j + 3], v[offset + j + 3], s3);
      s4 = Math.fma(features[base + j + 4], v[offset + j + 4], s4);
      s5 = Math.fma(features[base + j + 5], v[offset + j + 5], s5);
      s6 = Math.fma(features[base + j + 6], v[offset + j + 6], s6);
      s7 = Math.fma(features[base + j + 7], v[offset + j + 7], s7);
    }
    for (; j < d; j++) {
      s0 = Math.fma(features[base + j], v[offset + j], s0);
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }

  @Override
  public void addScaled(int row, double scale, double[] out, int offset) {
    int d = columns();
    int base = row * d;
    for (int j = 0; j < d; j++) {
      out[offset + j] += scale * features[base + j];
    }
  }

  private void widen(int from, int to, double[] out) {
    int base = from * columns();
    int size = (to - from) * columns();
    for (int i = 0; i < size; i++) {
      out[i] = features[base + i];
    }
  }

  @Override
  double[] tileScratch(int tile) {
    return new double[tile * columns()];
  }

  @Override
  void multiply(
      int from, int to, double[][] vectors, int[] starts, double[][] out, double[] scratch) {
    widen(from, to, scratch);
    for (int k = 0; k < vectors.length; k++) {
      DenseProducts.dots(scratch, 0, to - from, columns(), vectors[k], starts[k], out[k]);
    }
  }

  @Override
  void addTransposed(
      int from, int to, double[][] factors, double[][] sums, int[] starts, double[] scratch) {
    for (int k = 0; k < sums.length; k++) {
      DenseProducts.addScaled(scratch, 0, to - from, columns(), factors[k], sums[k], starts[k]);
    }
  }

  @Override
  public void addOuter(int row, double scale, double[] lower) {
    int d = columns();
    int base = row * d;
    for (int i = 0; i < d; i++) {
      double f = scale * features[base + i];
      int out = i * d;
      for (int j = 0; j <= i; j++) {
        lower[out + j] += f * features[base + j];
      }
    }
  }

  @Override
  public void addOuters(double[] scale, double[] lower) {
    int d = columns();
    int tile = Math.min(rows(), DenseOuterProducts.chunk(d));
    double[] scratch = tileScratch(tile);
    for (int from = 0; from < rows(); from += tile) {
      int to = Math.min(rows(), from + tile);
      widen(from, to, scratch);
      DenseOuterProducts.add(to - from, d, scratch, Arrays.copyOfRange(scale, from, to), lower);
    }
  }

  @Override
  public DataBlock select(int[] rows) {
    int d = columns();
    float[] selected = new float[Math.multiplyExact(rows.length, d)];
    for (int k = 0; k < rows.length; k++) {
      System.arraycopy(features, rows[k] * d, selected, k * d, d);
    }
    return new DenseFloatBlock(
        id(), d, selected, selectResponse(rows), selectWeight(rows), selectOffset(rows));
  }

  @Override
  public long packedBytes() {
    return super.packedBytes() + 4L * features.length;
  }
}
