package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.ExportJob;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.InferenceGroups;
import org.lampyris.driver.predict.RowReader;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes draws in the forms of other programs. */
@Command(
    name = "export",
    description = {
      "Write a run's draws in the formats of other programs, into its output folder. The form"
          + " cmdstan is a CSV for each chain, for R's rstan, cmdstanr and coda. The form arviz"
          + " is inference.json, for ArviZ.",
      "",
      "With --groups, inference.json also has log-likelihoods, predicted and observed responses of"
          + " some rows, and draws from the prior."
    },
    footer = {
      "",
      "Example. Files that rstan, coda and ArviZ read:",
      "  lampyris export runs/clicks --as cmdstan,arviz",
      "",
      "Example. Groups for ArviZ's loo and plot_ppc, of 2,000 rows:",
      "  lampyris export runs/clicks --as arviz --rows 2000"
          + " --groups log_likelihood,posterior_predictive,observed_data"
    })
final class ExportCommand extends SparkCommand {
  @Mixin private final SampleOptions sample = new SampleOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @ArgGroup(multiplicity = "1")
  private RunFolder folder = new RunFolder();

  @Option(
      names = "--as",
      split = ",",
      paramLabel = "<form>",
      description = "cmdstan, arviz, or both, separated by a comma (default: both).")
  private Set<ExportJob.Form> forms = EnumSet.allOf(ExportJob.Form.class);

  @Option(
      names = "--groups",
      split = ",",
      paramLabel = "<group>",
      description =
          "Groups to add for ArviZ, separated by commas: log_likelihood, posterior_predictive,"
              + " prior, prior_predictive, observed_data, constant_data (default: none).")
  private Set<InferenceGroups.Kind> groups = EnumSet.noneOf(InferenceGroups.Kind.class);

  ExportCommand(Console console) {
    super("export", console);
  }

  @Override
  public Integer call() throws IOException {
    InferenceGroups.Wanted wanted =
        new InferenceGroups.Wanted(groups, sample.rows(), sample.draws());
    if (groups.isEmpty() && sample.areGiven()) {
      throw UserException.usage(
          "--rows and --draws are for the groups that --groups names, and it names none. Add"
              + " --groups, or remove them.");
    }
    if (!groups.isEmpty() && !forms.contains(ExportJob.Form.ARVIZ)) {
      throw UserException.usage(
          "--groups adds to ArviZ's file, which --as does not name. Set --as to arviz.");
    }
    List<String> written = new ArrayList<>();
    try (LazySession session = lazily()) {
      InferenceGroups.Made made = InferenceGroups.Made.NONE;
      if (!groups.isEmpty()) {
        boolean here =
            new Path(folder.path()).getFileSystem(session.hadoop()) instanceof LocalFileSystem;
        made =
            InferenceGroups.of(
                new RowReader(session::spark, here),
                RunOutput.ofEnded(session.hadoop(), folder.path()),
                wanted);
      }
      written.addAll(
          ExportJob.write(
              session.hadoop(), folder.path(), forms, made.groups(), overwrite.overwrite()));
      written.addAll(made.lines());
      session.end();
    }
    return print(written);
  }
}
