package org.lampyris.bounds.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Block of consecutive rows of the prepared table: packed features x_n, a response y_n, and an
 * optional weight w_n, offset o_n and groups for each row.
 *
 * <p>Every block of a table holds the same number of rows, {@code blockRows}, but the last one,
 * which may hold fewer. A row's identity in the whole table is {@code id() * blockRows + row}; it
 * does not depend on how the blocks are spread over partitions.
 *
 * <p>Immutable by convention: the arrays are not copied, and nothing writes to them once the block
 * is built. Safe to read from many threads.
 *
 * <p>A vector with an {@code offset} has its {@code columns()} elements from there in its array,
 * otherwise from 0. Sums are added to {@code out} or {@code lower}; nothing else is modified.
 */
public abstract sealed class DataBlock implements Serializable permits DenseBlock, SparseBlock {
  /** Numbers in a tile, 128 KiB, which a pass reads before it returns to them. */
  private static final int TILE_FEATURES = 16_384;

  private final long id;
  private final int columns;
  final double[] response;
  private final double @Nullable [] weight;
  final double @Nullable [] offset;

  /** Set once, before anybody else sees the block. */
  private long @Nullable [][] groups;

  DataBlock(
      long id,
      int columns,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset) {
    if (id < 0 || columns < 1) {
      throw new IllegalArgumentException("block id " + id + " with " + columns + " columns");
    }
    if (weight != null && weight.length != response.length) {
      throw new IllegalArgumentException(
          weight.length + " weights for " + response.length + " responses");
    }
    if (offset != null && offset.length != response.length) {
      throw new IllegalArgumentException(
          offset.length + " offsets for " + response.length + " responses");
    }
    this.id = id;
    this.columns = columns;
    this.response = Objects.requireNonNull(response);
    this.weight = weight;
    this.offset = offset;
  }

  /** Returns the block's number in the table, from 0. */
  public final long id() {
    return id;
  }

  /** Returns how many rows the block holds. */
  public final int rows() {
    return response.length;
  }

  /** Returns how many features a row has, the intercept's column of ones included. */
  public final int columns() {
    return columns;
  }

  /** Returns y_n, on the scale that the model's family defines (logistic: −1 or +1). */
  public final double response(int row) {
    return response[row];
  }

  /** Returns y_n of all rows, not a copy. */
  public final double[] responses() {
    return response;
  }

  /** Returns the weights of all rows, not a copy; null in a table without weights. */
  public final double @Nullable [] weights() {
    return weight;
  }

  /** Returns the offsets of all rows, not a copy; null in a table without offsets. */
  public final double @Nullable [] offsets() {
    return offset;
  }

  /** Returns the weight of a row, 1 in a table without weights. */
  public final double weight(int row) {
    return weight == null ? 1 : weight[row];
  }

  /** Returns true if the rows carry weights. */
  public final boolean isWeighted() {
    return weight != null;
  }

  /** Returns the offset in the linear predictor of a row, 0 in a table without offsets. */
  public final double offset(int row) {
    return offset == null ? 0 : offset[row];
  }

  /** Returns true if the rows carry offsets. */
  public final boolean hasOffset() {
    return offset != null;
  }

  /** Returns the number of grouping factors; 0 if there are none. */
  public final int groupings() {
    return groups == null ? 0 : groups.length;
  }

  /** Returns the keys of the groups of all rows, groupings × rows, not a copy; null for none. */
  public final long @Nullable [][] groups() {
    return groups;
  }

  /** Returns the key of a row's group in one of the {@link #groupings}. */
  public final long group(int grouping, int row) {
    return Objects.requireNonNull(groups)[grouping][row];
  }

  /**
   * Returns the same rows with groups.
   *
   * @param keys groupings × rows: equal keys make a group. Not copied
   */
  public final DataBlock grouped(long[][] keys) {
    for (long[] of : keys) {
      if (of.length != rows()) {
        throw new IllegalArgumentException(of.length + " groups for " + rows() + " rows");
      }
    }
    return in(keys, with(id, weight));
  }

  private static DataBlock in(long @Nullable [][] keys, DataBlock block) {
    block.groups = keys;
    return block;
  }

  /** Returns the linear predictor η = x_nᵀθ + o_n. */
  public final double linearPredictor(int row, double[] theta) {
    double product = dot(row, theta, 0);
    return offset == null ? product : product + offset[row];
  }

  /** Returns x_n[column]. */
  public abstract double feature(int row, int column);

  /** Returns x_nᵀv. */
  public abstract double dot(int row, double[] v, int offset);

  /** Adds scale · x_n to {@code out}. */
  public abstract void addScaled(int row, double scale, double[] out, int offset);

  /**
   * Writes x_nᵀv for the rows n = {@code rows[from … to − 1]}, each as {@link #dot} computes it, to
   * the bit.
   *
   * @param out the product with {@code rows[i]} is written to {@code out[i − from]}. Modified.
   */
  public void dots(int[] rows, int from, int to, double[] v, double[] out) {
    for (int i = from; i < to; i++) {
      out[i - from] = dot(rows[i], v, 0);
    }
  }

  /**
   * Adds Σ_n scale_n · x_n over the rows n = {@code rows[from … to − 1]} to {@code out}.
   *
   * @param scale the factor of {@code rows[i]} is {@code scale[i − from]}. Not modified.
   */
  public void addScaled(int[] rows, int from, int to, double[] scale, double[] out, int offset) {
    for (int i = from; i < to; i++) {
      addScaled(rows[i], scale[i - from], out, offset);
    }
  }

  /**
   * Adds scale · x_n x_nᵀ to the lower triangle of a symmetric matrix, row-major, {@code columns()
   * × columns()}. The elements above the diagonal are left alone.
   */
  public abstract void addOuter(int row, double scale, double[] lower);

  /**
   * Adds Σ_n scale_n · x_n x_nᵀ over all rows, with one factor a row, to the lower triangle of a
   * symmetric matrix. The same as {@link #addOuter} row by row, up to rounding, and several times
   * faster for dense rows.
   */
  public void addOuters(double[] scale, double[] lower) {
    for (int row = 0; row < rows(); row++) {
      addOuter(row, scale[row], lower);
    }
  }

  /**
   * Adds Σ_n scale_n · x_nj² over all rows, with one factor a row, to {@code out} for every column
   * j.
   */
  public abstract void addSquares(double[] scale, double[] out, int offset);

  /**
   * Adds Xᵀ(scale ∘ Xv_k) to a sum, for several vectors v_k.
   *
   * @param scale one factor a row. Not modified.
   * @param count how many vectors there are
   * @param vectors v_1 … v_count, columns × count: the elements of a column lie side by side. Not
   *     modified.
   * @param out the sums, likewise. Modified.
   */
  public void addProducts(double[] scale, int count, double[] vectors, double[] out) {
    double[][] separate = new double[count][columns];
    for (int j = 0; j < columns; j++) {
      for (int k = 0; k < count; k++) {
        separate[k][j] = vectors[j * count + k];
      }
    }
    double[][] sums = new double[count][columns];
    pass(
        separate,
        new int[count],
        (from, to, products) -> {
          for (double[] product : products) {
            for (int row = from; row < to; row++) {
              product[row - from] *= scale[row];
            }
          }
        },
        sums);
    for (int j = 0; j < columns; j++) {
      for (int k = 0; k < count; k++) {
        out[j * count + k] += sums[k][j];
      }
    }
  }

  /**
   * Computes Xv_k, lets a function turn it into factors w_k, and adds Xᵀw_k to a sum, for several
   * vectors v_k and a few rows at a time. Each row is read from memory once for all vectors and
   * both products.
   *
   * <p>The sums of a vector do not depend on what other vectors there are, to the last bit.
   *
   * @param vectors v_k lies in {@code vectors[k]}; the same array may be there several times. Not
   *     modified.
   * @param starts where in {@code vectors[k]}, and in {@code sums[k]}, its {@code columns()}
   *     elements begin
   * @param sums Σ_n w_nk·x_n is added to {@code sums[k]}; null if only the function's own result is
   *     wanted. Modified.
   */
  public final void pass(
      double[][] vectors, int[] starts, TileFunction function, double @Nullable [][] sums) {
    int tile = Math.min(rows(), Math.max(16, TILE_FEATURES / columns));
    double[][] predictors = new double[vectors.length][tile];
    for (int from = 0; from < rows(); from += tile) {
      int to = Math.min(rows(), from + tile);
      multiply(from, to, vectors, starts, predictors);
      function.apply(from, to, predictors);
      if (sums != null) {
        addTransposed(from, to, predictors, sums, starts);
      }
    }
  }

  /**
   * Returns the length of Lᵀx_n of every row, which is √(x_nᵀLLᵀx_n). Cost O(d²) a row, for sparse
   * rows O(d) for each stored element.
   *
   * @param lower L, row-major and zero above the diagonal. Not modified.
   * @param stride how many elements a row of L has; those behind {@code columns()} are not used
   */
  public abstract double[] lengths(double[] lower, int stride);

  /**
   * Returns x_nᵀSx_n of a row. Cost O(d²), for sparse rows the square of their stored elements.
   *
   * @param symmetric S, row-major. Not modified.
   * @param stride how many elements a row of S has; those behind {@code columns()} are not used
   */
  public double form(int row, double[] symmetric, int stride) {
    double[] product = new double[columns];
    for (int i = 0; i < columns; i++) {
      product[i] = dot(row, symmetric, i * stride);
    }
    return dot(row, product, 0);
  }

  /** Writes x_nᵀv_k to {@code out[k][n − from]}. */
  void multiply(int from, int to, double[][] vectors, int[] starts, double[][] out) {
    for (int row = from; row < to; row++) {
      for (int k = 0; k < vectors.length; k++) {
        out[k][row - from] = dot(row, vectors[k], starts[k]);
      }
    }
  }

  /** Adds Σ_n w_nk·x_n to {@code sums[k]}. */
  void addTransposed(int from, int to, double[][] factors, double[][] sums, int[] starts) {
    for (int row = from; row < to; row++) {
      for (int k = 0; k < sums.length; k++) {
        addScaled(row, factors[k][row - from], sums[k], starts[k]);
      }
    }
  }

  /**
   * Returns a block of some of the rows, in the order given: the same layout, with their responses,
   * weights and offsets, and this block's id. Row k of it is row {@code rows[k]} of this one, bit
   * for bit. Cost O(d) a row, none of it for the rows left out.
   *
   * @param rows rows in this block, possibly the same one several times. Not modified.
   * @throws IndexOutOfBoundsException if there is no such row
   */
  public final DataBlock select(int[] rows) {
    DataBlock selected =
        select(
            rows,
            select(response, rows),
            weight == null ? null : select(weight, rows),
            offset == null ? null : select(offset, rows));
    return groups == null
        ? selected
        : in(
            Arrays.stream(groups)
                .map(of -> Arrays.stream(rows).mapToLong(row -> of[row]).toArray())
                .toArray(long[][]::new),
            selected);
  }

  abstract DataBlock select(
      int[] rows, double[] y, double @Nullable [] weight, double @Nullable [] offset);

  /**
   * Returns the same rows as the block of a number, with each likelihood raised to a power: their
   * weights are multiplied by it. The features are not copied.
   */
  public final DataBlock with(long number, double power) {
    if (power == 1) {
      return in(groups, with(number, weight));
    }
    double[] weights = new double[rows()];
    Arrays.setAll(weights, row -> power * weight(row));
    return in(groups, with(number, weights));
  }

  abstract DataBlock with(long number, double @Nullable [] weights);

  private static double[] select(double[] values, int[] rows) {
    double[] selected = new double[rows.length];
    for (int k = 0; k < rows.length; k++) {
      selected[k] = values[rows[k]];
    }
    return selected;
  }

  /**
   * Returns a block with this block's rows followed by another's, and this block's id. Cost O(d) a
   * row.
   *
   * @param other a block of the same layout and columns, with weights and offsets if this one has
   * @throws IllegalArgumentException if the two do not go together
   */
  public final DataBlock append(DataBlock other) {
    if (groupings() != other.groupings()) {
      throw doesNotGoWith(other);
    }
    DataBlock all =
        append(
            other,
            append(response, other.response),
            appendOptional(weight, other.weight),
            appendOptional(offset, other.offset));
    return groups == null ? all : in(appendGroups(other), all);
  }

  private long[][] appendGroups(DataBlock other) {
    long[][] keys = new long[groupings()][];
    Arrays.setAll(
        keys,
        g ->
            IntStream.range(0, rows() + other.rows())
                .mapToLong(row -> row < rows() ? group(g, row) : other.group(g, row - rows()))
                .toArray());
    return keys;
  }

  abstract DataBlock append(
      DataBlock other, double[] y, double @Nullable [] weight, double @Nullable [] offset);

  final IllegalArgumentException doesNotGoWith(DataBlock other) {
    return new IllegalArgumentException(
        "block "
            + other.id
            + " has another layout than block "
            + id
            + ", so they cannot be joined");
  }

  private static double @Nullable [] appendOptional(
      double @Nullable [] first, double @Nullable [] second) {
    if (first == null && second == null) {
      return null;
    }
    if (first == null || second == null) {
      throw new IllegalArgumentException(
          "one block has weights or offsets, and the other has none");
    }
    return append(first, second);
  }

  private static double[] append(double[] first, double[] second) {
    double[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /** Returns how many bytes the packed arrays take. */
  public long packedBytes() {
    return 8L
        * response.length
        * (1 + (weight == null ? 0 : 1) + (offset == null ? 0 : 1) + groupings());
  }
}
