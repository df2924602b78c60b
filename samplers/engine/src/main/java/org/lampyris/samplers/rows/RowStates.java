package org.lampyris.samplers.rows;

import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/**
 * States of all rows in all chains, kept with the rows. A chain's state of an iteration is named by
 * its {@link Generation}; older generations are dropped.
 *
 * @param <S> the state of a place's rows in one chain
 */
public interface RowStates<B, S extends Serializable, Q extends RowEvolution.ChainQuestion, A>
    extends AutoCloseable {
  /** Names the state of a chain's rows: the chain, from 1, and how many questions came before. */
  record Generation(int chain, long number) implements Stored {
    /** Returns the initial state of a chain's rows. */
    public static Generation first(int chain) {
      return new Generation(chain, 0);
    }

    /** Throws {@link IllegalStateException} if this is not the last state of its chain. */
    public void requireLast(Generation last) {
      if (!last.equals(this)) {
        throw new IllegalStateException(this + " cannot be dropped; the current one is " + last);
      }
    }

    /** Returns the state after one more question. */
    public Generation next() {
      return new Generation(chain, number + 1);
    }
  }

  /**
   * Names of stored states.
   *
   * @param places how many places the rows were spread over
   * @param generations the last state of each chain
   */
  record Kept(int places, List<Generation> generations) implements Stored {
    /** Copies the list. */
    public Kept {
      generations = List.copyOf(generations);
    }

    /** Throws {@link IllegalStateException} if the rows are spread over other places now. */
    public void requirePlaces(int now) {
      if (now != places) {
        throw new IllegalStateException(
            "the states of %d places were kept, but there are %d".formatted(places, now));
      }
    }
  }

  /**
   * Brings the state of a chain's rows together, as a value.
   *
   * @param <S> the state of a place's rows in one chain
   * @param <C> what is brought together; Java-serialisable
   */
  interface Collector<B, S, C extends Serializable> extends Serializable {
    /** Returns one place's data of a chain. */
    C add(Place<B> place, S state);

    /** Merges the places' data of a chain, in the order of the places. */
    C merge(List<C> places);
  }

  /**
   * Summary of all chains in one place: a pure function, sent to the rows.
   *
   * @param <S> the state of a place's rows in one chain
   * @param <R> what it comes to; Java-serialisable
   */
  @FunctionalInterface
  interface Summary<B, S, R extends Serializable> extends Serializable {
    /** Returns the summary of the states of a place's rows in all chains, in order. */
    R of(Place<B> place, List<S> chains);
  }

  /**
   * States of a place's rows as they are stored.
   *
   * @param from the first of the place's blocks
   * @param to the block after its last one
   * @param chains the state in each chain
   */
  record OfPlace(long from, long to, List<Stored> chains) implements Stored {
    /**
     * Returns the states in each chain as bytes.
     *
     * @throws IllegalArgumentException if one is not {@link Stored}
     */
    @SuppressWarnings("unchecked") // whatever is not is refused
    public static byte[] bytes(long from, long to, List<?> chains) {
      return StoredForm.bytes(new OfPlace(from, to, (List<Stored>) chains));
    }

    /** Returns the states that a place has in a store. */
    public static OfPlace read(Store store, int place) throws IOException {
      return StoredForm.read(OfPlace.class, store.read(place));
    }
  }

  /** A question about a state. */
  record Asked<Q>(Generation before, Q question) {}

  /**
   * Answers questions, in one job: at most one of each chain, in the order of the chains. Each
   * leads its chain to the next generation.
   *
   * @throws IllegalStateException if a state that is asked about is not the last of its chain
   */
  List<A> answer(List<Asked<Q>> questions);

  /** Brings the last state of every chain together, in one job, in the order of the chains. */
  <C extends Serializable> List<C> collect(Collector<B, S, C> collector);

  /**
   * Sums the last states of all chains up, place by place in their order. A place is summed up when
   * it is asked for, so that no more than one is held here at a time.
   */
  <R extends Serializable> Iterator<R> places(Summary<B, S, R> summary);

  /** Stores the last states of all chains, in one job. */
  Kept keep(Store store);

  /** Resumes from stored states, which stay stored until these are dropped. */
  void resume(Kept kept, Store store);

  /** Drops the states. */
  @Override
  void close();

  /** Storage of bytes for each place of rows. Sent to where the rows are. */
  interface Store extends Serializable {
    /**
     * Writes the bytes of a place, numbered from 0, whole or not at all; again, if they are there.
     *
     * @throws IOException if they cannot be written
     */
    void write(int place, byte[] bytes) throws IOException;

    /**
     * Returns the bytes of a place.
     *
     * @throws IOException if they cannot be read
     */
    byte[] read(int place) throws IOException;
  }
}
