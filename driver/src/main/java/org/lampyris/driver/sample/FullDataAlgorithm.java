package org.lampyris.driver.sample;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.executors.fulldata.LikelihoodJobs;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.fulldata.FullDataKernel;
import org.lampyris.samplers.fulldata.LikelihoodPass;
import org.lampyris.samplers.fulldata.LikelihoodRows;

/** Metropolis–Hastings on the full data: each job is a pass over all rows for all chains. */
final class FullDataAlgorithm implements Algorithm {
  private final long rows;
  private final Prior prior;
  private final int chains;
  private final LikelihoodJobs jobs;
  private final AtomicLong passes = new AtomicLong();

  FullDataAlgorithm(BlockTable table, ModelOfTable family, Prior prior, int chains) {
    this.rows = table.schema().rows();
    this.prior = prior;
    this.chains = chains;
    table.keep().count();
    this.jobs =
        new LikelihoodJobs(table.blocks(), table.ranges(), new LikelihoodPass(family.model()));
  }

  @Override
  public Questions questions() {
    QuestionBatcher<LikelihoodJobs.Question, double[]> batcher =
        new QuestionBatcher<>(
            chains,
            (List<LikelihoodJobs.Question> questions) -> {
              passes.incrementAndGet();
              return jobs.apply(questions);
            });
    return new Questions(
        chain -> new FullDataKernel(chain, prior, new AskedRows(batcher)), batcher);
  }

  /** The rows, which answer through a batcher. */
  private final class AskedRows implements LikelihoodRows {
    private final QuestionBatcher<LikelihoodJobs.Question, double[]> batcher;

    AskedRows(QuestionBatcher<LikelihoodJobs.Question, double[]> batcher) {
      this.batcher = batcher;
    }

    @Override
    public long rows() {
      return rows;
    }

    @Override
    public double[] ask(int asking, double[][] thetas, boolean gradient) {
      return batcher.ask(asking, new LikelihoodJobs.Question(thetas, gradient));
    }
  }

  @Override
  public long passes() {
    return passes.get();
  }

  @Override
  public void close() {
    // The table's owner drops the rows.
  }
}
