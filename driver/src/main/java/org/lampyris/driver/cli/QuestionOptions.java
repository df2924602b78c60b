package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The options of questions of a run. */
final class QuestionOptions {
  @Option(
      names = "--run",
      required = true,
      paramLabel = "<folder>",
      description = "The output folder of a run.")
  String folder = "";

  @Option(
      names = "--interval",
      paramLabel = "<probability>",
      description = "The probability of the central interval (default: 0.9).")
  double interval = 0.9;
}
