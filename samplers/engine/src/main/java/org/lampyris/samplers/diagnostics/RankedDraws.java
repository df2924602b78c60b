package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The draws of one variable in ascending order: sorted once, for all that depends on the order.
 *
 * <p>Cost O(S) for S draws. Six passes of a radix sort by eleven bits (Knuth 1998, section 5.2.5)
 * carry the index of each draw along. Own code, because neither the JDK nor the Commons libraries
 * sort the indices of doubles; sorting the values, and then searching for each, took four times as
 * long for 600,000 draws.
 *
 * @param ascending the draws in ascending order, NaN last, and 0 for −0; not copied
 * @param order where, chain by chain, each of them stands; not copied
 */
record RankedDraws(int chains, double[] ascending, int[] order) {
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int PASSES = (Long.SIZE + DIGIT_BITS - 1) / DIGIT_BITS;

  /** Ranks draws, chains × iterations, a rectangle. Not modified. */
  static RankedDraws of(double[][] draws) {
    double[] pooled = Chains.pool(draws);
    int size = pooled.length;
    long[] keys = new long[size];
    int[][] counts = new int[PASSES][DIGITS];
    for (int i = 0; i < size; i++) {
      long key = key(pooled[i]);
      keys[i] = key;
      for (int pass = 0; pass < PASSES; pass++) {
        counts[pass][digit(key, pass)]++;
      }
    }
    int[] order = new int[size];
    Arrays.setAll(order, i -> i);
    long[] spareKeys = new long[size];
    int[] spareOrder = new int[size];
    for (int pass = 0; pass < PASSES; pass++) {
      int[] next = starts(counts[pass], size);
      if (next.length == 0) {
        continue;
      }
      for (int i = 0; i < size; i++) {
        int to = next[digit(keys[i], pass)]++;
        spareKeys[to] = keys[i];
        spareOrder[to] = order[i];
      }
      long[] sortedKeys = spareKeys;
      spareKeys = keys;
      keys = sortedKeys;
      int[] sortedOrder = spareOrder;
      spareOrder = order;
      order = sortedOrder;
    }
    for (int i = 0; i < size; i++) {
      pooled[i] = value(keys[i]);
    }
    return new RankedDraws(draws.length, pooled, order);
  }

  /** Returns an unsigned key with the order of the draws: NaN last, a single zero. */
  private static long key(double draw) {
    long bits = Double.doubleToLongBits(draw + 0.0); // −0 becomes 0: one value, one rank
    return bits ^ ((bits >> (Long.SIZE - 1)) | Long.MIN_VALUE);
  }

  private static double value(long key) {
    return Double.longBitsToDouble(key ^ ((~key >> (Long.SIZE - 1)) | Long.MIN_VALUE));
  }

  private static int digit(long key, int pass) {
    return (int) (key >>> (pass * DIGIT_BITS)) & (DIGITS - 1);
  }

  /** Returns the starts of each digit's keys; null if all keys have the same digit. */
  private static int[] starts(int[] counts, int size) {
    int[] starts = new int[DIGITS];
    int start = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      if (counts[digit] == size) {
        return new int[0];
      }
      starts[digit] = start;
      start += counts[digit];
    }
    return starts;
  }

  /**
   * Returns the quantile for a probability in [0, 1], type 7 of Hyndman and Fan (1996), R's
   * default: linear between the order statistics about 1 + (n − 1)·probability. NaN if a draw is.
   */
  double quantile(double probability) {
    if (Double.isNaN(ascending[ascending.length - 1])) {
      return Double.NaN;
    }
    double index = (ascending.length - 1) * probability + 1;
    int below = (int) Math.floor(index);
    int above = (int) Math.ceil(index);
    double low = ascending[below - 1];
    double high = ascending[above - 1];
    // Ties take no part in the interpolation: rounding would lift the quantile off the tied value.
    if (low == high) {
      return low;
    }
    double share = index - below;
    return (1 - share) * low + share * high;
  }

  /**
   * Returns |x − centre| in ascending order: chains that differ in scale alone then differ in
   * location. All are NaN about a centre that is not finite. Source: Vehtari et al. (2021), section
   * 4. Cost O(S): distances grow to either side.
   */
  RankedDraws foldedAbout(double centre) {
    int size = ascending.length;
    double[] distances = new double[size];
    int[] places = new int[size];
    if (!Double.isFinite(centre)) {
      Arrays.fill(distances, Double.NaN);
      return new RankedDraws(chains, distances, order);
    }
    int above = first(size, i -> !(ascending[i] <= centre));
    int below = above - 1;
    for (int i = 0; i < size; i++) {
      double up = above < size ? Math.abs(ascending[above] - centre) : Double.NaN;
      double down = below >= 0 ? Math.abs(ascending[below] - centre) : Double.NaN;
      if (above == size || down <= up) {
        distances[i] = down;
        places[i] = order[below--];
      } else {
        distances[i] = up;
        places[i] = order[above++];
      }
    }
    return new RankedDraws(chains, distances, places);
  }

  /** Returns the smallest of 0 … size that is beyond a limit, as {@code size} is. */
  static int first(int size, IntPredicate beyond) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (beyond.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns the normal scores of the ranks, ties averaged, as chains × iterations, so that R̂ and
   * ESS exist for draws without moments; NaN for a draw that is NaN.
   */
  double[][] normalScores(NormalScores scores) {
    int size = ascending.length;
    if (scores.size() != size) {
      throw new IllegalArgumentException(scores.size() + " scores for " + size + " draws");
    }
    double[] out = new double[size];
    for (int first = 0, next; first < size; first = next) {
      double value = ascending[first];
      next = first + 1;
      while (next < size && ascending[next] == value) {
        next++;
      }
      double score = Double.isNaN(value) ? Double.NaN : scores.of(first + 1 + next);
      for (int i = first; i < next; i++) {
        out[order[i]] = score;
      }
    }
    return Chains.unpool(chains, out);
  }
}
