package org.lampyris.driver.bench;

import java.util.List;

/**
 * A row of a table of figures: a sampler.
 *
 * @param name what the row is called
 * @param settings keys over those of the subject, as {@code --set} takes them
 * @param warmup iterations per chain before the draws
 * @param pilot draws of the first run
 * @param goal when to stop
 */
public record Entry(String name, List<String> settings, int warmup, int pilot, Goal goal) {

  /** Copies the list. */
  public Entry {
    settings = List.copyOf(settings);
  }
}
