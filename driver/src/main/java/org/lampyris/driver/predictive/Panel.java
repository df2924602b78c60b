package org.lampyris.driver.predictive;

import java.util.List;

/**
 * Means of the response over groups of rows, as they are and as the model expects them.
 *
 * @param what the rows are grouped by
 * @param kind how
 * @param groups in ascending order of what they are grouped by
 */
public record Panel(String what, Kind kind, List<Group> groups) {
  /** How rows are grouped. */
  public enum Kind {
    /** Tenths of the rows by what is expected of them. */
    FITTED,
    /** Tenths by a column of numbers. */
    NUMERIC,
    /** The levels of a column. */
    LEVELS
  }

  /**
   * A group.
   *
   * @param name of a level; empty for tenths
   * @param at the mean of what it is grouped by
   * @param rows how many rows
   * @param observed Σ w y / Σ w
   * @param mean what the model expects of that, on average over the posterior
   * @param sd how far a response of the model may well be from that: the root of the mean over
   *     draws of its variance given θ, and of the variance over draws of its mean. +∞ or NaN where
   *     nobody knows it
   */
  public record Group(String name, double at, long rows, double observed, double mean, double sd) {
    /** Returns how many standard deviations what is observed is off; 0 where there are none. */
    public double z() {
      double z = (observed - mean) / sd;
      return Double.isFinite(z) ? z : 0;
    }
  }

  /** Copies the list. */
  public Panel {
    groups = List.copyOf(groups);
  }
}
