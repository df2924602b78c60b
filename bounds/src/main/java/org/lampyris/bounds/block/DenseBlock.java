package org.lampyris.bounds.block;

import org.jspecify.annotations.Nullable;

/** A block whose features are packed row by row in one array of doubles. */
public final class DenseBlock extends DataBlock {
  private static final long serialVersionUID = 1L;

  private final double[] features;

  /**
   * Wraps the arrays, which must not be written to afterwards.
   *
   * @param id the block's number in the table, from 0
   * @param columns how many features a row has
   * @param features row-major, {@code response.length × columns}
   * @param response one value a row
   * @param weight one positive value a row, or null for weights of 1
   */
  public DenseBlock(
      long id, int columns, double[] features, double[] response, double @Nullable [] weight) {
    this(id, columns, features, response, weight, null);
  }

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
  public DenseBlock(
      long id,
      int columns,
      double[] features,
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
    if (!(other instanceof DenseBlock dense) || dense.columns() != columns()) {
      throw doesNotGoWith(other);
    }
    return new DenseBlock(
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
    return DenseProducts.dot(features, row * columns(), columns(), v, offset);
  }

  @Override
  public void addScaled(int row, double scale, double[] out, int offset) {
    DenseProducts.addOne(features, row * columns(), columns(), scale, out, offset);
  }

  @Override
  public void dots(int[] rows, int from, int to, double[] v, double[] out) {
    DenseProducts.dots(features, columns(), rows, from, to, v, out);
  }

  @Override
  public void addScaled(int[] rows, int from, int to, double[] scale, double[] out, int offset) {
    DenseProducts.addScaled(features, columns(), rows, from, to, scale, out, offset);
  }

  @Override
  void multiply(
      int from, int to, double[][] vectors, int[] starts, double[][] out, double[] scratch) {
    int d = columns();
    for (int k = 0; k < vectors.length; k++) {
      DenseProducts.dots(features, from * d, to - from, d, vectors[k], starts[k], out[k]);
    }
  }

  @Override
  void addTransposed(
      int from, int to, double[][] factors, double[][] sums, int[] starts, double[] scratch) {
    int d = columns();
    for (int k = 0; k < sums.length; k++) {
      DenseProducts.addScaled(features, from * d, to - from, d, factors[k], sums[k], starts[k]);
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
    DenseOuterProducts.add(rows(), columns(), features, scale, lower);
  }

  @Override
  public DataBlock select(int[] rows) {
    int d = columns();
    double[] selected = new double[Math.multiplyExact(rows.length, d)];
    for (int k = 0; k < rows.length; k++) {
      System.arraycopy(features, rows[k] * d, selected, k * d, d);
    }
    return new DenseBlock(
        id(), d, selected, selectResponse(rows), selectWeight(rows), selectOffset(rows));
  }

  @Override
  public long packedBytes() {
    return super.packedBytes() + 8L * features.length;
  }
}
