package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.MarginalEffects;
import org.lampyris.driver.report.MarginalFiles;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes effects of a run's columns on the expected response. */
@Command(
    name = "effects",
    description = {
      "Compute effects of a run's columns on the expected response: the expected response at each"
          + " level or over the range of a column, differences between levels, and slopes.",
      "",
      "With --at means (default) all other numbers are at their means and all other factors at"
          + " their reference levels. With --at rows the effects are averages over rows of the"
          + " table: a slope is then the average marginal effect."
    },
    footer = {
      "",
      "Example. Effects of two columns, averaged over 2,000 rows of the table:",
      "  lampyris effects runs/clicks --of age,country --at rows --rows 2000"
    })
final class EffectsCommand extends SparkCommand {
  @ArgGroup(multiplicity = "1")
  private RunFolder folder = new RunFolder();

  @Mixin private final IntervalOption interval = new IntervalOption();
  @Mixin private final SampleOptions sample = new SampleOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Option(
      names = "--of",
      split = ",",
      paramLabel = "<column>",
      description = "The columns, separated by commas (default: all columns of the model's terms).")
  private List<String> columns = List.of();

  @Option(
      names = "--at",
      paramLabel = "<means|rows>",
      description =
          "Values of the other columns: at their means (default), or as in rows of the table.")
  private String at = "means";

  @Option(
      names = "--groups",
      description =
          "Add each row's own effects of groups; needs --at rows. Without it they are left out.")
  private boolean groups;

  @Option(
      names = "--contrasts",
      paramLabel = "<pairs|reference>",
      description =
          "Compare all pairs of levels (default; of factors with more than 12 levels each with the"
              + " reference), or each level with the reference.")
  private String contrasts = "pairs";

  @Option(
      names = "--points",
      paramLabel = "<count>",
      description = "At how many numbers the response is expected (default: 50).")
  private int points = MarginalEffects.How.DEFAULT.points();

  @Option(
      names = "--input",
      paramLabel = "<table>",
      description = "The table whose rows are read (default: data.input of the run).")
  private @Nullable String input;

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "Write effects.csv and a picture of each column to this folder.")
  private @Nullable String output;

  EffectsCommand(Console console) {
    super("effects", console);
  }

  @Override
  public Integer call() throws IOException {
    MarginalEffects.How how =
        new MarginalEffects.How(
            columns,
            chosen("--at", at, "means", "rows")
                ? MarginalEffects.Base.MEANS
                : MarginalEffects.Base.ROWS,
            groups,
            chosen("--contrasts", contrasts, "pairs", "reference"),
            sample.draws(),
            sample.rows(),
            points,
            interval.probability);
    MarginalEffects.Result result;
    try (LazySession session = lazily();
        @Nullable OutputFolder target = session.reserve(output, overwrite, MarginalFiles.ITEMS)) {
      RunOutput of = RunOutput.ofEnded(session.hadoop(), folder.path());
      Source source = source(of);
      result =
          MarginalEffects.of(
              session::spark,
              of,
              how,
              fitted -> source == null ? fitted.job().data().source() : source,
              fitted -> MarginalEffects.input(session.spark(), fitted, source));
      if (target != null) {
        MarginalFiles.write(target, result);
      }
      session.end();
    }
    return print(
        MarginalFiles.lines(result, interval.probability),
        output,
        "effects.csv, pictures in effects/",
        List.of());
  }

  /** Returns whether an option has the first of two values. */
  private static boolean chosen(String option, String value, String first, String second) {
    if (!value.equals(first) && !value.equals(second)) {
      throw UserException.usage(
          "%s is %s. Set it to %s or %s.".formatted(option, value, first, second));
    }
    return value.equals(first);
  }

  /** Returns the table that is named instead of the run's; null for the run's. */
  private @Nullable Source source(RunOutput of) {
    if (input == null) {
      return null;
    }
    Source fitted = of.job().data().source();
    return new Source(input, null, fitted.encoding(), fitted.query(), fitted.csv());
  }
}
