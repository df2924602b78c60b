package org.lampyris.samplers.estimate;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/** Random subsets of the rows: the first ones of an iteration's permutation. */
public final class RandomSubset {
  /** Standard deviations beyond its mean that a subset's size hardly ever exceeds. */
  private static final double MARGIN = 6;

  private RandomSubset() {}

  /**
   * Returns the size of a subset that includes each row with a probability: that many first rows of
   * a random permutation are such a subset.
   */
  public static int size(long rows, double probability, UniformRandomProvider rng) {
    int count = Math.toIntExact(rows);
    return BinomialDistribution.of(count, probability).createSampler(rng).sample();
  }

  /** Returns how many rows a subset has at most, as a rule. */
  public static double most(long rows, double probability) {
    double mean = probability * rows;
    return mean + MARGIN * Math.sqrt(mean) + 1;
  }
}
