package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.lampyris.samplers.rows.Place;

/**
 * The state of the rows of one partition in every chain, after a job, together with what the
 * partition answered in that job. An element of the RDD of row states, one a partition.
 *
 * <p>Immutable by convention; what a job does not change is shared with the one before.
 */
public final class RowStatePartition implements Serializable {
  private final long from;
  private final long to;
  private final Object[] chains;
  private final Object[] shares;

  /**
   * Takes the state in each chain, and for each question of the last job the partition's share of
   * the answer, of the blocks {@code from … to − 1}.
   */
  RowStatePartition(long from, long to, Object[] chains, Object[] shares) {
    this.from = from;
    this.to = to;
    this.chains = chains;
    this.shares = shares;
  }

  /** Returns the partition's rows as a place. */
  <B> Place<B> place(Iterator<B> blocks) {
    List<B> all = new ArrayList<>();
    blocks.forEachRemaining(all::add);
    return new Place<>(from, to, all);
  }

  /** Returns this partition after a job. */
  RowStatePartition after(Object[] chainsAfter, Object[] answered) {
    return new RowStatePartition(from, to, chainsAfter, answered);
  }

  Object[] chains() {
    return chains;
  }

  Object[] shares() {
    return shares;
  }
}
