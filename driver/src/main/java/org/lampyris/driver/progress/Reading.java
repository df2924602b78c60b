package org.lampyris.driver.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Text;

/**
 * Readings of the instruments, as means over the last iterations; NaN if unknown.
 *
 * @param acceptanceRate the share of accepted proposals
 * @param columns the algorithm's own figures of an iteration, by their labels, in order
 * @param evaluations likelihood evaluations per iteration and chain
 */
public record Reading(double acceptanceRate, Map<String, Double> columns, double evaluations) {
  /** No reading. */
  public static final Reading NONE = new Reading(Double.NaN, Map.of(), Double.NaN);

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (!Double.isNaN(acceptanceRate)) {
      parts.add(Text.of("accept %.2f", acceptanceRate));
    }
    columns.forEach(
        (label, value) -> parts.add(Text.of(value < 100 ? "%s %.1f" : "%s %,.0f", label, value)));
    if (!Double.isNaN(evaluations)) {
      parts.add(Text.of("evals/iter %,.0f", evaluations));
    }
    return String.join(", ", parts);
  }
}
