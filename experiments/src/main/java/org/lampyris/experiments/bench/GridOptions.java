package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import picocli.CommandLine.Option;

/**
 * Options that select algorithms, tables and lengths: every algorithm with every kernel on every
 * table, together with two samplers on all rows.
 */
final class GridOptions {
  /** Draws per chain of a first run on all rows, and iterations of its warm-up. */
  private static final int FULL_DATA_DRAWS = 100;

  /** The same if an iteration needs many passes. */
  private static final int FULL_DATA_TRAJECTORIES = 30;

  private static final double SECONDS = 10;
  private static final double QUICK_SECONDS = 1;

  @Option(
      names = "--algorithms",
      split = ",",
      paramLabel = "<names>",
      description = "Algorithms, as in sampler.algorithm (default: firefly).")
  private List<String> algorithms = List.of("firefly");

  @Option(
      names = "--kernel",
      split = ",",
      paramLabel = "<names>",
      description = "Kernels, as in sampler.kernel (default: hmc).")
  private List<String> kernels = List.of("hmc");

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "<numbers>",
      description = "Rows of generated tables (default: 10000,100000,1000000).")
  private @Nullable List<Long> rows;

  @Option(
      names = "--features",
      split = ",",
      paramLabel = "<numbers>",
      description = "Features of generated tables, without the intercept (default: 20).")
  private List<Integer> features = List.of(20);

  @Option(names = "--chains", description = "How many chains (default: ${DEFAULT-VALUE}).")
  private int chains = 4;

  @Option(
      names = "--warmup",
      description = "Iterations per chain before the draws (default: ${DEFAULT-VALUE}).")
  private int warmup = BenchEntry.WARMUP;

  @Option(
      names = "--draws",
      description = "Draws per chain. They follow a shorter run for warm-up.")
  private @Nullable Integer draws;

  @Option(
      names = "--min-ess",
      paramLabel = "<number>",
      description = "Draw until every coefficient has this effective sample size.")
  private @Nullable Double ess;

  @Option(
      names = "--seconds",
      description = "Seconds of sampling to draw for (default: 10; --quick: 1).")
  private @Nullable Double seconds;

  @Option(
      names = "--no-full-data",
      description = "Omit Metropolis-Hastings and Hamiltonian Monte Carlo on all rows.")
  private boolean noFullData;

  /**
   * Returns the tables and their rows.
   *
   * @param quick whether little is to do where nothing is asked for
   * @param path a table of the user's, prepared unless there is a label; null for generated ones
   * @param label the label's column; null if the table is prepared
   */
  List<Subject> subjects(boolean quick, @Nullable String path, @Nullable String label) {
    List<String> settings = List.of("sampler.chains=" + chains);
    List<BenchEntry> entries = entries(quick ? QUICK_SECONDS : SECONDS);
    if (path != null) {
      Subject.Source source =
          label == null ? new Subject.Source.Prepared(path) : new Subject.Source.Input(path, label);
      return List.of(new Subject(path, source, settings, entries));
    }
    List<Long> sizes =
        rows != null
            ? rows
            : quick ? List.of(10_000L, 100_000L) : List.of(10_000L, 100_000L, 1_000_000L);
    List<Subject> subjects = new ArrayList<>();
    for (int d : features) {
      sizes.forEach(n -> subjects.add(Subject.generated(n, d, settings, entries)));
    }
    return subjects;
  }

  /**
   * Returns generated tables of three sizes to simulate by, the smallest first.
   *
   * @param quick whether small ones will do
   * @throws UserException (usage) if other sizes are asked for
   */
  List<Subject> sizes(boolean quick) {
    List<Long> sizes =
        rows != null
            ? rows.stream().sorted().distinct().toList()
            : quick
                ? List.of(10_000L, 50_000L, 200_000L)
                : List.of(100_000L, 1_000_000L, 10_000_000L);
    if (sizes.size() != 3) {
      throw UserException.usage("--simulate needs three different --rows.");
    }
    List<String> settings = List.of("sampler.chains=" + chains);
    return sizes.stream()
        .map(n -> Subject.generated(n, features.get(0), settings, List.of()))
        .toList();
  }

  /** Returns the rows of the tables on which whole processes are timed. */
  List<Long> raw(boolean quick) {
    return rows != null ? rows : quick ? List.of(20_000L) : List.of(1_000_000L, 10_000_000L);
  }

  /** Returns how many features they have. */
  int width() {
    return features.get(0);
  }

  private List<BenchEntry> entries(double shortest) {
    Goal goal = goal(shortest);
    int pilot =
        goal.measure() == Goal.Measure.DRAWS
            ? (int) Math.max(1, Math.min(goal.amount() / 2, BenchEntry.PILOT))
            : BenchEntry.PILOT;
    List<BenchEntry> entries = new ArrayList<>();
    for (String algorithm : algorithms) {
      for (String kernel : kernels) {
        List<String> set = List.of("sampler.algorithm=" + algorithm, "sampler.kernel=" + kernel);
        entries.add(new BenchEntry(algorithm + ", " + kernel, set, warmup, pilot, goal));
      }
    }
    if (!noFullData) {
      Goal time = new Goal(Goal.Measure.SECONDS, shortest);
      entries.add(fullData("random-walk", FULL_DATA_DRAWS, time));
      entries.add(fullData("hmc", FULL_DATA_TRAJECTORIES, time));
    }
    return entries;
  }

  /** Returns a row on all rows of the table, whose first run is short: iterations are long. */
  private static BenchEntry fullData(String kernel, int first, Goal goal) {
    List<String> set = List.of("sampler.algorithm=metropolis", "sampler.kernel=" + kernel);
    return new BenchEntry("full data, " + kernel, set, first, first, goal);
  }

  private Goal goal(double shortest) {
    int given = (draws == null ? 0 : 1) + (ess == null ? 0 : 1) + (seconds == null ? 0 : 1);
    if (given > 1) {
      throw UserException.usage(
          "--draws, --min-ess and --seconds each set when to stop. Give one of them.");
    }
    Goal goal =
        draws != null
            ? new Goal(Goal.Measure.DRAWS, draws)
            : ess != null
                ? new Goal(Goal.Measure.ESS, ess)
                : new Goal(Goal.Measure.SECONDS, seconds != null ? seconds : shortest);
    if (!(goal.amount() > 0)) {
      throw UserException.usage("--draws, --min-ess and --seconds must be above 0.");
    }
    return goal;
  }
}
