package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.prior.ColumnMoments;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.table.TableSchema.Layout;

/**
 * Contributions of blocks to the moments of the columns and of the label: sums about a shift from
 * the first block. If the first n₀ of n rows are so far from all others that digits would be lost,
 * the variance is at least n₀/n of the squared distance.
 *
 * <p>In the sparse layout, mostly zero columns are not shifted, so that sparse rows stay sparse.
 * Their mean is at most about the standard deviation, and no digits are lost.
 */
public final class MomentSums implements Serializable {
  /** Largest number of columns for d × d sums on the driver: 2 MB for each task. */
  public static final int CROSS_COLUMNS = 500;

  /**
   * The moments of a table.
   *
   * @param columns the moments of the columns, not centred, with cross products if d allows
   * @param near a point near the columns' means: the first block's, or 0
   * @param response the moments of the label, if that is a number; less the offset if it is any
   *     number
   * @param exposure the mean of exp(offset); null without offsets, or where it is 0 or infinite
   * @param counts how many rows each class has, where the label is the index of a class
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record TableMoments(
      ColumnMoments columns,
      double[] near,
      Moments response,
      @Nullable Double exposure,
      List<Double> counts) {
    /** Returns the same moments about another point near the means. */
    public TableMoments beside(double[] others) {
      return new TableMoments(columns, others, response, exposure, counts);
    }
  }

  private final BlockPacker plain;
  private final BlockPacker shifted;
  private final double[] shift;
  private final double origin;
  private final boolean cross;

  /** Whether offsets are taken from labels, which are then in one unit. */
  private final boolean rest;

  /** Whether labels are times. Their responses also hold the censoring. */
  private final boolean times;

  private final boolean merged;
  private final int classes;

  /**
   * Begins.
   *
   * @param plain packs blocks as they are
   * @param first the first block, encoded
   * @param merged whether a row counts for as many as its weight says
   * @param classes how many classes the label has; 0 for a number, 2 for a binary one
   */
  public MomentSums(BlockPacker plain, byte[] first, boolean merged, int classes) {
    this.plain = plain;
    this.merged = merged;
    this.classes = classes;
    int d = plain.columns();
    cross = d <= CROSS_COLUMNS;
    shift = shift(plain, first, plain.layout() == Layout.DENSE ? 0 : cross ? 0.5 : 1);
    rest = plain.hasOffset() && plain.label() == LabelKind.REAL;
    times = plain.label().isTime();
    DataBlock block = plain.block(0, first);
    origin = rest(block.response(0), block.offset(0));
    shifted = plain.about(shift);
  }

  private double rest(double response, double offset) {
    return rest ? response - offset : times ? CensoredTime.time(response, offset) : response;
  }

  /** Returns the shift of the sums: near the mean of every column, or 0. Not a copy. */
  public double[] shift() {
    return shift;
  }

  /** Returns the number of sums. */
  public int length() {
    return features() + Responses.COUNTS + classes;
  }

  private int features() {
    int d = shift.length;
    return cross ? d * d + d : 2 * d;
  }

  /**
   * Adds the sums of a packed block.
   *
   * @param columns the rows by column, if they are not encoded
   * @param packed the same block, by a packer
   * @param out modified
   */
  void add(
      byte[] encoded,
      @Nullable ColumnRows columns,
      DataBlock packed,
      BlockPacker by,
      double[] out) {
    if (cross) {
      add(by.isAbout(shift) ? packed : shifted.block(packed.id(), encoded, columns), out);
    } else {
      addSquares(encoded, columns, out);
    }
  }

  /**
   * Returns the moments.
   *
   * @param rows how many rows the input has
   * @param sums the sums over all blocks
   */
  public TableMoments moments(long rows, double[] sums) {
    int d = shift.length;
    int features = features();
    ColumnMoments columns =
        cross
            ? ColumnMoments.of(
                rows, shift, Arrays.copyOfRange(sums, d * d, features), Arrays.copyOf(sums, d * d))
            : ColumnMoments.ofDiagonal(
                rows, shift, Arrays.copyOf(sums, d), Arrays.copyOfRange(sums, d, 2 * d));
    ColumnMoments response =
        ColumnMoments.ofDiagonal(
            rows,
            new double[] {origin},
            new double[] {sums[features]},
            new double[] {sums[features + 1]});
    return new TableMoments(
        columns,
        shift,
        new Moments(response.mean(0), response.standardDeviation(0)),
        exposure(sums[features + Responses.EXPOSURE] / rows),
        Arrays.stream(sums, features + Responses.COUNTS, sums.length).boxed().toList());
  }

  private @Nullable Double exposure(double mean) {
    return plain.hasOffset() && mean > 0 && mean < Double.POSITIVE_INFINITY ? mean : null;
  }

  /**
   * Adds up labels and offsets o.
   *
   * @param origin what is near the labels
   * @param offsets whether offsets are added up
   * @param out what is added to, from {@code from} on: Σ (y − origin), Σ (y − origin)², Σ eᵒ, and
   *     how many rows have each whole number from 0
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Responses(double origin, boolean offsets, double[] out, int from) {
    static final int EXPOSURE = 2;
    static final int COUNTS = 3;

    void add(double response, double offset, double number) {
      double y = response - origin;
      out[from] += number * y;
      out[from + 1] += number * (y * y);
      if (offsets) {
        out[from + EXPOSURE] += number * Math.exp(offset);
      }
      // Compared as numbers: a label of 2³¹ or more is no index.
      if (response >= 0 && response < out.length - from - COUNTS) {
        out[from + COUNTS + (int) response] += number;
      }
    }
  }

  /**
   * Returns the first block's means of columns that are non-zero in at least this share of rows; 0
   * for others, and for the intercept.
   */
  private static double[] shift(BlockPacker packer, byte[] first, double share) {
    int d = packer.columns();
    double[] mean = new double[d];
    int[] nonzero = new int[d];
    int[] count = new int[1];
    packer.visit(
        first,
        (row, response, weight, offset, column, value, size) -> {
          count[0] = row + 1;
          for (int k = 0; k < size; k++) {
            mean[column[k]] += value[k];
            nonzero[column[k]]++;
          }
        });
    for (int j = 0; j < d; j++) {
      boolean apart = nonzero[j] < share * count[0] || (j == 0 && packer.hasIntercept());
      mean[j] = apart ? 0 : mean[j] / count[0];
    }
    return mean;
  }

  private void add(DataBlock block, double[] out) {
    Responses responses = new Responses(origin, plain.hasOffset(), out, features());
    int d = block.columns();
    double[] number = new double[block.rows()];
    for (int n = 0; n < number.length; n++) {
      number[n] = merged ? block.weight(n) : 1;
      responses.add(rest(block.response(n), block.offset(n)), block.offset(n), number[n]);
    }
    block.addOuters(number, out);
    int[] all = IntStream.range(0, number.length).toArray();
    block.addScaled(all, 0, all.length, number, out, d * d);
  }

  private void addSquares(byte[] encoded, @Nullable ColumnRows columns, double[] out) {
    Responses responses = new Responses(origin, plain.hasOffset(), out, features());
    int d = shift.length;
    double[] nonzero = new double[d];
    double[] count = new double[1];
    plain.visit(
        encoded,
        columns,
        (row, response, weight, offset, column, value, size) -> {
          double number = merged ? weight : 1;
          responses.add(rest(response, offset), offset, number);
          count[0] += number;
          for (int k = 0; k < size; k++) {
            double x = value[k] - shift[column[k]];
            nonzero[column[k]] += number;
            out[column[k]] += number * x;
            out[d + column[k]] += number * (x * x);
          }
        });
    for (int j = 0; j < d; j++) {
      // A column that is shifted and has zeros after all, which the first block did not show.
      double zeros = count[0] - nonzero[j];
      out[j] -= zeros * shift[j];
      out[d + j] += zeros * (shift[j] * shift[j]);
    }
  }
}
