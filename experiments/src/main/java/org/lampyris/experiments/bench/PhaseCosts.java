package org.lampyris.experiments.bench;

/**
 * Cost of a phase of a run, from its seconds on tables of two sizes: fixed + perRow · n on the
 * cores of the measurement.
 *
 * @param phase its name
 * @param fixed seconds, however many rows there are; not negative
 * @param perRow core-seconds a row; not negative
 * @param jobs how many Spark jobs it makes
 */
public record PhaseCosts(String phase, double fixed, double perRow, int jobs) {
  /**
   * A size that was measured.
   *
   * @param rows n
   * @param seconds of the phase
   * @param jobs that it made
   */
  record Point(long rows, double seconds, int jobs) {}

  /**
   * A cluster.
   *
   * @param workers how many machines
   * @param cores of each
   * @param taskSeconds what the driver takes to schedule a task and to take its result
   * @param bytesPerSecond what the driver's network takes in
   */
  public record Cluster(int workers, int cores, double taskSeconds, double bytesPerSecond) {
    Cluster withTasks(double seconds) {
      return new Cluster(workers, cores, seconds, bytesPerSecond);
    }

    /** Returns the cores of all. */
    int all() {
      return workers * cores;
    }
  }

  /**
   * Sizes of data that is sent.
   *
   * @param row the bytes of a row in memory
   * @param result what a task gives back, in bytes
   */
  record Size(double row, double result) {}

  /**
   * Fits the line through two sizes; if the larger table took no longer, all cost is by row.
   *
   * @param cores how many there were
   */
  static PhaseCosts of(String phase, Point small, Point large, int cores) {
    double slope = (large.seconds - small.seconds) / (large.rows - small.rows);
    double least = large.seconds / large.rows;
    double perRow = slope > 0 ? Math.min(slope, least) : least;
    double fixed = Math.max(0, large.seconds - perRow * large.rows);
    return new PhaseCosts(phase, fixed, perRow * cores, large.jobs);
  }

  /**
   * Returns the expected seconds: fixed + perRow · n / cores, plus the driver's cost of each job's
   * tasks. A job has a task a core, or the least multiple of that at which no task has over a GiB
   * of rows.
   */
  double seconds(double rows, Cluster cluster, Size size) {
    double rounds = Math.max(1, Math.ceil(rows * size.row / cluster.all() / (1 << 30)));
    double task = cluster.taskSeconds + size.result / cluster.bytesPerSecond;
    return fixed + perRow * rows / cluster.all() + jobs * rounds * cluster.all() * task;
  }
}
