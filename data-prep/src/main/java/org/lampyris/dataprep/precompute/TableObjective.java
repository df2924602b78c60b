package org.lampyris.dataprep.precompute;

import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.samplers.mode.LikelihoodSum;
import org.lampyris.samplers.mode.Objective;

/** The log-likelihood of a distributed table: one job for each evaluation. */
record TableObjective(JavaRDD<DataBlock> blocks, BlockRanges ranges, Model model)
    implements Objective {
  @Override
  public LikelihoodSum evaluate(double[] theta) {
    Model m = model;
    double[] at = theta.clone();
    int length = LikelihoodSum.packedLength(m.dimension());
    double[] packed =
        BlockSum.over(
            blocks, ranges, length, (block, out) -> LikelihoodSum.addTo(m, at, block, out));
    return new LikelihoodSum(m.dimension(), packed);
  }
}
