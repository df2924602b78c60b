package org.lampyris.driver.question;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.predict.PosteriorPredictor;

/**
 * Answers of a run to hypotheses about its parameters, as lines, as JSON and as the files {@code
 * hypothesis.json} and {@code hypothesis.csv}.
 *
 * @param run the output folder
 * @param draws how many draws each chain has
 * @param interval the probability of the central intervals
 */
public record Answers(String run, int chains, int draws, double interval, List<Answer> answers) {
  private static final String JSON = "hypothesis.json";
  private static final String CSV = "hypothesis.csv";

  /** The files. */
  public static final List<String> ITEMS = List.of(JSON, CSV);

  private static final int LONGEST = 40;

  /** Copies the list. */
  public Answers {
    answers = List.copyOf(answers);
  }

  /**
   * Answers hypotheses. Only the draws of the parameters that they name are read.
   *
   * @param hypotheses such as {@code "x1 > 0"}, {@code "exp(x1)"} or {@code "x1 = x2"}
   * @param interval the probability of the central intervals, in (0, 1)
   * @throws UserException (usage) if a hypothesis is no such text, or names an unknown parameter;
   *     (data) if the folder has no draws
   */
  public static Answers of(RunOutput run, List<String> hypotheses, double interval)
      throws IOException {
    PosteriorPredictor.requireInterval(interval);
    List<String> parameters = run.parameters();
    List<Hypothesis> parsed =
        hypotheses.stream()
            .map(text -> Hypothesis.parse(text, parameters, run.references()))
            .toList();
    Set<String> named = new LinkedHashSet<>();
    parsed.forEach(one -> named.addAll(one.quantity().parameters()));
    Draws draws = run.drawsOf(List.copyOf(named));
    PriorDensities priors = new PriorDensities(run);
    return new Answers(
        run.folder(),
        draws.chains(),
        draws.perChain(),
        interval,
        parsed.stream().map(one -> Answer.of(one, draws, interval, priors)).toList());
  }

  /** Returns the answers as lines: a table, and the remarks. */
  public List<String> lines() {
    String tail = Text.brief(50 * (1 - interval));
    String upper = Text.brief(100 - 50 * (1 - interval));
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "hypothesis", "mean", "sd", "q" + tail, "q" + upper, "probability", "MCSE", "evidence", ""
        });
    for (Answer one : answers) {
      double sd = one.summary().sd();
      rows.add(
          new String[] {
            SummaryTable.shortened(one.hypothesis(), LONGEST),
            SummaryTable.number(one.summary().mean(), sd),
            SummaryTable.number(sd, sd),
            SummaryTable.number(one.lower(), sd),
            SummaryTable.number(one.upper(), sd),
            Double.isNaN(one.probability()) ? "" : Text.of("%.4f", one.probability()),
            Double.isNaN(one.probabilityError()) ? "" : Text.of("%.4f", one.probabilityError()),
            evidence(one),
            ""
          });
    }
    List<String> lines = new ArrayList<>(SummaryTable.aligned(rows).lines().toList());
    for (Answer one : answers) {
      if (!one.remark().isEmpty()) {
        lines.add(one.hypothesis() + ": " + one.remark());
      }
    }
    return lines;
  }

  /** Returns the lines, one below the other. */
  @Override
  public String toString() {
    return String.join("\n", lines());
  }

  private static String evidence(Answer one) {
    double ratio = one.evidenceRatio();
    return Double.isInfinite(ratio)
        ? "infinite"
        : Double.isNaN(ratio) ? (Double.isNaN(one.probability()) ? "" : "none") : Text.brief(ratio);
  }

  /** Returns the answers as JSON; null stands for what is not known. */
  public String json() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("run", run);
    all.put("chains", chains);
    all.put("draws_per_chain", draws);
    all.put("interval", interval);
    all.put("hypotheses", answers.stream().map(Answer::figures).toList());
    return OutputFolder.asJson(all);
  }

  /** Writes the files and moves them to their places. */
  public void write(OutputFolder folder) throws IOException {
    folder.text(JSON, json() + "\n");
    folder.csv(
        CSV,
        answers.get(0).names(),
        csv -> answers.forEach(one -> csv.writeRow(one.figures().values().toArray())));
    folder.publish();
  }
}
