package org.lampyris.dataprep.order;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.bounds.scale.Moments;
import org.lampyris.executors.pass.BlockSum;
import scala.Tuple2;

/**
 * The pass that takes the columns' moments, along the tree over block ids.
 *
 * @param ordered the encoded blocks
 * @param rows how many rows the input has
 * @param merged whether a row counts for as many as its weight says
 * @param classes how many classes the label has; 0 for a number, 2 for a binary one
 */
public record BlockMoments(RowOrder.Blocks ordered, long rows, boolean merged, int classes) {
  /**
   * What the pass gives.
   *
   * @param columns the moments of the columns, neither centred nor scaled, with cross products if d
   *     allows
   * @param near what is near the columns' means: those of the first block, as {@link MomentSums}
   *     has them
   * @param response the moments of the label, if that is a number
   * @param counts how many rows each class has, where the label is the index of a class
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record TableMoments(
      ColumnMoments columns, double[] near, Moments response, List<Double> counts) {
    /** Returns the same moments beside something else that may be near the means. */
    public TableMoments beside(double[] others) {
      return new TableMoments(columns, others, response, counts);
    }
  }

  /** Makes the pass. */
  public TableMoments of(BlockPacker packer) {
    byte[] first = ordered.blocks().filter(block -> block._1() == 0).first()._2();
    MomentSums sums = new MomentSums(packer, first, merged, classes);
    JavaRDD<Tuple2<Long, byte[]>> blocks = ordered.blocks().rdd().toJavaRDD();
    return sums.moments(
        rows,
        BlockSum.over(
            blocks,
            Tuple2::_1,
            ordered.spread(),
            sums.length(),
            (block, out) -> sums.add(block._1(), block._2(), out)));
  }
}
