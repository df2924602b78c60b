package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * Sums up what all chains hold of one place: a pure function, sent to where the rows are.
 *
 * @param <S> the state of a place's rows in one chain
 * @param <R> what it comes to; Java-serialisable
 */
@FunctionalInterface
public interface RowSummary<B, S, R extends Serializable> extends Serializable {
  /** Returns what the states of a place's rows in all chains, in their order, come to. */
  R of(Place<B> place, List<S> chains);
}
