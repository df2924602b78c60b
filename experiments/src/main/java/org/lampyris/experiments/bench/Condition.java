package org.lampyris.experiments.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Condition on a quantity, for every table of a claim.
 *
 * @param figure the quantity
 * @param atLeast its smallest value; null for none
 * @param atMost its largest value; null for none
 * @param spreadAtMost how many times the smallest value the largest may be; null for any
 * @param falling whether each value must be below the one before
 */
public record Condition(
    Quantity figure,
    @Nullable Double atLeast,
    @Nullable Double atMost,
    @Nullable Double spreadAtMost,
    boolean falling) {

  /** Returns whether values meet the condition. */
  boolean holds(double[] values) {
    double least = Arrays.stream(values).min().orElseThrow();
    double most = Arrays.stream(values).max().orElseThrow();
    boolean holds =
        (atLeast == null || least >= atLeast)
            && (atMost == null || most <= atMost)
            && (spreadAtMost == null || most <= spreadAtMost * least);
    for (int i = 1; falling && i < values.length; i++) {
      holds &= values[i] < values[i - 1];
    }
    return holds;
  }

  /** Returns the thresholds by name, for the sentence about the target. */
  Map<String, Double> thresholds() {
    Map<String, Double> all = new LinkedHashMap<>();
    if (atLeast != null) {
      all.put("at_least", atLeast);
    }
    if (atMost != null) {
      all.put("at_most", atMost);
    }
    if (spreadAtMost != null) {
      all.put("spread_at_most", spreadAtMost);
    }
    return all;
  }
}
