package org.lampyris.driver.cli;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.Need;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.steps.Steps;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a synthetic table. */
@Command(
    name = "generate",
    description = "Write a synthetic logistic regression table with known coefficients.")
final class GenerateCommand extends JobCommand {
  @Option(names = "--rows", description = "How many rows (default: 1000000).")
  private @Nullable String rows;

  @Option(names = "--features", description = "How many features (default: 20).")
  private @Nullable String features;

  @Option(names = "--seed", description = "The seed of the table (default: 1).")
  private @Nullable String seed;

  @Option(
      names = "--correlation",
      description = "The correlation of any two features (default: 0).")
  private @Nullable String correlation;

  @Option(
      names = "--positive-rate",
      description = "The share of positive labels (default: what an intercept of 0 gives).")
  private @Nullable String positiveRate;

  @Option(
      names = "--tail-df",
      description = "Degrees of freedom of Student-t features (default: normal features).")
  private @Nullable String tailDf;

  @Option(
      names = "--effect-scale",
      description = "Standard deviation of the linear predictor (default: 1).")
  private @Nullable String effectScale;

  @Option(names = "--format", description = "parquet, csv or libsvm (default: parquet).")
  private @Nullable String format;

  @Option(names = "--output", description = "The folder to write.")
  private @Nullable String output;

  GenerateCommand(Steps steps, Console console) {
    super("generate", steps, console);
  }

  @Override
  public Integer call() {
    JobConfig job = config.read(name, EnumSet.of(Need.GENERATE_OUTPUT), flags());
    String folder = job.generate().output();
    return alone(
        steps::generate, job, "The table and its true coefficients are in " + folder + ".");
  }

  private SetOption[] flags() {
    List<SetOption> flags = new ArrayList<>();
    add(flags, "--rows", "rows", rows);
    add(flags, "--features", "features", features);
    add(flags, "--seed", "seed", seed);
    add(flags, "--correlation", "correlation", correlation);
    add(flags, "--positive-rate", "positive_rate", positiveRate);
    add(flags, "--tail-df", "tail_df", tailDf);
    add(flags, "--effect-scale", "effect_scale", effectScale);
    add(flags, "--format", "format", format);
    add(flags, "--output", "output", output);
    return flags.toArray(SetOption[]::new);
  }

  private static void add(List<SetOption> flags, String option, String key, @Nullable String text) {
    if (text != null) {
      flags.add(SetOption.flag(option, text, "generate", key));
    }
  }
}
