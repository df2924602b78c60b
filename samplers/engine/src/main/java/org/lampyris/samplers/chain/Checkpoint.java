package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.RowStates.Kept;

/**
 * State of all chains of a run at the same iteration. With the traces so far, and the states of
 * rows that chains name, it suffices to resume.
 *
 * @param plan how the chains go on
 * @param chains the chains' states, in the order of their numbers: of the kind that the plan needs
 * @param rows names the states of rows that were put aside; null if chains name none
 * @param jobs how many jobs were run so far
 */
public record Checkpoint(
    ExecutionPlan plan, List<ChainState<?>> chains, @Nullable Kept rows, long jobs)
    implements Serializable {
  /** Returns the last iteration of every chain. */
  public long iteration() {
    return chains.get(0).iteration();
  }
}
