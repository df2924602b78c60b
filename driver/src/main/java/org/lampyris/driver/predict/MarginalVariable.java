package org.lampyris.driver.predict;

import java.util.List;

/**
 * Column of the input whose effects are asked for.
 *
 * @param levels of a factor, in the table's order; empty for a number
 * @param reference of a factor; empty for a number
 * @param low the smallest number of the table; NaN for a factor, or if only the input has it
 * @param high the largest number
 * @param mean the mean of the numbers
 * @param sd their standard deviation
 */
public record MarginalVariable(
    String name,
    List<String> levels,
    String reference,
    double low,
    double high,
    double mean,
    double sd) {
  /** Copies the list. */
  public MarginalVariable {
    levels = List.copyOf(levels);
  }

  static MarginalVariable factor(String name, List<String> levels, String reference) {
    return new MarginalVariable(
        name, levels, reference, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  static MarginalVariable number(String name, double low, double high, double mean, double sd) {
    return new MarginalVariable(name, List.of(), "", low, high, mean, sd);
  }

  /** Returns whether the column has levels. */
  public boolean isFactor() {
    return !levels.isEmpty();
  }

  /** Returns whether the prepared table does not say what the numbers are like. */
  boolean isUnknown() {
    return !isFactor() && Double.isNaN(mean);
  }

  /** Returns the p-th of evenly spaced numbers from the smallest to the largest, both exact. */
  double point(int p, int points) {
    return p == points - 1 ? high : low + (high - low) * p / (points - 1);
  }

  /** Returns the cell of a typical row: the mean, or the reference level. */
  Object typical() {
    return isFactor() ? (Object) reference : mean;
  }
}
