package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.lampyris.driver.output.ExportJob;
import org.lampyris.driver.progress.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes draws in the forms of other programs. */
@Command(
    name = "export",
    description =
        "Write a run's draws in the formats of other programs, into its output folder. The form"
            + " cmdstan is a CSV for each chain, for R's rstan, cmdstanr and coda. The form arviz"
            + " is inference.json, for ArviZ.",
    footer = {
      "",
      "Example. Files that rstan, coda and ArviZ read:",
      "  lampyris export runs/clicks --as cmdstan,arviz"
    })
final class ExportCommand implements Callable<Integer> {
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Parameters(index = "0", paramLabel = "<folder>", description = "The output folder of a run.")
  private String folder = "";

  @Option(
      names = "--as",
      split = ",",
      paramLabel = "<form>",
      description = "cmdstan, arviz, or both, separated by a comma (default: both).")
  private Set<ExportJob.Form> forms = EnumSet.allOf(ExportJob.Form.class);

  private final Console console;

  ExportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    List<String> written;
    try (Storage storage = Storage.open("export", run.verbose());
        Progress progress = console.progress().get()) {
      progress.start("export", 0);
      written = ExportJob.write(storage.hadoop(), folder, forms, overwrite.overwrite());
      progress.end();
    }
    written.forEach(console.out()::println);
    return ExitCode.OK;
  }
}
