package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The option of every command that writes. */
public final class OverwriteOption {
  @Option(names = "--overwrite", description = "Replace results that exist.")
  private boolean overwrite;

  /** Returns whether results that exist are replaced. */
  public boolean overwrite() {
    return overwrite;
  }
}
