package org.lampyris.driver.bench;

/**
 * What the machine and the table allow, measured in the same run.
 *
 * @param rows the table's rows
 * @param coefficients the table's columns, that of ones included
 * @param bytes what the resident rows take
 * @param emptyJobsPerSecond Spark jobs that do nothing
 * @param streamBytesPerSecond a plain loop over doubles in memory, one thread a core
 * @param passSeconds one value and gradient of the log-likelihood, at one θ, as a Spark job
 * @param loadSeconds to read the prepared table into memory
 * @param precomputeSeconds the whole of {@code precompute}: load, mode, bounds
 * @param passes how many passes {@code precompute} took
 * @param threads how many threads read
 */
public record Baselines(
    long rows,
    int coefficients,
    long bytes,
    double emptyJobsPerSecond,
    double streamBytesPerSecond,
    double passSeconds,
    double loadSeconds,
    double precomputeSeconds,
    int passes,
    int threads) {

  /** Returns how many bytes of rows a pass reads in a second. */
  public double passBytesPerSecond() {
    return bytes / passSeconds;
  }
}
