package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * How rows answer that keep a state between questions, in the words of {@link RowQuestions}: pure
 * functions of (blocks, state, question, keyed streams), so that a state that is lost is computed
 * again to the same bits.
 *
 * @param <S> the state of a place's rows in one chain; immutable
 * @param <Q> what a chain asks: perhaps a step of the state, and what is to be told of it
 * @param <H> a place's share of an answer, or summary
 */
public interface RowEvolution<B, S extends Serializable, Q extends RowEvolution.ChainQuestion, H, A>
    extends Serializable {
  /** Where a question leads to: the state afterwards, and the place's share of the answer. */
  record Evolved<S, H>(S state, H share) {}

  /** Returns the state that the rows of a place begin with, in every chain. */
  S initial(Place<B> place);

  /** Adds what one place knows, given its rows' state in the chain that asks. */
  Evolved<S, H> add(Place<B> place, S before, Q question);

  /** Merges the shares of all places, in the order of the places. */
  A merge(Q question, List<H> shares);

  /** What a chain asks of the rows. */
  interface ChainQuestion extends Serializable {
    /** Returns the number of the chain that asks, from 1. */
    int chain();

    /**
     * Returns about how many bytes the question takes. Much is sent to each executor once, and not
     * with each task, nor again where lost states are computed anew; 0 where it is little.
     */
    default long bytes() {
      return 0;
    }
  }
}
