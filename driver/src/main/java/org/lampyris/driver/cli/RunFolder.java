package org.lampyris.driver.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The output folder of a run, alone or after {@code --run}: one of the two is given. */
final class RunFolder {
  @Parameters(index = "0", paramLabel = "<folder>", description = "The output folder of a run.")
  private @Nullable String argument;

  @Option(
      names = "--run",
      paramLabel = "<folder>",
      description = "The output folder of a run, in place of the argument.")
  private @Nullable String option;

  String path() {
    return option == null ? Objects.requireNonNull(argument) : option;
  }
}
