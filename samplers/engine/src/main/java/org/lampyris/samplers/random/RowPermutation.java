package org.lampyris.samplers.random;

import java.util.function.LongUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Keyed pseudo-random permutation of the numbers 0 … size − 1 with random access in both
 * directions. Each place can therefore find which of its rows belong to a random subset of the
 * table, in time proportional to its rows or to the subset, whichever is smaller.
 *
 * <p>A Feistel network of eight rounds over the smallest range 2^k ≥ size, k at least 8, with
 * halves of ⌈k/2⌉ and ⌊k/2⌋ bits in turn, and cycle walking (Black and Rogaway, 2002). A result
 * outside the range is permuted again, 2^k/size times in all on average, which is less than twice
 * above 128. Cost: about 30 ns for each time, and 10 where many numbers are asked for at once;
 * nothing is stored.
 */
public final class RowPermutation {
  private static final int ROUNDS = 8;

  /** With fewer, some permutations come up more often than others. */
  private static final int FEWEST_BITS = 8;

  private final long size;
  private final int rightBits;

  /** Masks of the bits that a round mixes, in turn. */
  private final long[] masks = new long[ROUNDS];

  private final long[] roundKeys = new long[ROUNDS];

  /** Keys the permutation of {@code size} numbers, from 1 to 2⁶². */
  public RowPermutation(long seed, int chain, long iteration, long size) {
    if (size < 1 || size > 1L << 62) {
      throw new IllegalArgumentException("a permutation of " + size + " numbers");
    }
    this.size = size;
    int bits = Math.max(FEWEST_BITS, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
    this.rightBits = bits / 2;
    int leftBits = bits - rightBits;
    UniformRandomProvider rng =
        new Streams(seed).stream(Streams.Purpose.SELECTION, chain, iteration, 0);
    for (int i = 0; i < ROUNDS; i++) {
      roundKeys[i] = rng.nextLong();
      masks[i] = (1L << (i % 2 == 0 ? leftBits : rightBits)) - 1;
    }
  }

  /** Returns the position of a number. */
  public long position(long number) {
    return walk(number, this::permute);
  }

  /** Returns the number at a position: the inverse of {@link #position}. */
  public long numberAt(long position) {
    return walk(position, this::permuteBack);
  }

  /** Returns the {@link #position} of each of the numbers {@code first … end − 1}. */
  public long[] positions(long first, long end) {
    return walk(first, end, false);
  }

  /** Returns the number at each of the positions {@code low … high − 1}; see {@link #numberAt}. */
  public long[] numbersAt(long low, long high) {
    return walk(low, high, true);
  }

  /**
   * Walks many cycles at a time, round by round: no step waits for another's result, and finished
   * ones are removed after each permutation.
   */
  private long[] walk(long from, long to, boolean back) {
    if (from < 0 || to > size) {
      throw new IllegalArgumentException(from + " … " + (to - 1) + " is outside 0 … " + (size - 1));
    }
    int n = Math.toIntExact(to - from);
    long[] arrived = new long[n];
    int[] places = new int[n];
    long[] left = new long[n];
    long[] right = new long[n];
    for (int i = 0; i < n; i++) {
      places[i] = i;
      left[i] = (from + i) >>> rightBits;
      right[i] = (from + i) & rightMask();
    }
    while (n > 0) {
      for (int r = 0; r < ROUNDS; r++) {
        int round = back ? ROUNDS - 1 - r : r;
        long key = roundKeys[round];
        long mask = masks[round];
        long[] kept = back ? left : right;
        long[] mixed = back ? right : left;
        for (int i = 0; i < n; i++) {
          mixed[i] ^= mix(kept[i] ^ key) & mask;
        }
        left = back ? mixed : kept;
        right = back ? kept : mixed;
      }
      int walking = 0;
      for (int i = 0; i < n; i++) {
        long value = left[i] << rightBits | right[i];
        arrived[places[i]] = value;
        left[walking] = left[i];
        right[walking] = right[i];
        places[walking] = places[i];
        walking += value >= size ? 1 : 0;
      }
      n = walking;
    }
    return arrived;
  }

  private long walk(long from, LongUnaryOperator way) {
    if (from < 0 || from >= size) {
      throw new IllegalArgumentException(from + " is outside 0 … " + (size - 1));
    }
    long value = from;
    do {
      value = way.applyAsLong(value);
    } while (value >= size);
    return value;
  }

  private long permute(long value) {
    long left = value >>> rightBits;
    long right = value & rightMask();
    for (int i = 0; i < ROUNDS; i++) {
      long next = left ^ (mix(right ^ roundKeys[i]) & masks[i]);
      left = right;
      right = next;
    }
    return left << rightBits | right;
  }

  private long rightMask() {
    return masks[1];
  }

  /** Undoes {@link #permute}: the rounds in the opposite order, each its own inverse. */
  private long permuteBack(long value) {
    long left = value >>> rightBits;
    long right = value & rightMask();
    for (int i = ROUNDS - 1; i >= 0; i--) {
      long before = right ^ (mix(left ^ roundKeys[i]) & masks[i]);
      right = left;
      left = before;
    }
    return left << rightBits | right;
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014). */
  private static long mix(long x) {
    long z = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
