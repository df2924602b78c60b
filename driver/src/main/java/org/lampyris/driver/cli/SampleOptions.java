package org.lampyris.driver.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that take some rows of a table and some draws of a run. */
final class SampleOptions {
  private static final int DEFAULT = 1_000;

  @Option(
      names = "--rows",
      paramLabel = "<count>",
      description = "About how many rows of the table to take (default: 1000).")
  private @Nullable Integer rows;

  @Option(
      names = "--draws",
      paramLabel = "<count>",
      description = "How many draws to take at most, of all chains (default: 1000).")
  private @Nullable Integer draws;

  /** Returns whether one of the numbers is given. */
  boolean areGiven() {
    return rows != null || draws != null;
  }

  /** Returns about how many rows are wanted. */
  int rows() {
    return rows == null ? DEFAULT : rows;
  }

  /** Returns how many draws are wanted at most. */
  int draws() {
    return draws == null ? DEFAULT : draws;
  }
}
