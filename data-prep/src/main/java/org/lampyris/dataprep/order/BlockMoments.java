package org.lampyris.dataprep.order;

import java.util.Arrays;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.samplers.run.BlockTerm;
import scala.Tuple2;

/**
 * The pass that takes the columns' moments. Sums run along the tree over block ids, about a shift
 * that the first block gives: its rows are a random sample of all.
 *
 * <p>Columns that are mostly zero are not shifted, so that sparse rows stay sparse: for them the
 * mean is no larger than about the standard deviation, and no digits are lost.
 *
 * @param ordered the encoded blocks
 */
public record BlockMoments(RowOrder.Blocks ordered, long rows) {
  /** Above this many columns there is no room for d × d sums on the driver: 2 MB for each task. */
  public static final int CROSS_COLUMNS = 500;

  /** Returns the moments of the columns as they are, with cross products if d allows. */
  public ColumnMoments of(BlockPacker packer) {
    int d = packer.columns();
    boolean cross = d <= CROSS_COLUMNS;
    double[] shift = shift(packer, cross ? 0.5 : 1);
    if (!cross) {
      double[] sums = sum(2 * d, (block, out) -> addSquares(packer, shift, block, out));
      return ColumnMoments.ofDiagonal(
          rows, shift, Arrays.copyOf(sums, d), Arrays.copyOfRange(sums, d, 2 * d));
    }
    double[] ones = new double[d];
    Arrays.fill(ones, 1);
    BlockPacker shifted = packer.standardizing(shift, ones);
    double[] sums = sum(d * d + d, (block, out) -> addProducts(shifted, block, out));
    return ColumnMoments.of(
        rows, shift, Arrays.copyOfRange(sums, d * d, d * d + d), Arrays.copyOf(sums, d * d));
  }

  /** Returns the first block's mean of columns that are not zero in this share of rows or more. */
  private double[] shift(BlockPacker packer, double share) {
    int d = packer.columns();
    double[] mean = new double[d];
    int[] nonzero = new int[d];
    int[] count = new int[1];
    packer.visit(
        ordered.blocks().first()._2(),
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

  private static void addProducts(BlockPacker shifted, Tuple2<Long, byte[]> encoded, double[] out) {
    DataBlock block = shifted.block(encoded._1(), encoded._2());
    int d = block.columns();
    for (int n = 0; n < block.rows(); n++) {
      block.addOuter(n, 1, out);
      block.addScaled(n, 1, out, d * d);
    }
  }

  private static void addSquares(
      BlockPacker packer, double[] shift, Tuple2<Long, byte[]> encoded, double[] out) {
    int d = shift.length;
    int[] nonzero = new int[d];
    int[] count = new int[1];
    packer.visit(
        encoded._2(),
        (row, response, weight, offset, column, value, size) -> {
          count[0] = row + 1;
          for (int k = 0; k < size; k++) {
            double x = value[k] - shift[column[k]];
            nonzero[column[k]]++;
            out[column[k]] += x;
            out[d + column[k]] += x * x;
          }
        });
    for (int j = 0; j < d; j++) {
      // A column that is shifted and has zeros after all, which the first block did not show.
      int zeros = count[0] - nonzero[j];
      out[j] -= zeros * shift[j];
      out[d + j] += zeros * (shift[j] * shift[j]);
    }
  }

  private double[] sum(int length, BlockTerm<Tuple2<Long, byte[]>> term) {
    JavaRDD<Tuple2<Long, byte[]>> blocks = ordered.blocks().rdd().toJavaRDD();
    return BlockSum.over(blocks, Tuple2::_1, ordered.runs(), length, term);
  }
}
