package org.lampyris.experiments.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.cli.Console;
import org.lampyris.driver.cli.ExitCode;
import org.lampyris.driver.job.Steps;
import org.lampyris.experiments.study.ExperimentCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a figure of the programs, in memory. */
@Command(
    name = "programs",
    description = "Run the programs of BayesLR, JointDPM and stochastic volatility, in memory.",
    footer = {
      "",
      "Example. A figure from short chains:",
      "  lampyris programs mixture --seconds 5"
    })
public final class ProgramsCommand extends ExperimentCommand {
  private static final String TABLE = "table.md";

  /** Steps of either chain of compare. */
  private static final int COMPARED = 4000;

  @Parameters(
      index = "0",
      paramLabel = "<figure>",
      description =
          "scaffolds (Figures 2a, 6a, 8 and 9a), risk (4), scaling (5), mixture (6), volatility (9),"
              + " sp500, or compare: the sequential test with the exact step.")
  private String name = "";

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description = "The folder of the tables; needed by risk without --rows and by sp500.")
  private @Nullable String data;

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "The folder of the results (default: runs/programs-<figure>).")
  private @Nullable Path output;

  @Option(names = "--seconds", description = "How many seconds each chain takes (default: 60).")
  private double seconds = 60;

  @Option(
      names = "--seeds",
      description = "How many chains mixture runs for each test (default: 3).")
  private int seeds = 3;

  @Option(
      names = "--rows",
      description =
          "How many rows or series risk, mixture, volatility and compare generate, and the largest"
              + " table of scaling.")
  private @Nullable Integer rows;

  /** Returns the command. */
  public ProgramsCommand(Steps steps, Console console) {
    super("programs", steps, console);
  }

  @Override
  public Integer call() throws IOException {
    Path folder = output != null ? output : Path.of("runs", "programs-" + name);
    requireFree(folder, TABLE, "");
    Map<String, String> files = figure().files();
    Files.createDirectories(folder);
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    show(files.getOrDefault(TABLE, ""), "The figures are in " + folder + ".");
    return ExitCode.OK;
  }

  private Figure figure() throws IOException {
    return switch (name) {
      case "risk" -> rows == null ? Risk.read(data(), seconds) : Risk.made(rows, seconds);
      case "scaling" -> new Scaling((int) Math.round(Math.log10(rows == null ? 10_000_000 : rows)));
      case "mixture" -> new Mixture(rows == null ? 10_000 : rows, seconds, seeds);
      case "volatility" -> {
        int series = rows == null ? 200 : rows;
        yield new Volatility(series, Math.max(1, series / 20), seconds, series <= 200);
      }
      case "sp500" -> Returns.read(data(), seconds);
      case "scaffolds" -> new Scaffolds();
      case "compare" -> new Compared(rows == null ? 10_000 : rows, COMPARED);
      default ->
          throw UserException.usage(
              "there is no figure %s. Choose scaffolds, risk, scaling, mixture, volatility, sp500 or compare."
                  .formatted(name));
    };
  }

  private String data() {
    if (data == null) {
      throw UserException.usage(
          "the figure " + name + " needs --data. Set it to the tables' folder.");
    }
    return data;
  }
}
