package org.lampyris.experiments.tables;

import java.util.List;
import java.util.concurrent.Callable;
import org.lampyris.driver.cli.CommandSource;
import org.lampyris.driver.cli.Console;
import org.lampyris.driver.job.Steps;
import org.lampyris.experiments.bench.BenchCommand;
import org.lampyris.experiments.programs.ProgramsCommand;
import org.lampyris.experiments.reproduce.ReproduceCommand;

/** The commands {@code reproduce}, {@code bench}, {@code programs} and {@code tables}. */
public final class ExperimentCommands implements CommandSource {
  @Override
  public List<Callable<Integer>> commands(Steps steps, Console console) {
    return List.of(
        new ReproduceCommand(steps, console),
        new BenchCommand(steps, console),
        new ProgramsCommand(steps, console),
        new TablesCommand(steps, console));
  }
}
