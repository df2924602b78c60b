package org.lampyris.experiments.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.cli.Console;
import org.lampyris.driver.cli.OverwriteOption;
import org.lampyris.driver.cli.RunOptions;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.job.Steps;
import picocli.CommandLine.Mixin;

/** Command that runs several configurations and writes a table of them to a folder. */
public abstract class ExperimentCommand implements Callable<Integer> {
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  /** The command's name. */
  protected final String command;

  /** The jobs behind it. */
  protected final Steps steps;

  /** Output streams. */
  protected final Console console;

  /** Takes the common parts. */
  protected ExperimentCommand(String command, Steps steps, Console console) {
    this.command = command;
    this.steps = steps;
    this.console = console;
  }

  /** Opens a session for the command. */
  protected final Session open() {
    return Session.open(command, run.verbose());
  }

  /**
   * Refuses a folder that holds results, unless they may be replaced.
   *
   * @param how how another folder is chosen, after "choose another folder"
   */
  protected final void requireFree(Path folder, String results, String how) {
    if (!overwrite.overwrite() && Files.exists(folder.resolve(results))) {
      throw UserException.usage(
          "The output folder %s already holds %s. Choose another folder%s, or add --overwrite to replace it."
              .formatted(folder, results, how));
    }
  }

  /** Prints a table, and its location. */
  protected final void show(String table, String where) {
    console.out().print(table);
    console.out().println();
    console.out().println(where);
    console.out().flush();
  }
}
