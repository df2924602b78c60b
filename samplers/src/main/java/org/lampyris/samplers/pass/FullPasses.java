package org.lampyris.samplers.pass;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.SamplerState;
import org.lampyris.samplers.run.ResidentChains;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Chains that ask all rows: each job is a pass, which answers every chain that has asked.
 *
 * @param <S> the state of a chain
 */
public final class FullPasses<S extends SamplerState> implements ResidentChains.Loaded<S> {
  private final SamplingContext context;
  private final Kernels<S> kernels;
  private final ResidentRows<PlainBlock> rows;
  private final Function<List<LikelihoodQuestions.Question>, List<double[]>> jobs;
  private final AtomicLong passes = new AtomicLong();

  /**
   * Makes the kernel of a chain.
   *
   * @param <S> the state of a chain
   */
  @FunctionalInterface
  public interface Kernels<S extends SamplerState> {
    /**
     * Returns a kernel.
     *
     * @param chain the chain's number, from 1
     * @param rows what it asks
     */
    TransitionKernel<S> of(int chain, LikelihoodRows rows);
  }

  private FullPasses(SamplingContext context, Kernels<S> kernels) {
    this.context = context;
    this.kernels = kernels;
    this.rows = context.resident(PlainBlock::new);
    rows.sum(1, (block, out) -> out[0] = block.data().rows());
    this.jobs =
        rows.questions(new LikelihoodQuestions<>(new LikelihoodPass(context.model().model())));
  }

  /**
   * Runs all chains.
   *
   * @param <S> the state of a chain
   * @param context what the run is given
   * @param target the mean acceptance probability that warm-up aims at, if the user wants no other
   * @param kernels makes the kernel of each chain
   */
  public static <S extends SamplerState> RunResult run(
      SamplingContext context, double target, Kernels<S> kernels) {
    return ResidentChains.run(context, target, () -> new FullPasses<>(context, kernels));
  }

  @Override
  public Questions<S> questions() {
    QuestionBatcher<LikelihoodQuestions.Question, double[]> batcher =
        new QuestionBatcher<>(
            context.chains(),
            (List<LikelihoodQuestions.Question> questions) -> {
              passes.incrementAndGet();
              return jobs.apply(questions);
            });
    LikelihoodRows asked = LikelihoodQuestions.rows(context.table().rows(), batcher::ask);
    return new Questions<>(chain -> kernels.of(chain, asked), batcher);
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
