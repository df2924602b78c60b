package org.lampyris.dataprep.precompute;

import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.samplers.mode.WideObjective;

/** The log-likelihood of a distributed table with many coefficients: a job for each pass. */
final class WideTableObjective implements WideObjective {
  private final JavaRDD<DataBlock> blocks;
  private final BlockRanges ranges;
  private final Model model;
  private int products;

  WideTableObjective(JavaRDD<DataBlock> blocks, BlockRanges ranges, Model model) {
    this.blocks = blocks;
    this.ranges = ranges;
    this.model = model;
  }

  /** Returns how many passes for products there were since this was asked last, in words. */
  String takeProducts() {
    String taken = products == 0 ? "" : Text.of(", %d more for products", products);
    products = 0;
    return taken;
  }

  @Override
  public DiagonalSum evaluate(double[] theta) {
    Model m = model;
    double[] at = theta.clone();
    int length = DiagonalSum.packedLength(m.dimension());
    return DiagonalSum.of(
        BlockSum.over(blocks, ranges, length, (block, out) -> DiagonalSum.addTo(m, at, block, out)),
        1);
  }

  @Override
  public double[] products(double[] theta, int count, double[] vectors) {
    products++;
    Model m = model;
    double[] at = theta.clone();
    double[] of = vectors.clone();
    return BlockSum.over(
        blocks, ranges, of.length, (block, out) -> m.addHessianProducts(block, at, count, of, out));
  }
}
