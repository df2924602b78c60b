package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The options of questions of a run. */
final class QuestionOptions {
  private static final double INTERVAL = 0.9;

  @Option(
      names = "--run",
      required = true,
      paramLabel = "<folder>",
      description = "The output folder of a run.")
  private String folder = "";

  @Option(
      names = "--interval",
      paramLabel = "<probability>",
      description = "The probability of the central interval (default: 0.9).")
  private double interval = INTERVAL;

  /** Returns the output folder of the run. */
  String folder() {
    return folder;
  }

  /** Returns the probability of the central interval. */
  double interval() {
    return interval;
  }
}
