package org.lampyris.experiments.bench;

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
public record BenchEntry(String name, List<String> settings, int warmup, int pilot, Goal goal) {
  /** Iterations per chain before the draws, where nothing else is said. */
  static final int WARMUP = 500;

  /** Draws of the first run, where nothing else is said. */
  static final int PILOT = 500;

  /** Copies the list. */
  public BenchEntry {
    settings = List.copyOf(settings);
  }
}
