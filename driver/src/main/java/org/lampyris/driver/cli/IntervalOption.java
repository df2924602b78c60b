package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** How wide intervals are. */
final class IntervalOption {
  @Option(
      names = "--interval",
      paramLabel = "<probability>",
      description = "The probability of the central interval (default: 0.9).")
  double probability = 0.9;
}
