package org.lampyris.experiments.bench;

import java.util.List;
import org.lampyris.bounds.config.UserException;
import picocli.CommandLine.Option;

/** Options of the simulation. */
public final class ClusterOptions {
  private static final double GIBIBYTE = 1 << 30;

  @Option(
      names = "--simulate",
      description =
          "Estimate run times on clusters from the costs of each phase here. The phases run on"
              + " generated tables of three sizes (--rows; default: 100000,1000000,10000000). The"
              + " largest is compared with the extrapolation of the others.")
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
          "The driver's cost of a task, in milliseconds (default: measured here, without a"
              + " network).")
  private double taskMs;

  @Option(
      names = "--driver-gib",
      description = "The bandwidth of the driver's network, in GiB/s (default: ${DEFAULT-VALUE}).")
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
          "--workers and --cores must be at least 1, --task-ms at least 0, and --driver-gib above"
              + " 0.");
    }
    return workers.stream()
        .map(w -> new PhaseCosts.Cluster(w, cores, 1e-3 * taskMs, driverGib * GIBIBYTE))
        .toList();
  }
}
