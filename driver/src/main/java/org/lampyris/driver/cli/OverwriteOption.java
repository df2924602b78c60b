package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The option of every command that writes. */
final class OverwriteOption {
  @Option(names = "--overwrite", description = "Replace results that exist.")
  private boolean overwrite;

  boolean overwrite() {
    return overwrite;
  }
}
