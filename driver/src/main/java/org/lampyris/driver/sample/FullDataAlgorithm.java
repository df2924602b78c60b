package org.lampyris.driver.sample;

import java.util.List;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.dataprep.precompute.Family;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.executors.fulldata.LikelihoodJobs;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.fulldata.FullDataKernel;
import org.lampyris.samplers.fulldata.LikelihoodPass;
import org.lampyris.samplers.fulldata.LikelihoodRows;
import org.lampyris.samplers.kernel.TransitionKernel;

/** Metropolis–Hastings on the full data: each job is a pass over all rows for all chains. */
final class FullDataAlgorithm implements Algorithm {
  private final long rows;
  private final Prior prior;
  private final QuestionBatcher<LikelihoodJobs.Question, double[]> batcher;

  FullDataAlgorithm(BlockTable table, Family family, Prior prior, int chains) {
    this.rows = table.schema().rows();
    this.prior = prior;
    table.blocks().count();
    LikelihoodJobs jobs =
        new LikelihoodJobs(table.blocks(), table.ranges(), new LikelihoodPass(family.model()));
    this.batcher =
        new QuestionBatcher<>(chains, (List<LikelihoodJobs.Question> q) -> jobs.apply(q));
  }

  @Override
  public TransitionKernel kernel(int chain) {
    return new FullDataKernel(
        chain,
        prior,
        new LikelihoodRows() {
          @Override
          public long rows() {
            return rows;
          }

          @Override
          public double[] ask(int asking, double[][] thetas, boolean gradient) {
            return batcher.ask(asking, new LikelihoodJobs.Question(thetas, gradient));
          }
        });
  }

  @Override
  public QuestionBatcher<?, ?> batcher() {
    return batcher;
  }

  @Override
  public long passes() {
    return batcher.jobs();
  }

  @Override
  public void close() {
    // The table's owner drops the rows.
  }
}
