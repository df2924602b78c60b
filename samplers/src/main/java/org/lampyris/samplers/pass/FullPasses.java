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

  /** Makes the kernel of a chain. */
  @FunctionalInterface
  public interface Kernels<S extends SamplerState> {
    /** Returns the kernel of a chain, numbered from 1. */
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

  /** Runs all chains; warm-up aims at a mean acceptance probability if the user wants no other. */
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
