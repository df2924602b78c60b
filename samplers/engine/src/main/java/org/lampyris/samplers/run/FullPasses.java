package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.Pool;

/**
 * Chains that ask all rows: each job is a pass, which answers every asking chain. The rows of a
 * small table are carried to the chains, which then go on in segments, to the same bits.
 *
 * @param <S> the state of a chain
 */
public final class FullPasses<S extends SamplerState>
    implements ResidentAlgorithm<PlainBlock, S, S> {
  private final Kernels<S> kernels;
  private final ResidentRows<PlainBlock> rows;
  private final LikelihoodPass<PlainBlock> likelihood;
  private final Function<List<LikelihoodPass.Question>, List<double[]>> jobs;
  private final AtomicLong passes = new AtomicLong();
  private final long count;
  private final double bytes;
  private final @Nullable CarriedTable<PlainBlock> carried;

  /** Factory of a chain's kernel, sent to the executors if the table is small. */
  @FunctionalInterface
  public interface Kernels<S extends SamplerState> extends Serializable {
    /** Returns the kernel of a chain, numbered from 1. */
    TransitionKernel<S> of(int chain, LikelihoodRows rows);
  }

  private FullPasses(SamplingContext context, Kernels<S> kernels) {
    this.kernels = kernels;
    this.rows = context.resident(PlainBlock::new);
    this.count = context.table().rows();
    this.bytes = rows.sum(1, (block, out) -> out[0] = block.packedBytes())[0];
    this.likelihood = new LikelihoodPass<>(context.model().model());
    Function<List<LikelihoodPass.Question>, List<double[]>> pass = rows.questions(likelihood);
    this.jobs =
        questions -> {
          passes.incrementAndGet();
          return pass.apply(questions);
        };
    this.carried = CarriedTable.of(rows, bytes);
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

  /**
   * Runs all chains; warm-up aims at a mean acceptance probability, unless the user sets another.
   */
  public static <S extends SamplerState> RunResult run(
      SamplingContext context, double target, Kernels<S> kernels) {
    return ChainRuns.run(context, target, () -> new FullPasses<>(context, kernels));
  }

  @Override
  public ResidentRows<PlainBlock> rows() {
    return rows;
  }

  @Override
  public TransitionKernel<S> kernel(int chain, RowClient<PlainBlock> client) {
    return kernels.of(chain, LikelihoodPass.rows(count, question -> client.ask(jobs, question)));
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    return carried == null
        ? Optional.empty()
        : Optional.of(new SegmentSize(count, bytes / count, 0, count, 1));
  }

  @Override
  public SegmentWork<PlainBlock, S> segmentWork() {
    if (carried == null) {
      throw new IllegalStateException("a chain has all rows with it");
    }
    return new Carrying<>(carried, likelihood, count, kernels);
  }

  /** Chains that have all rows with them. */
  private record Carrying<S extends SamplerState>(
      CarriedTable<PlainBlock> table,
      LikelihoodPass<PlainBlock> likelihood,
      long rows,
      Kernels<S> kernels)
      implements SegmentWork<PlainBlock, S> {
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
      LikelihoodRows answering = likelihood.rows(rows, table.client());
      return runner.advance(from, to, kernels.of(from.chain(), answering), trace);
    }
  }

  /** {@inheritDoc} Here the passes of questions; those in segments are not counted. */
  @Override
  public long passes() {
    return passes.get();
  }
}
