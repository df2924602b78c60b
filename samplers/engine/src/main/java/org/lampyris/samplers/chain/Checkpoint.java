package org.lampyris.samplers.chain;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.RowStates.Kept;
import org.lampyris.samplers.rows.Stored;

/**
 * State of all chains of a run at the same iteration. With the traces so far, and the states of
 * rows that chains name, it suffices to resume.
 *
 * @param plan how the chains go on
 * @param chains the chains' states, in the order of their numbers
 * @param rows names the states of rows that were put aside; null if chains name none
 * @param jobs how many jobs were run so far
 */
public record Checkpoint(
    ExecutionPlan plan, List<ChainState.Kept> chains, @Nullable Kept rows, long jobs)
    implements Stored {
  /** Returns the last iteration of every chain. */
  public long iteration() {
    return chains.get(0).iteration();
  }
}
