package org.lampyris.samplers.chain;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.lampyris.samplers.rows.RowStates;

/** Storage of a run's checkpoints, from which it can resume. Called by one thread. */
public interface Checkpoints {
  /**
   * Content of a resumed checkpoint.
   *
   * @param traces what the iterations so far have left behind; added to by the run
   * @param rows where the states of rows are
   */
  record Resumed(Checkpoint checkpoint, List<ChainTrace> traces, RowStates.Store rows) {}

  /** Returns whether any is kept: otherwise the chains are not halted for them. */
  boolean isKept();

  /** Returns the checkpoint to resume; empty if the run starts anew. */
  Optional<Resumed> resumed();

  /** Returns whether a checkpoint is due now, with all chains at the same iteration. */
  boolean isDue();

  /**
   * Keeps a checkpoint. May end the run by an exception, if that was asked for.
   *
   * @param iteration the last that was made of every chain
   * @param made puts states of rows into a store, where chains name them, and returns the rest
   * @param traces all that the iterations so far have left behind. Not modified.
   * @param beyond the names of the elements of a draw that come after the model's θ
   */
  void keep(
      long iteration,
      Function<RowStates.Store, Checkpoint> made,
      List<ChainTrace> traces,
      List<String> beyond);

  /** Keeps none. */
  final class None implements Checkpoints {
    @Override
    public boolean isKept() {
      return false;
    }

    @Override
    public Optional<Resumed> resumed() {
      return Optional.empty();
    }

    @Override
    public boolean isDue() {
      return false;
    }

    @Override
    public void keep(
        long iteration,
        Function<RowStates.Store, Checkpoint> made,
        List<ChainTrace> traces,
        List<String> beyond) {
      // None is kept.
    }
  }
}
