package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * How the state of rows evolves: pure functions of (blocks, state, question, keyed streams), so
 * that a state that is lost is computed again to the same bits.
 *
 * @param <S> the state of a place's rows in one chain; immutable
 * @param <Q> what a chain asks: perhaps a step of the state, and what is to be told of it
 * @param <H> a place's share of an answer, or summary
 */
public interface RowEvolution<B, S extends Serializable, Q extends ChainQuestion, H, A>
    extends Serializable {
  /** Where a question leads to: the state afterwards, and the place's share of the answer. */
  record Evolved<S, H>(S state, H share) {}

  /** Returns the state that the rows of a place begin with, in every chain. */
  S initial(Place<B> place);

  /** Answers for the rows of one place, given their state in the chain that asks. */
  Evolved<S, H> evolve(Place<B> place, S before, Q question);

  /** Joins the shares of all places, in the order of the places. */
  A join(Q question, List<H> shares);
}
