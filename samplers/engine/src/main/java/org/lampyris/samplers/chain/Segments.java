package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * Runs segments of all chains from pools. Not safe for use by several threads.
 *
 * @param <S> the state of a chain between two segments
 */
public interface Segments<S extends SamplerState> extends AutoCloseable {
  /**
   * Result of a segment.
   *
   * @param state where the chain is: at the end of the segment, or before the iteration that its
   *     pools did not suffice for
   */
  record Segment<S extends SamplerState>(ChainState<S> state, ChainTrace trace)
      implements Serializable {}

  /**
   * Iterations of each chain in a segment.
   *
   * @param first the first iteration of each chain
   * @param length how many iterations of each chain; 0 for a chain that waits
   */
  record Request(long[] first, int[] length) implements Serializable {
    /**
     * Returns a request for the same number of iterations of every chain, all at the same point.
     */
    public static Request together(int chains, long first, int length) {
      long[] firsts = new long[chains];
      int[] lengths = new int[chains];
      Arrays.fill(firsts, first);
      Arrays.fill(lengths, length);
      return new Request(firsts, lengths);
    }

    /** Returns a request for the remaining iterations up to the last; null if there are none. */
    static @Nullable Request upTo(List<? extends ChainState<?>> states, long end) {
      long[] first = states.stream().mapToLong(state -> state.iteration() + 1).toArray();
      int[] length = states.stream().mapToInt(state -> (int) (end - state.iteration())).toArray();
      return Arrays.stream(length).anyMatch(left -> left > 0) ? new Request(first, length) : null;
    }

    /** Returns whether the same iterations are requested. */
    public boolean sameAs(Request other) {
      return Arrays.equals(first, other.first) && Arrays.equals(length, other.length);
    }
  }

  /**
   * Runs one segment of every chain, and returns the results, in order.
   *
   * @param from where the chains are, in the same order
   * @param following what will probably be asked for next, whose pools are drawn meanwhile; or null
   */
  List<Segment<S>> run(List<ChainState<S>> from, Request request, @Nullable Request following);

  /** Returns how many jobs were run. */
  long jobs();

  @Override
  void close();
}
