package org.lampyris.samplers.rowstate;

import java.io.Serializable;
import java.util.List;

/**
 * The state of all rows in all chains, kept where the rows are. A chain's state of an iteration is
 * named by its {@link Generation}; older generations are dropped.
 *
 * @param <B> a resident block
 * @param <S> the state of a place's rows in one chain
 * @param <Q> a question
 * @param <A> an answer
 */
public interface RowStates<B, S extends Serializable, Q extends ChainQuestion, A>
    extends AutoCloseable {
  /**
   * Names the state of a chain's rows.
   *
   * @param chain the chain's number, from 1
   * @param number how many questions have been answered before
   */
  record Generation(int chain, long number) implements Serializable {
    /** Returns the state that a chain's rows begin with. */
    public static Generation first(int chain) {
      return new Generation(chain, 0);
    }

    /**
     * Makes sure that this is the last state of its chain.
     *
     * @throws IllegalStateException if it is not, and so is dropped
     */
    public void requireLast(Generation last) {
      if (!last.equals(this)) {
        throw new IllegalStateException(this + " is dropped; there is " + last);
      }
    }

    /** Returns the state after one more question. */
    public Generation next() {
      return new Generation(chain, number + 1);
    }
  }

  /**
   * A question about a state.
   *
   * @param <Q> the question
   * @param before the state that it is asked about
   * @param question the question
   */
  record Asked<Q>(Generation before, Q question) {}

  /**
   * Answers questions, in one job. Each leads its chain to the next generation.
   *
   * @param questions at most one of each chain, in the order of the chains
   * @throws IllegalStateException if a state that is asked about is not the last of its chain, and
   *     so is dropped
   */
  List<A> answer(List<Asked<Q>> questions);

  /**
   * Brings the last state of every chain together, in one job, in the order of the chains.
   *
   * @param <C> what it is brought together as
   */
  <C extends Serializable> List<C> collect(RowCollector<B, S, C> collector);

  /** Drops the states. */
  @Override
  void close();
}
