package org.lampyris.samplers.run;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowStates;

/**
 * An algorithm with its resident rows, as {@link ChainRuns} runs it: by questions, or in segments
 * if it has any. It defines the kernel of a chain, and the loading of the rows.
 *
 * @param <B> a resident block
 * @param <S> the state of a chain that asks the rows
 * @param <T> the state of a chain between two segments: S, if nothing is carried along with it
 */
public interface ResidentAlgorithm<
        B extends RowBlock<B>, S extends SamplerState, T extends SamplerState>
    extends AutoCloseable {
  /** Chains that ask the rows together, with the kernel of each, numbered from 1. */
  record Questions<S extends SamplerState>(
      ChainTeam team, IntFunction<TransitionKernel<S>> kernels) {}

  /** Returns the rows. */
  ResidentRows<B> rows();

  /** Returns the kernel of a chain, numbered from 1, that asks the rows. */
  TransitionKernel<S> kernel(int chain, RowClient<B> client);

  /** Starts a phase in which all chains ask questions, and leave when they are done. */
  default Questions<S> questions(int chains) {
    ChainTeam team = new ChainTeam(chains);
    return new Questions<>(team, chain -> kernel(chain, RowClient.of(rows(), team, chain)));
  }

  /** Returns the segment size for the chains' present states; empty if segments are impossible. */
  default Optional<SegmentSize> segmentSize() {
    return Optional.empty();
  }

  /** Returns the work of a segment. */
  default SegmentWork<B, T> segmentWork() {
    throw new IllegalStateException("this algorithm does not run in segments");
  }

  /** Returns the states of chains that have asked, converted for their first segment. */
  @SuppressWarnings("unchecked") // S is T
  default List<ChainState<T>> carrying(List<ChainState<S>> asked) {
    return asked.stream().map(state -> (ChainState<T>) state).toList();
  }

  /** Returns the kernel that makes an iteration for which the rows of a segment do not suffice. */
  @SuppressWarnings("unchecked") // S is T
  default TransitionKernel<T> kernelWithinSegment(int chain, RowClient<B> client) {
    return (TransitionKernel<T>) kernel(chain, client);
  }

  /**
   * Returns the extension outside the region of the algorithm's own kernel; null if it has none.
   */
  default RegionKernel.@Nullable Around<B> around() {
    return null;
  }

  /** Returns the states of rows that the chains' states refer to when they ask. */
  default Optional<RowStates<?, ?, ?, ?>> rowStates() {
    return Optional.empty();
  }

  /** Returns the elements of a draw after the model's θ. */
  default RunResult.Beyond beyond() {
    return RunResult.Beyond.NONE;
  }

  /** Returns the number of passes over all rows, without those of questions. */
  long passes();

  /** Returns how many (row, θ) pairs had their likelihood evaluated to load the rows. */
  default long evaluations() {
    return 0;
  }

  /** Returns decisions and remarks about loading the rows. */
  default List<Decision> decisions() {
    return List.of();
  }

  /** Returns the plan, if it is known before the chains start. */
  default Optional<ExecutionPlan> plan() {
    return Optional.empty();
  }

  /** Returns the measured bias of the draws; null if it is not measured here. */
  default @Nullable Bias bias(List<ChainTrace> traces) {
    return null;
  }

  /** Called once, when all chains have ended, with their states. */
  default void finished(List<ChainState<?>> last) {}

  /** Drops the resident data. */
  @Override
  default void close() {
    rows().close();
  }
}
