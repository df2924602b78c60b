package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.job.Steps;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** Writes a synthetic table. */
@Command(
    name = "generate",
    description =
        "Write a synthetic regression table with known coefficients. Its labels follow the section"
            + " generate, not model.formula or model.offset.",
    modelTransformer = GenerateCommand.Options.class,
    footer = {
      "",
      "Example. A table of counts for experiments:",
      "  lampyris generate --family poisson --rows 100000 --features 5 --format csv --output"
          + " tables/counts"
    })
final class GenerateCommand extends JobCommand {
  /** Help texts for the keys of section {@code generate}: an option each. */
  private static final Map<String, String> KEYS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "active",
                  "How many features have effects, counted from the first (default: all)."),
              Map.entry("correlation", "The correlation of any two features (default: 0)."),
              Map.entry("effectScale", "Standard deviation of the linear predictor (default: 1)."),
              Map.entry(
                  "family",
                  "The family that draws the label (default: model.family, or else logistic)."),
              Map.entry("features", "How many features (default: 20)."),
              Map.entry("format", "parquet, csv or libsvm (default: parquet)."),
              Map.entry("groupSd", "Standard deviation of the groups' effects (default: 1)."),
              Map.entry(
                  "groups",
                  "How many groups the rows are dealt to, each with an effect (default: none)."),
              Map.entry("output", "The folder to write."),
              Map.entry(
                  "ownScale",
                  "Standard deviation of the linear predictor of the family's own parameter"
                      + " (default: 0)."),
              Map.entry(
                  "positiveRate",
                  "The share of positive labels (default: the share with an intercept of 0)."),
              Map.entry("rows", "How many rows (default: 1000000)."),
              Map.entry("seed", "The seed of the table (default: 1)."),
              Map.entry(
                  "tailDf", "Degrees of freedom of Student-t features (default: normal features)."),
              Map.entry(
                  "visits",
                  "Families of times: the time between visits (default: events are seen).")));

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  GenerateCommand(Steps steps, Console console) {
    super("generate", steps, console);
  }

  /** Adds the options. */
  static final class Options implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      KEYS.forEach(
          (key, description) ->
              command.addOption(
                  OptionSpec.builder(option(key))
                      .paramLabel("<" + key + ">")
                      .type(String.class)
                      .description(description)
                      .build()));
      return command;
    }
  }

  private static String option(String key) {
    return "--" + ConfigText.key(key).replace('_', '-');
  }

  @Override
  public Integer call() throws IOException {
    JobConfig job = config.read(name, EnumSet.of(NeededKey.GENERATE_OUTPUT), flags());
    job.generate().response();
    String folder = String.valueOf(job.generate().output());
    if (isDryRun()) {
      tellFolder("The table", folder, withoutSession());
      unused(job).ifPresent(note -> console.out().println(note));
      return told();
    }
    return alone(
        steps::generate,
        job,
        "The table and its true coefficients are in "
            + folder
            + "."
            + unused(job).map(note -> "\n" + note).orElse(""));
  }

  /** Returns a note on keys of the model that one might expect to shape the table. */
  private static Optional<String> unused(JobConfig job) {
    List<String> keys = new ArrayList<>();
    if (job.model().tableFormula() != null) {
      keys.add("model.formula");
    }
    if (job.model().offset().isPresent()) {
      keys.add("model.offset");
    }
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The table does not depend on %s: its labels follow the section generate alone."
                .formatted(String.join(" and ", keys)));
  }

  private SetOption[] flags() {
    return KEYS.keySet().stream()
        .filter(key -> spec.findOption(option(key)).getValue() != null)
        .map(key -> flag(key, spec.findOption(option(key)).getValue()))
        .toArray(SetOption[]::new);
  }

  private static SetOption flag(String key, String text) {
    return SetOption.flag(option(key), text, "generate", ConfigText.key(key));
  }
}
