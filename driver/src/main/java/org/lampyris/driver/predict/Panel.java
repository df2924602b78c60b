package org.lampyris.driver.predict;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Means of the response over groups of rows, observed and replicated.
 *
 * @param what the rows are grouped by
 * @param kind how
 * @param groups in ascending order of what they are grouped by
 */
public record Panel(String what, Kind kind, List<Group> groups) {
  /** Kind of grouping. */
  public enum Kind {
    /** Tenths of the rows by their expected response. */
    FITTED,
    /** Tenths by a column of numbers. */
    NUMERIC,
    /** The levels of a column. */
    LEVELS,
    /** All rows: the share of each class. */
    CLASSES
  }

  /**
   * A group.
   *
   * @param name of a level or class; empty for tenths
   * @param at the mean of what it is grouped by
   * @param rows how many rows
   * @param observed Σ w y / Σ w
   * @param mean expectation of that under the model, on average over the posterior
   * @param sd its posterior predictive standard deviation: the root of the mean over draws of its
   *     variance given θ, plus the variance over draws of its mean; +∞ or NaN if unknown
   * @param replicated its replicates
   * @param zeros the share of zeros among counts; null unless the group has a name
   * @param largest the largest number; null likewise, and for classes
   * @param beyond whether its mean deviates more than any mean of the replicated tables does
   */
  public record Group(
      String name,
      double at,
      long rows,
      double observed,
      double mean,
      double sd,
      Replicated replicated,
      @Nullable Figure zeros,
      @Nullable Figure largest,
      boolean beyond) {
    /** Returns the same group with another judgement. */
    Group beyond(boolean is) {
      return new Group(name, at, rows, observed, mean, sd, replicated, zeros, largest, is);
    }

    /** Returns whether the observed mean is outside of 95 % of the replicated ones. */
    public boolean isOutside() {
      return new Figure(observed, replicated).isOutside();
    }

    /** Returns the deviation of the observed value in standard deviations; 0 if there are none. */
    public double z() {
      double z = (observed - mean) / sd;
      return Double.isFinite(z) ? z : 0;
    }
  }

  /**
   * Replicated means of a group.
   *
   * @param low 2.5 % quantile; NaN without replicates
   * @param high 97.5 % quantile
   */
  public record Replicated(double low, double high) {}

  /** Statistic of a group beside its mean: observed, and its replicates. */
  public record Figure(double observed, Replicated replicated) {
    /** Returns whether the observed one is outside of 95 % of the replicates. */
    public boolean isOutside() {
      return observed < replicated.low || observed > replicated.high;
    }
  }

  /** Copies the list. */
  public Panel {
    groups = List.copyOf(groups);
  }
}
