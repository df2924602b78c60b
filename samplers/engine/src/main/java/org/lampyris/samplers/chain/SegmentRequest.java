package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which iterations a segment makes of each chain.
 *
 * @param first the first iteration of each chain
 * @param length how many iterations of each chain; 0 for a chain that waits
 */
public record SegmentRequest(long[] first, int[] length) implements Serializable {
  /** Returns a request for the same number of iterations of every chain, all at the same point. */
  public static SegmentRequest together(int chains, long first, int length) {
    long[] firsts = new long[chains];
    int[] lengths = new int[chains];
    Arrays.fill(firsts, first);
    Arrays.fill(lengths, length);
    return new SegmentRequest(firsts, lengths);
  }

  /** Returns a request for what is left up to the last iteration; null if nothing is. */
  static @Nullable SegmentRequest upTo(List<? extends ChainState<?>> states, long end) {
    long[] first = states.stream().mapToLong(state -> state.iteration() + 1).toArray();
    int[] length = states.stream().mapToInt(state -> (int) (end - state.iteration())).toArray();
    return Arrays.stream(length).anyMatch(left -> left > 0)
        ? new SegmentRequest(first, length)
        : null;
  }

  /** Returns whether the same iterations are asked for. */
  public boolean sameAs(SegmentRequest other) {
    return Arrays.equals(first, other.first) && Arrays.equals(length, other.length);
  }
}
