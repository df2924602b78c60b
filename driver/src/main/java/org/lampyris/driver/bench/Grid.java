package org.lampyris.driver.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every algorithm with every kernel on every table.
 *
 * @param algorithms the algorithms, as {@code sampler.algorithm} names them
 * @param kernels the kernels, as {@code sampler.kernel} names them
 * @param rows rows of generated tables
 * @param features their features, the intercept not counted
 * @param chains how many chains
 * @param warmup iterations per chain before the draws
 * @param goal when a row has run long enough
 * @param fullData when a row on all rows of the table has; null for no such rows
 */
public record Grid(
    List<String> algorithms,
    List<String> kernels,
    List<Long> rows,
    List<Integer> features,
    int chains,
    int warmup,
    Goal goal,
    @Nullable Goal fullData) {

  /** Draws per chain of a row's first run, and iterations of its warm-up, on all rows. */
  private static final int FULL_DATA_DRAWS = 100;

  /** The same where an iteration is many passes. */
  private static final int FULL_DATA_TRAJECTORIES = 30;

  private static final int PILOT = 500;

  /** Copies the lists. */
  public Grid {
    algorithms = List.copyOf(algorithms);
    kernels = List.copyOf(kernels);
    rows = List.copyOf(rows);
    features = List.copyOf(features);
  }

  /** Returns the generated tables. */
  public List<Subject> generated() {
    List<Subject> subjects = new ArrayList<>();
    for (int d : features) {
      for (long n : rows) {
        subjects.add(Subject.generated(n, d, settings(), entries()));
      }
    }
    return subjects;
  }

  /**
   * Returns a table of the user's.
   *
   * @param path a folder that {@code prepare} has written, or a table
   * @param label the label's column; null if the table is prepared, or the settings name it
   */
  public Subject own(String path, @Nullable String label) {
    return new Subject(path, source(path, label), settings(), entries());
  }

  private static Subject.Source source(String path, @Nullable String label) {
    return label == null
        ? new Subject.Source.Prepared(path)
        : new Subject.Source.Input(path, label);
  }

  private List<String> settings() {
    return List.of("sampler.chains=" + chains);
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (String algorithm : algorithms) {
      for (String kernel : kernels) {
        List<String> set = List.of("sampler.algorithm=" + algorithm, "sampler.kernel=" + kernel);
        int pilot =
            goal.measure() == Goal.Measure.DRAWS
                ? (int) Math.max(1, Math.min(goal.amount() / 2, PILOT))
                : PILOT;
        entries.add(new Entry(algorithm + ", " + kernel, set, warmup, pilot, goal));
      }
    }
    if (fullData != null) {
      entries.add(fullData("random-walk", fullData));
      entries.add(fullData("hmc", fullData));
    }
    return entries;
  }

  /**
   * Returns a row on all rows of the table, whose first run is short: an iteration may take
   * seconds.
   */
  static Entry fullData(String kernel, Goal goal) {
    int first = kernel.equals("hmc") ? FULL_DATA_TRAJECTORIES : FULL_DATA_DRAWS;
    return new Entry(
        "full data, " + kernel,
        List.of("sampler.algorithm=metropolis", "sampler.kernel=" + kernel),
        first,
        first,
        goal);
  }
}
