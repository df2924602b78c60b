package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.question.Answers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Answers hypotheses about the parameters of a run. */
@Command(
    name = "hypothesis",
    description = {
      "Compute quantities of a run's parameters from its draws, with the probability of each"
          + " comparison.",
      "",
      "Names are written as in the summary, such as dow[Sat] or sd_g__Intercept. Operators are + -"
          + " * / ^, with parentheses. Functions are abs, exp, expm1, inv_logit, log, log10,"
          + " log1p, log2, logit, max, min and sqrt. A comparison has <, <=, >, >= or =. The"
          + " figures are about its left side minus its right side.",
      "",
      "probability: the share of draws in which the comparison holds, and its Monte-Carlo error."
          + " evidence: p/(1 - p). For = the evidence is the posterior density over the prior"
          + " density at the point (Savage-Dickey), and the probability assumes even prior odds."
    },
    footer = {
      "",
      "Example. Whether a coefficient is positive, and the odds ratio that it stands for:",
      "  lampyris hypothesis --run runs/clicks \"age>0\" \"exp(age)\""
    })
final class HypothesisCommand extends SparkCommand {
  @Option(
      names = "--run",
      required = true,
      paramLabel = "<folder>",
      description = "The output folder of a run.")
  private String folder = "";

  @Mixin private final IntervalOption interval = new IntervalOption();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Parameters(
      arity = "1..*",
      paramLabel = "<hypothesis>",
      description = "Quantities and comparisons, each in quotation marks.")
  private List<String> hypotheses = List.of();

  @Option(names = "--json", description = "Print the answers as JSON, with all digits.")
  private boolean json;

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "Write hypothesis.json and hypothesis.csv to this folder.")
  private @Nullable String output;

  HypothesisCommand(Console console) {
    super("hypothesis", console);
  }

  @Override
  public Integer call() throws IOException {
    Answers answers;
    try (LazySession storage = lazily();
        @Nullable OutputFolder target = storage.reserve(output, overwrite, Answers.ITEMS)) {
      answers =
          Answers.of(RunOutput.open(storage.hadoop(), folder), hypotheses, interval.probability);
      if (target != null) {
        answers.write(target);
      }
    }
    return json
        ? print(List.of(answers.json()))
        : print(answers.lines(), output, "hypothesis.json and hypothesis.csv", List.of());
  }
}
