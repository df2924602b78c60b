package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.rows.TreeSum;

/**
 * Answers of rows to questions without state: each place adds a share, and the chain merges the
 * shares. Pure functions, the first sent to where the rows are. Rows that keep a state between
 * questions answer by a {@link RowEvolution}.
 *
 * @param <B> a resident block
 * @param <Q> a question
 * @param <H> a place's share of an answer
 * @param <A> an answer
 */
public interface RowQuestions<B, Q extends Serializable, H extends Serializable, A>
    extends Serializable {
  /**
   * Returns a place's share of each answer, with each block read once for all questions: at most
   * one of each chain, in the order of the chains.
   */
  List<H> add(Place<B> place, List<Q> questions);

  /** Merges the shares of all places, in the order of the places. */
  A merge(Q question, List<H> shares);

  /**
   * Merges shares of a sum over blocks, with a number of elements, along the tree over block ids.
   */
  static double[] total(List<TreeSum.Node[]> shares, int length) {
    return TreeSum.total(shares.stream().flatMap(Arrays::stream).toList(), length);
  }

  /** Returns a place's share of a sum over blocks. */
  static TreeSum.Node[] share(TreeSum sum) {
    return sum.nodes().toArray(new TreeSum.Node[0]);
  }
}
