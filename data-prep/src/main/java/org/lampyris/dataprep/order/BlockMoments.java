package org.lampyris.dataprep.order;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.bounds.scale.Moments;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.samplers.run.BlockTerm;
import scala.Tuple2;

/**
 * The pass that takes the columns' moments. Sums run along the tree over block ids, about a shift
 * that the first block gives: where its n₀ of n rows are unlike all others, so far away that digits
 * would be lost, the variance is at least n₀/n of the square of that.
 *
 * <p>Columns that are mostly zero are not shifted, so that sparse rows stay sparse: for them the
 * mean is no larger than about the standard deviation, and no digits are lost.
 *
 * @param ordered the encoded blocks
 * @param rows how many rows the input has
 * @param merged whether a row counts for as many as its weight says
 * @param classes how many classes the label has; 0 for a number, 2 for a binary one
 */
public record BlockMoments(RowOrder.Blocks ordered, long rows, boolean merged, int classes) {
  /** Above this many columns there is no room for d × d sums on the driver: 2 MB for each task. */
  public static final int CROSS_COLUMNS = 500;

  /**
   * What the pass gives.
   *
   * @param columns the moments of the columns, neither centred nor scaled, with cross products if d
   *     allows
   * @param response the moments of the label, if that is a number
   * @param counts how many rows each class has, where the label is the index of a class
   */
  public record TableMoments(ColumnMoments columns, Moments response, List<Double> counts) {}

  /** Makes the pass. */
  public TableMoments of(BlockPacker packer) {
    int d = packer.columns();
    boolean cross = d <= CROSS_COLUMNS;
    byte[] first = ordered.blocks().filter(block -> block._1() == 0).first()._2();
    double[] shift = shift(packer, first, cross ? 0.5 : 1);
    double origin = packer.block(0, first).response(0);
    int features = cross ? d * d + d : 2 * d;
    double[] ones = new double[d];
    Arrays.fill(ones, 1);
    BlockPacker shifted = packer.standardizing(shift, ones);
    boolean numbered = merged;
    double[] sums =
        sum(
            features + 2 + classes,
            (block, out) -> {
              Responses responses = new Responses(origin, out, features);
              if (cross) {
                addProducts(shifted.block(block._1(), block._2()), numbered, out, responses);
              } else {
                addSquares(packer, numbered, shift, block._2(), out, responses);
              }
            });
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
        new Moments(response.mean(0), response.standardDeviation(0)),
        Arrays.stream(sums, features + 2, sums.length).boxed().toList());
  }

  /**
   * Adds up labels.
   *
   * @param origin what is near them
   * @param out what is added to, from {@code from} on: Σ (y − origin), Σ (y − origin)², and how
   *     many rows have each whole number from 0
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Responses(double origin, double[] out, int from) {
    void add(double response, double number) {
      double y = response - origin;
      out[from] += number * y;
      out[from + 1] += number * (y * y);
      int index = (int) response;
      if (index >= 0 && from + 2 + index < out.length) {
        out[from + 2 + index] += number;
      }
    }
  }

  /** Returns the first block's mean of columns that are not zero in this share of rows or more. */
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
      mean[j] = nonzero[j] < share * count[0] ? 0 : mean[j] / count[0];
    }
    return mean;
  }

  private static void addProducts(
      DataBlock block, boolean merged, double[] out, Responses responses) {
    int d = block.columns();
    double[] number = new double[block.rows()];
    for (int n = 0; n < number.length; n++) {
      number[n] = merged ? block.weight(n) : 1;
      responses.add(block.response(n), number[n]);
    }
    block.addOuters(number, out);
    int[] all = IntStream.range(0, number.length).toArray();
    block.addScaled(all, 0, all.length, number, out, d * d);
  }

  private static void addSquares(
      BlockPacker packer,
      boolean merged,
      double[] shift,
      byte[] encoded,
      double[] out,
      Responses responses) {
    int d = shift.length;
    double[] nonzero = new double[d];
    double[] count = new double[1];
    packer.visit(
        encoded,
        (row, response, weight, offset, column, value, size) -> {
          double number = merged ? weight : 1;
          responses.add(response, number);
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

  private double[] sum(int length, BlockTerm<Tuple2<Long, byte[]>> term) {
    JavaRDD<Tuple2<Long, byte[]>> blocks = ordered.blocks().rdd().toJavaRDD();
    return BlockSum.over(blocks, Tuple2::_1, ordered.spread(), length, term);
  }
}
