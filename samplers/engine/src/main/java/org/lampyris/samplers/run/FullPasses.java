package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segmented;
import org.lampyris.samplers.chain.SegmentedChains;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.Pool;

/**
 * Chains that ask all rows: each job is a pass, which answers every chain that has asked. The rows
 * of a small table are carried to the chains, which then go on in segments, to the same bits.
 *
 * @param <S> the state of a chain
 */
public final class FullPasses<S extends SamplerState> implements ResidentChains.Loaded<S> {
  private final SamplingContext context;
  private final Kernels<S> kernels;
  private final ResidentRows<PlainBlock> rows;
  private final Function<List<LikelihoodQuestions.Question>, List<double[]>> jobs;
  private final AtomicLong passes = new AtomicLong();
  private final double bytes;
  private final Optional<CarriedTable<PlainBlock>> carried;

  /** Makes the kernel of a chain: sent to the executors where the table is small. */
  @FunctionalInterface
  public interface Kernels<S extends SamplerState> extends Serializable {
    /** Returns the kernel of a chain, numbered from 1. */
    TransitionKernel<S> of(int chain, LikelihoodRows rows);
  }

  private FullPasses(SamplingContext context, Kernels<S> kernels) {
    this.context = context;
    this.kernels = kernels;
    this.rows = context.resident(PlainBlock::new);
    this.bytes = rows.sum(1, (block, out) -> out[0] = block.packedBytes())[0];
    LikelihoodPass likelihood = new LikelihoodPass(context.model().model());
    this.jobs = rows.questions(new LikelihoodQuestions<>(likelihood));
    this.carried = CarriedTable.of(likelihood, rows, context.table().rows(), bytes);
  }

  /** Returns whether the rows should go along with the chains, by one of their blocks. */
  public static boolean isCarried(SamplingContext context) {
    double[] sums =
        context.sampledSum(
            1,
            2,
            (block, out) -> {
              out[0] += block.packedBytes();
              out[1] += block.rows();
            });
    return CarriedTable.isSmall(sums[0] / sums[1] * context.table().rows());
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
  public Optional<SegmentSize> segmentSize() {
    long count = context.table().rows();
    return carried.map(table -> new SegmentSize(count, bytes / count, 0, count, 1));
  }

  @Override
  public Segmented segmented(ChainRunner runner, List<ChainState<S>> begun) {
    return new SegmentedChains<>(
        rows.segments(new Carrying<>(carried.orElseThrow(), kernels), runner, context.chains()),
        runner,
        begun,
        chain -> {
          throw new IllegalStateException("a chain has all rows with it");
        },
        state -> false);
  }

  /** Chains that have all rows with them. */
  private record Carrying<S extends SamplerState>(
      CarriedTable<PlainBlock> table, Kernels<S> kernels) implements SegmentWork<PlainBlock, S> {
    @Override
    public Pool<PlainBlock> draw(int chain, long first, int length, List<PlainBlock> blocks) {
      return Pool.empty(first, length);
    }

    @Override
    public ChainState<S> advance(
        ChainRunner runner,
        ChainState<S> from,
        long to,
        List<Pool<PlainBlock>> pools,
        ChainTrace trace) {
      return runner.advance(from, to, kernels.of(from.chain(), table.answering()), trace);
    }
  }

  /** {@inheritDoc} Here those of questions: in segments nobody counts them. */
  @Override
  public long passes() {
    return passes.get();
  }

  @Override
  public void close() {
    rows.close();
  }
}
