package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The options of every command that starts Spark. */
final class RunOptions {
  @Option(names = "--verbose", description = "Let Spark tell what it does.")
  private boolean verbose;

  boolean verbose() {
    return verbose;
  }
}
