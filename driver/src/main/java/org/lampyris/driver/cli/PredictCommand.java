package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.NewLevels;
import org.lampyris.driver.predict.PredictJob;
import org.lampyris.driver.predict.Prediction;
import org.lampyris.driver.predict.PredictionAverage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts new rows by the draws of a run. */
@Command(
    name = "predict",
    description =
        "Predict new rows from the draws of a run. Write the mean, standard deviation and interval"
            + " of the expected response beside the new table's columns, as Parquet.",
    footer = {
      "",
      "Example. Predict new rows, with 100 drawn responses for each:",
      "  lampyris predict --config clicks.yaml --input new.csv --to runs/clicks-new --responses"
          + " 100",
      "",
      "Example. Predict by the average of several models, weighed by compare --average:",
      "  lampyris predict --weights runs/weights/model_weights.json --input new.csv --to"
          + " runs/average"
    })
final class PredictCommand extends SparkCommand {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Option(
      names = "--input",
      required = true,
      paramLabel = "<table>",
      description = "The new table. It needs no label.")
  private String input = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "<folder>",
      description = "The folder to write.")
  private String to = "";

  @Option(
      names = "--weights",
      paramLabel = "<file>",
      description =
          "Predict by the average of several runs' models, in place of --config. The file names the"
              + " runs and their weights, as compare --average writes it.")
  private @Nullable String weights;

  @Option(
      names = "--by",
      paramLabel = "<weight>",
      description =
          "With --weights: the weight to take, stacking (default), pseudo_bma_plus or bayesian.")
  private @Nullable String by;

  @Option(
      names = "--query",
      paramLabel = "<SQL>",
      description =
          "A SELECT over the view input that computes the model's columns from the new table"
              + " (default: data.query, if set).")
  private @Nullable String query;

  @Option(
      names = "--draws",
      paramLabel = "<count>",
      description = "How many of the draws to use (default: 200).")
  private int draws = Prediction.How.DEFAULT.draws();

  @Option(
      names = "--interval",
      paramLabel = "<probability>",
      description = "The probability of the central interval (default: 0.9).")
  private double interval = Prediction.How.DEFAULT.interval();

  @Option(
      names = "--responses",
      paramLabel = "<count>",
      description =
          "How many responses to draw for each row, from the predictive distribution (default: 0).")
  private int responses;

  @Option(
      names = "--log-density",
      description =
          "Write the log predictive density of the label. The new table then needs the label.")
  private boolean logDensity;

  @Option(
      names = "--new-groups",
      paramLabel = "<rule>",
      description =
          "Effects of groups that the model has not seen. gaussian: drawn from their distribution"
              + " (default); zero: 0; refuse: no prediction for their rows.")
  private String newGroups = ConfigText.of(NewLevels.GAUSSIAN);

  PredictCommand(Console console) {
    super("predict", console);
  }

  @Override
  public Integer call() throws IOException {
    Prediction.How how = new Prediction.How(draws, interval, responses, logDensity, newLevels());
    if (weights == null) {
      if (by != null) {
        throw UserException.usage("--by is for --weights. Remove it, or add --weights.");
      }
      JobConfig job =
          config.read("predict", EnumSet.of(NeededKey.OUTPUT, NeededKey.PREPARED, NeededKey.LABEL));
      try (LazySession session = lazily()) {
        List<String> told =
            PredictJob.run(session::spark, session.hadoop(), job, request(job, how), session::note);
        session.end();
        return print(told);
      }
    }
    String file = weights;
    if (config.areGiven()) {
      throw UserException.usage(
          "--weights names the runs to predict by, so --config and --set have no place. Remove"
              + " them, or --weights.");
    }
    return print(
        withSpark(
            (session, progress) -> {
              List<PredictionAverage.Weighted> runs =
                  PredictionAverage.read(
                      session.hadoop(), file, Objects.requireNonNullElse(by, "stacking"));
              JobConfig first =
                  RunOutput.ofEnded(session.hadoop(), runs.get(0).folder()).model().job();
              return PredictJob.run(session.spark(), runs, request(first, how), progress::note);
            }));
  }

  private PredictJob.Request request(JobConfig job, Prediction.How how) {
    Source fitted = job.data().source();
    boolean sameForm = input.equals(fitted.input());
    Source source =
        new Source(
            input,
            sameForm ? fitted.format() : null,
            fitted.encoding(),
            query == null ? fitted.query() : query,
            fitted.csv());
    return new PredictJob.Request(source, to, how, overwrite.overwrite());
  }

  private NewLevels newLevels() {
    for (NewLevels rule : NewLevels.values()) {
      if (ConfigText.of(rule).equals(newGroups)) {
        return rule;
      }
    }
    throw UserException.usage(
        "--new-groups is %s. Set it to gaussian, zero or refuse.".formatted(newGroups));
  }
}
