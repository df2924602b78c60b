package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.PermutedRows;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Chains that read growing batches of rows, one question at a time or in segments. Pools carry all
 * rows to the chains if they fit {@code sampler.pool_mib}, and otherwise as many of each
 * iteration's first rows as it usually reads. Jobs make iterations that read more.
 *
 * @param <S> the state of a chain
 */
public final class MinibatchRun<S extends SamplerState>
    implements ResidentAlgorithm<PlainBlock, S, S> {
  private final int chains;
  private final ResidentRows<PlainBlock> rows;
  private final Plan<S> plan;
  private final BatchQuestions questions;
  private final double bytesPerRow;
  private final boolean whole;
  private final RunProgress progress;

  /** Factory of a chain's kernel, sent to the executors. */
  @FunctionalInterface
  public interface Kernels<S extends SamplerState> extends Serializable {
    /** Returns the kernel of a chain, numbered from 1. */
    TransitionKernel<S> of(int chain, BatchRows rows);
  }

  /** Measures the bias of the draws, by jobs, after the chains. */
  @FunctionalInterface
  public interface Measure<S extends SamplerState> {
    /** Returns it, from the traces of all chains and their kernels. */
    Bias of(List<ChainTrace> traces, ResidentAlgorithm.Questions<S> asked);
  }

  /**
   * Plan of an algorithm for its resident rows.
   *
   * @param kernels makes the kernel of a chain
   * @param usual how many rows an iteration looks at, as a rule
   * @param setup what that took
   * @param measure what the draws are off by; null if that is not measured
   * @param revisits whether an iteration may read rows of an earlier one's permutation, so that
   *     segments need all rows
   */
  public record Plan<S extends SamplerState>(
      Kernels<S> kernels, long usual, Setup setup, @Nullable Measure<S> measure, boolean revisits) {
    /** A plan of chains that read rows of the iteration's own permutation alone. */
    public Plan(Kernels<S> kernels, long usual, Setup setup, @Nullable Measure<S> measure) {
      this(kernels, usual, setup, measure, false);
    }
  }

  /**
   * Work before the chains.
   *
   * @param passes how often all rows were read
   * @param evaluations how many (row, θ) pairs had their likelihood evaluated
   * @param decisions what was decided, or is to be known
   */
  public record Setup(long passes, long evaluations, List<Decision> decisions)
      implements Serializable {
    /** Nothing. */
    public static final Setup NONE = new Setup(0, 0, List.of());

    /** Returns one pass with an evaluation a row. */
    public static Setup ofPass(SamplingContext context) {
      return new Setup(1, context.table().rows(), List.of());
    }

    /** Returns both. */
    public Setup and(Setup other) {
      List<Decision> all = new ArrayList<>(decisions);
      all.addAll(other.decisions);
      return new Setup(passes + other.passes, evaluations + other.evaluations, all);
    }
  }

  /**
   * Refuses a table whose blocks are not of equal size.
   *
   * @throws UserException (usage) if they are not
   */
  public static void requireEqualBlocks(boolean grouped, String algorithm) {
    if (grouped) {
      throw UserException.usage(
          "sampler.algorithm: %s draws rows by their place in blocks of equal size, but"
                  .formatted(algorithm)
              + " data.group_by gave the blocks of this table different sizes. Prepare the table"
              + " without data.group_by, or choose another algorithm.");
    }
  }

  private MinibatchRun(
      SamplingContext context, Function<ResidentRows<PlainBlock>, Plan<S>> plan, String algorithm) {
    SamplingContext.TableSize table = context.table();
    requireEqualBlocks(table.blockRows() == 0, algorithm);
    this.chains = context.chains();
    this.progress = context.inputs().progress();
    this.rows = context.resident(PlainBlock::new);
    this.questions = new BatchQuestions(context.streams().seed(), table.rows(), table.blockRows());
    double bytes = rows.sum(1, (block, out) -> out[0] = block.packedBytes())[0];
    this.bytesPerRow = bytes / table.rows();
    this.whole = bytes <= context.inputs().plan().poolBytes();
    this.plan = plan.apply(rows);
  }

  /**
   * Runs all chains.
   *
   * @param algorithm its name, for messages
   * @param target the mean of what warm-up tunes, if the user wants no other
   * @param plan reads the rows that it needs, and determines how the chains run
   */
  public static <S extends SamplerState> RunResult run(
      SamplingContext context,
      String algorithm,
      double target,
      Function<ResidentRows<PlainBlock>, Plan<S>> plan) {
    return ChainRuns.run(context, target, () -> new MinibatchRun<>(context, plan, algorithm));
  }

  @Override
  public ResidentRows<PlainBlock> rows() {
    return rows;
  }

  @Override
  public TransitionKernel<S> kernel(int chain, RowClient<PlainBlock> client) {
    return plan.kernels().of(chain, BatchRows.asked(questions, chain, client));
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    long count = questions.rows();
    if (!whole && plan.revisits()) {
      return Optional.empty();
    }
    return Optional.of(
        whole
            ? new SegmentSize(count, bytesPerRow, 0, count, 1)
            : new SegmentSize(count, bytesPerRow, plan.usual(), 0, 1));
  }

  @Override
  public SegmentWork<PlainBlock, S> segmentWork() {
    int first = whole ? 0 : (int) Math.min(plan.usual(), Integer.MAX_VALUE);
    return new Carrying<>(questions, plan.kernels(), first);
  }

  /**
   * Chains with their rows.
   *
   * @param first how many of each iteration's first rows are carried; 0 for all rows
   */
  private record Carrying<S extends SamplerState>(
      BatchQuestions questions, Kernels<S> kernels, int first)
      implements SegmentWork<PlainBlock, S> {
    @Override
    public Pool<PlainBlock> draw(int chain, long from, int length, List<PlainBlock> blocks) {
      if (first == 0) {
        return Pool.whole(from, length, blocks);
      }
      PermutedRows<PlainBlock> permuted =
          new PermutedRows<>(
              questions.seed(), chain, questions.rows(), questions.blockRows(), first);
      return Pool.draw(permuted, from, length, first, blocks);
    }

    @Override
    public ChainState<S> advance(
        ChainRunner runner,
        ChainState<S> from,
        long to,
        List<Pool<PlainBlock>> pools,
        ChainTrace trace) {
      BatchRows carried =
          first == 0
              ? BatchRows.whole(questions, from.chain(), pools)
              : BatchRows.first(questions, pools);
      return runner.advance(from, to, kernels.of(from.chain(), carried), trace);
    }
  }

  @Override
  public long passes() {
    return plan.setup().passes();
  }

  @Override
  public long evaluations() {
    return plan.setup().evaluations();
  }

  @Override
  public List<Decision> decisions() {
    return plan.setup().decisions();
  }

  @Override
  public @Nullable Bias bias(List<ChainTrace> traces) {
    Measure<S> measure = plan.measure();
    if (measure == null) {
      return null;
    }
    progress.begin("bias");
    Bias bias = measure.of(traces, questions(chains));
    progress.note(bias.sentence());
    progress.end();
    return bias;
  }
}
