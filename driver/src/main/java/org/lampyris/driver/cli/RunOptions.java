package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The options of every command that starts Spark. */
public final class RunOptions {
  @Option(names = "--verbose", description = "Show Spark's log messages.")
  private boolean verbose;

  /** Returns whether to show Spark's log messages. */
  public boolean verbose() {
    return verbose;
  }
}
