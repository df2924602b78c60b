package org.lampyris.driver.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.bench.Goal;
import org.lampyris.driver.bench.Grid;
import picocli.CommandLine.Option;

/** The options that say which algorithms are run on which tables, and for how long. */
final class GridOptions {
  private static final double SECONDS = 10;
  private static final double QUICK_SECONDS = 1;

  @Option(
      names = "--algorithms",
      split = ",",
      paramLabel = "<names>",
      description = "As sampler.algorithm names them (default: firefly).")
  private List<String> algorithms = List.of("firefly");

  @Option(
      names = "--kernel",
      split = ",",
      paramLabel = "<names>",
      description = "As sampler.kernel names them (default: hmc).")
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
      description = "Their features, the intercept not counted (default: 20).")
  private List<Integer> features = List.of(20);

  @Option(names = "--chains", description = "How many chains (default: ${DEFAULT-VALUE}).")
  private int chains = 4;

  @Option(
      names = "--warmup",
      description = "Iterations per chain before the draws (default: ${DEFAULT-VALUE}).")
  private int warmup = 500;

  @Option(names = "--draws", description = "Draws per chain; after a shorter run, to warm up.")
  private @Nullable Integer draws;

  @Option(
      names = "--min-ess",
      paramLabel = "<number>",
      description = "Draw until every coefficient has this effective sample size.")
  private @Nullable Double ess;

  @Option(
      names = "--seconds",
      description = "Draw until the sampling phase takes as long (default: 10; --quick: 1).")
  private @Nullable Double seconds;

  @Option(
      names = "--no-full-data",
      description = "Leave out Metropolis-Hastings and Hamiltonian Monte Carlo on all rows.")
  private boolean noFullData;

  /**
   * Returns what is asked for.
   *
   * @param quick whether little is to do where nothing is asked for
   */
  Grid grid(boolean quick) {
    double shortest = quick ? QUICK_SECONDS : SECONDS;
    List<Long> sizes =
        rows != null
            ? rows
            : quick ? List.of(10_000L, 100_000L) : List.of(10_000L, 100_000L, 1_000_000L);
    return new Grid(
        algorithms,
        kernels,
        sizes,
        features,
        chains,
        warmup,
        goal(shortest),
        noFullData ? null : new Goal(Goal.Measure.SECONDS, shortest));
  }

  private Goal goal(double shortest) {
    int given = (draws == null ? 0 : 1) + (ess == null ? 0 : 1) + (seconds == null ? 0 : 1);
    if (given > 1) {
      throw UserException.usage(
          "--draws, --min-ess and --seconds each say when to stop; give one of them.");
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
