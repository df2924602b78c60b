package org.lampyris.executors.segment;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Which iterations a segment makes of each chain.
 *
 * @param first the first iteration of each chain
 * @param length how many iterations of each chain
 */
@SuppressWarnings("ArrayRecordComponent") // compared by sameAs
public record SegmentRequest(long[] first, int[] length) implements Serializable {

  /** Returns a request for the same number of iterations of every chain, all at the same point. */
  public static SegmentRequest together(int chains, long first, int length) {
    long[] firsts = new long[chains];
    int[] lengths = new int[chains];
    Arrays.fill(firsts, first);
    Arrays.fill(lengths, length);
    return new SegmentRequest(firsts, lengths);
  }

  boolean sameAs(SegmentRequest other) {
    return Arrays.equals(first, other.first) && Arrays.equals(length, other.length);
  }
}
