package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * Answers of rows that keep a state between questions, analogous to {@link RowQuestions}: pure
 * functions of (blocks, state, question, keyed streams), so that a lost state is recomputed to the
 * same bits.
 *
 * @param <S> the state of a place's rows in one chain; immutable
 * @param <Q> a chain's question: optionally a step of the state, and the figures to return
 * @param <H> a place's share of an answer, or summary
 */
public interface RowEvolution<B, S extends Serializable, Q extends RowEvolution.ChainQuestion, H, A>
    extends Serializable {
  /** Result of a question: the state afterwards, and the place's share of the answer. */
  record Evolved<S, H>(S state, H share) {}

  /** Returns the initial state of a place's rows, in every chain. */
  S initial(Place<B> place);

  /** Adds one place's share, given its rows' state in the asking chain. */
  Evolved<S, H> add(Place<B> place, S before, Q question);

  /** Merges the shares of all places, in the order of the places. */
  A merge(Q question, List<H> shares);

  /** Question of a chain to the rows. */
  interface ChainQuestion extends Serializable {
    /** Returns the number of the asking chain, from 1. */
    int chain();

    /**
     * Returns about how many bytes the question takes. Large data is sent to each executor once,
     * not with each task, nor again when lost states are recomputed; 0 if it is small.
     */
    default long bytes() {
      return 0;
    }
  }
}
