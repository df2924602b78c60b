package org.lampyris.driver.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a sampler's instruments say, each a mean over chains and recent iterations; NaN for what the
 * algorithm does not have.
 *
 * @param acceptanceRate the share of accepted proposals
 * @param brightRows bright rows per chain
 * @param evaluations likelihood evaluations per iteration and chain
 */
public record Reading(double acceptanceRate, double brightRows, double evaluations) {
  /** No reading. */
  public static final Reading NONE = new Reading(Double.NaN, Double.NaN, Double.NaN);

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (!Double.isNaN(acceptanceRate)) {
      parts.add(String.format(Locale.ROOT, "accept %.2f", acceptanceRate));
    }
    if (!Double.isNaN(brightRows)) {
      parts.add(
          String.format(
              Locale.ROOT, brightRows < 100 ? "bright %.1f" : "bright %,.0f", brightRows));
    }
    if (!Double.isNaN(evaluations)) {
      parts.add(String.format(Locale.ROOT, "evals/iter %,.0f", evaluations));
    }
    return String.join(", ", parts);
  }
}
