package org.lampyris.bounds.rows;

import org.jspecify.annotations.Nullable;

/** A block whose features are packed row by row in one array. */
public final class DenseBlock extends DataBlock {
  private final Values features;

  /** Wraps the arrays of a block of doubles without offsets, as the other constructor does. */
  public DenseBlock(
      long id, int columns, double[] features, double[] response, double @Nullable [] weight) {
    this(id, columns, Values.of(features), response, weight, null);
  }

  /**
   * Wraps the arrays, which must not be written to afterwards.
   *
   * @param features row-major, {@code response.length × columns}
   * @param weight one positive value a row, or null for weights of 1
   * @param offset one value a row, or null for offsets of 0
   */
  public DenseBlock(
      long id,
      int columns,
      Values features,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset) {
    super(id, columns, response, weight, offset);
    if (features.length() != (long) response.length * columns) {
      throw new IllegalArgumentException(
          features.length() + " features for " + response.length + " rows × " + columns);
    }
    this.features = features;
  }

  /** Returns the features, row-major, not a copy. */
  public Values values() {
    return features;
  }

  @Override
  DataBlock append(
      DataBlock other, double[] y, double @Nullable [] weight, double @Nullable [] offset) {
    if (!(other instanceof DenseBlock dense)
        || dense.columns() != columns()
        || dense.features.isFloat() != features.isFloat()) {
      throw doesNotGoWith(other);
    }
    return new DenseBlock(id(), columns(), features.append(dense.features), y, weight, offset);
  }

  @Override
  public double feature(int row, int column) {
    return features.get(row * columns() + column);
  }

  @Override
  public double dot(int row, double[] v, int offset) {
    int d = columns();
    return features.isFloat()
        ? DenseProducts.dot(features.floats(), row * d, d, v, offset)
        : DenseProducts.dot(features.doubles(), row * d, d, v, offset);
  }

  @Override
  public void addScaled(int row, double scale, double[] out, int offset) {
    int d = columns();
    int base = row * d;
    for (int j = 0; j < d; j++) {
      out[offset + j] += scale * features.get(base + j);
    }
  }

  @Override
  public void addScaled(int[] rows, int from, int to, double[] scale, double[] out, int offset) {
    if (features.isFloat()) {
      super.addScaled(rows, from, to, scale, out, offset);
    } else {
      DenseProducts.addScaled(features.doubles(), columns(), rows, from, to, scale, out, offset);
    }
  }

  @Override
  void multiply(int from, int to, double[][] vectors, int[] starts, double[][] out) {
    int d = columns();
    DenseProducts products = DenseProducts.forWork((long) (to - from) * d * vectors.length);
    for (int k = 0; k < vectors.length; k++) {
      if (features.isFloat()) {
        products.dots(features.floats(), from * d, to - from, d, vectors[k], starts[k], out[k]);
      } else {
        products.dots(features.doubles(), from * d, to - from, d, vectors[k], starts[k], out[k]);
      }
    }
  }

  @Override
  void addTransposed(int from, int to, double[][] factors, double[][] sums, int[] starts) {
    int d = columns();
    DenseProducts products = DenseProducts.forWork((long) (to - from) * d * sums.length);
    for (int k = 0; k < sums.length; k++) {
      if (features.isFloat()) {
        products.addScaled(
            features.floats(), from * d, to - from, d, factors[k], sums[k], starts[k]);
      } else {
        products.addScaled(
            features.doubles(), from * d, to - from, d, factors[k], sums[k], starts[k]);
      }
    }
  }

  /** Returns an array for {@link #widened}: the block's own doubles, or a new one. */
  private double[] scratch(int rows) {
    return features.isFloat() ? new double[rows * columns()] : features.doubles();
  }

  /**
   * Widens rows of floats if necessary, and returns the first row's offset in the scratch array.
   */
  private int widened(int from, int to, double[] scratch) {
    int d = columns();
    if (!features.isFloat()) {
      return from * d;
    }
    features.widen(from * d, to * d, scratch);
    return 0;
  }

  @Override
  public void addOuter(int row, double scale, double[] lower) {
    int d = columns();
    double[] x = features.copy(row * d, (row + 1) * d);
    for (int i = 0; i < d; i++) {
      double f = scale * x[i];
      int out = i * d;
      for (int j = 0; j <= i; j++) {
        lower[out + j] += f * x[j];
      }
    }
  }

  @Override
  public void addOuters(double[] scale, double[] lower) {
    int d = columns();
    int tile = Math.min(rows(), DenseOuterProducts.chunk(d));
    double[] scratch = scratch(tile);
    DenseProducts products = DenseProducts.forWork((long) rows() * d * (d + 1) / 2);
    for (int from = 0; from < rows(); from += tile) {
      int to = Math.min(rows(), from + tile);
      products.addOuters(scratch, widened(from, to, scratch), from, to, d, scale, lower);
    }
  }

  @Override
  public double[] lengths(double[] lower, int stride) {
    int tile = Math.min(rows(), DenseLengths.TILE);
    double[] scratch = scratch(tile);
    int d = columns();
    DenseProducts products = DenseProducts.forWork((long) rows() * d * (d + 1) / 2);
    DenseLengths lengths = new DenseLengths(products, d, lower, stride);
    double[] out = new double[rows()];
    for (int from = 0; from < rows(); from += tile) {
      int to = Math.min(rows(), from + tile);
      lengths.write(scratch, widened(from, to, scratch), to - from, out, from);
    }
    return out;
  }

  @Override
  public void addSquares(double[] scale, double[] out, int offset) {
    for (int row = 0; row < rows(); row++) {
      for (int j = 0; j < columns(); j++) {
        double x = feature(row, j);
        out[offset + j] += scale[row] * (x * x);
      }
    }
  }

  @Override
  DataBlock select(int[] rows, double[] y, double @Nullable [] weight, double @Nullable [] offset) {
    int d = columns();
    Values selected = features.ofSize(Math.multiplyExact(rows.length, d));
    for (int k = 0; k < rows.length; k++) {
      features.copy(rows[k] * d, selected, k * d, d);
    }
    return new DenseBlock(id(), d, selected, y, weight, offset);
  }

  @Override
  DataBlock with(long number, double @Nullable [] weights) {
    return new DenseBlock(number, columns(), features, response, weights, offset);
  }

  @Override
  public long packedBytes() {
    return super.packedBytes() + features.bytes();
  }
}
