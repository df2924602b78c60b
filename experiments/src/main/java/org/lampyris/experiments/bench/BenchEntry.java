package org.lampyris.experiments.bench;

import java.util.List;

/**
 * A row of a table of figures: a sampler.
 *
 * @param name what the row is called
 * @param settings keys that override the subject's, as in {@code --set}
 * @param warmup iterations per chain before the draws
 * @param pilot draws of the first run
 * @param goal when to stop
 */
public record BenchEntry(String name, List<String> settings, int warmup, int pilot, Goal goal) {
  /** Default iterations of each chain before the draws. */
  static final int WARMUP = 500;

  /** Default draws of the first run. */
  static final int PILOT = 500;

  /** Copies the list. */
  public BenchEntry {
    settings = List.copyOf(settings);
  }
}
