package org.lampyris.experiments.bench;

import java.util.List;
import org.lampyris.bounds.config.UserException;
import picocli.CommandLine.Option;

/** The options that say what to simulate. */
public final class ClusterOptions {
  private static final double GIBIBYTE = 1 << 30;

  @Option(
      names = "--simulate",
      description =
          "Tell how long a run should take on clusters, by what its phases cost here on generated"
              + " tables of three sizes (--rows; default: 100000,1000000,10000000), of which the"
              + " largest is held against what the others let expect.")
  private boolean simulate;

  @Option(
      names = "--workers",
      split = ",",
      paramLabel = "<numbers>",
      description = "How many workers the clusters have (default: 1,10,100,1000).")
  private List<Integer> workers = List.of(1, 10, 100, 1000);

  @Option(
      names = "--cores",
      description = "How many cores a worker has (default: ${DEFAULT-VALUE}).")
  private int cores = 16;

  @Option(
      names = "--task-ms",
      description =
          "What a task costs the driver, in milliseconds (default: as measured here, where nothing"
              + " goes over a network).")
  private double taskMs;

  @Option(
      names = "--driver-gib",
      description = "What the driver's network takes in, in GiB/s (default: ${DEFAULT-VALUE}).")
  private double driverGib = 1;

  /** Returns whether to simulate. */
  public boolean simulate() {
    return simulate;
  }

  /**
   * Returns the clusters.
   *
   * @throws UserException (usage) if there can be no such cluster
   */
  public List<PhaseCosts.Cluster> clusters() {
    if (cores < 1 || taskMs < 0 || !(driverGib > 0) || workers.stream().anyMatch(w -> w < 1)) {
      throw UserException.usage(
          "--workers and --cores have to be 1 or more, --task-ms 0 or more, and --driver-gib above 0.");
    }
    return workers.stream()
        .map(w -> new PhaseCosts.Cluster(w, cores, 1e-3 * taskMs, driverGib * GIBIBYTE))
        .toList();
  }
}
