package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The options of every command that starts Spark. */
public final class RunOptions {
  @Option(names = "--verbose", description = "Let Spark tell what it does.")
  private boolean verbose;

  /** Returns whether Spark may tell what it does. */
  public boolean verbose() {
    return verbose;
  }
}
