package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import org.lampyris.samplers.rows.Place;

/**
 * How rows answer questions that leave nothing behind: pure functions, the first sent to where the
 * rows are.
 *
 * @param <B> a resident block
 * @param <Q> a question
 * @param <H> a place's share of an answer
 * @param <A> an answer
 */
public interface RowQuestions<B, Q extends Serializable, H extends Serializable, A>
    extends Serializable {
  /**
   * Returns a place's share of each answer, each block read once for all questions: at most one of
   * each chain, in the order of the chains.
   */
  List<H> share(Place<B> place, List<Q> questions);

  /** Joins the shares of all places, in the order of the places. */
  A join(Q question, List<H> shares);
}
