package org.lampyris.samplers.run;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.Segmented;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.RowStates;

/**
 * An algorithm with its resident rows, ready to run chains by questions, and perhaps in segments.
 *
 * @param <S> the state of a chain that runs by questions
 */
public interface ChainWork<S extends SamplerState> {
  /**
   * A phase in which all chains, numbered from 1, ask the rows questions, which the batcher
   * gathers, and leave when they ask no more.
   */
  record Questions<S extends SamplerState>(
      IntFunction<TransitionKernel<S>> kernels, QuestionBatcher<?, ?> batcher) {}

  /** Begins a phase of questions. */
  Questions<S> questions();

  /** Returns the size of segments of the chains as they are, or nothing if there can be none. */
  default Optional<SegmentSize> segmentSize() {
    return Optional.empty();
  }

  /** Lets the chains go on in segments from where they are; the runner tells their length. */
  default Segmented segmented(ChainRunner runner, List<ChainState<S>> states) {
    throw new IllegalStateException("this algorithm has no segments");
  }

  /**
   * Lets the chains go on from where segments have left them, as {@link Segmented#states} tells.
   * Here for algorithms whose chains have the same states in segments as by questions.
   */
  @SuppressWarnings("unchecked") // the states of this algorithm's own segments
  default Segmented resumed(ChainRunner runner, List<ChainState<?>> states) {
    return segmented(runner, states.stream().map(state -> (ChainState<S>) state).toList());
  }

  /** Returns the states of rows that the chains' states name when they run by questions. */
  default Optional<RowStates<?, ?, ?, ?>> rowStates() {
    return Optional.empty();
  }

  /** Returns what the elements of a draw are that come after those of the model's θ. */
  default RunResult.Beyond beyond() {
    return RunResult.Beyond.NONE;
  }
}
