package org.lampyris.samplers.fulldata;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.run.ResidentChains;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings on the full data: each job is a pass over all rows for all chains. */
final class FullDataRun implements ResidentChains.Loaded<Point> {
  private final SamplingContext context;
  private final ResidentRows<PlainBlock> rows;
  private final Function<List<LikelihoodQuestions.Question>, List<double[]>> jobs;
  private final AtomicLong passes = new AtomicLong();

  FullDataRun(SamplingContext context) {
    this.context = context;
    this.rows = context.resident(PlainBlock::new);
    rows.sum(1, (block, out) -> out[0] = block.data().rows());
    this.jobs =
        rows.questions(new LikelihoodQuestions(new LikelihoodPass(context.model().model())));
  }

  @Override
  public Questions<Point> questions() {
    QuestionBatcher<LikelihoodQuestions.Question, double[]> batcher =
        new QuestionBatcher<>(
            context.chains(),
            (List<LikelihoodQuestions.Question> questions) -> {
              passes.incrementAndGet();
              return jobs.apply(questions);
            });
    LikelihoodRows asked =
        new LikelihoodRows() {
          @Override
          public long rows() {
            return context.table().rows();
          }

          @Override
          public double[] ask(int chain, double[][] thetas, boolean gradient) {
            return batcher.ask(chain, new LikelihoodQuestions.Question(thetas, gradient));
          }
        };
    return new Questions<>(
        chain -> new FullDataKernel(chain, context.model().prior(), asked), batcher);
  }

  @Override
  public long passes() {
    return passes.get();
  }

  @Override
  public void close() {
    rows.close();
  }
}
