package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.ModelWeights;

/**
 * Bayes factors of compared runs that have an evidence, and posterior probabilities of their models
 * with equal prior probabilities.
 *
 * <p>With the log evidences z_k ± s_k, the logarithm of the Bayes factor of model k over model 1 is
 * z_k − z_1 ± √(s_k² + s_1²), and model k has the probability e^{z_k}/Σ e^{z_l}. The models must be
 * of the same responses. Source: Kass and Raftery (1995), section 2.
 */
public final class BayesFactors {
  /** Keys that determine the rows and their responses. */
  private static final List<String> ROWS =
      List.of("data.input", "data.query", "data.label", "data.weight", "data.after");

  /** The family whose likelihood omits a constant of each row, which others have. */
  private static final String WITHOUT_CONSTANT = "binomial";

  private BayesFactors() {}

  /** Returns what the evidences of runs say, in sentences; nothing if fewer than two have one. */
  static List<String> lines(List<ComparedRun> all) {
    Map<Integer, ComparedRun> with = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (evidence(all.get(i).output()).has(Decision.LOG_EVIDENCE)) {
        with.put(i + 1, all.get(i));
      }
    }
    if (with.size() < 2) {
      return List.of();
    }
    int reference = with.keySet().iterator().next();
    ComparedRun first = all.get(reference - 1);
    List<String> lines = new ArrayList<>();
    Map<Integer, ComparedRun> same = new LinkedHashMap<>();
    with.forEach(
        (number, run) -> {
          String other = difference(first.output(), run.output());
          if (!other.isEmpty()) {
            lines.add(
                Text.of(
                    "No Bayes factor of run %d over run %d, because their %s. Sample both from the"
                        + " same rows.",
                    number, reference, other));
            return;
          }
          same.put(number, run);
          if (number != reference) {
            double error = Math.hypot(error(first), error(run));
            lines.add(
                Text.of(
                    "Log Bayes factor of run %d over run %d: %s (standard error %.2g).",
                    number,
                    reference,
                    SummaryTable.number(log(run.output()) - log(first.output()), 10 * error),
                    error));
          }
        });
    if (same.size() > 1) {
      lines.add(probabilities(same));
      lines.addAll(defaults(same));
      lines.addAll(priors(same));
    }
    return lines;
  }

  /**
   * Returns e^{z_k}/Σ e^{z_l}, the probabilities of models that were equally probable before; empty
   * if not all runs have an evidence.
   */
  public static Optional<double[]> probabilities(List<RunOutput> runs) {
    return runs.stream().allMatch(run -> evidence(run).has(Decision.LOG_EVIDENCE))
        ? Optional.of(
            ModelWeights.normalised(runs.stream().mapToDouble(BayesFactors::log).toArray()))
        : Optional.empty();
  }

  private static JsonNode evidence(RunOutput run) {
    return run.manifest().path(Decision.EVIDENCE);
  }

  private static double log(RunOutput run) {
    return evidence(run).path(Decision.LOG_EVIDENCE).asDouble();
  }

  private static double error(ComparedRun run) {
    return evidence(run.output()).path(Decision.STANDARD_ERROR).asDouble();
  }

  /** Returns how two runs differ that are not of the same responses; empty if they do not. */
  public static String difference(RunOutput first, RunOutput run) {
    String[] families = {family(first), family(run)};
    if (!families[0].equals(families[1]) && List.of(families).contains(WITHOUT_CONSTANT)) {
      return "likelihoods differ by the binomial coefficients";
    }
    if (first.fingerprint().equals(run.fingerprint())) {
      return "";
    }
    for (String key : ROWS) {
      if (!first.key(key).equals(run.key(key))) {
        return key + " differs";
      }
    }
    return rows(first) == rows(run) ? "" : "numbers of rows differ";
  }

  private static String family(RunOutput run) {
    return run.manifest().at("/modelled/family").asText();
  }

  private static long rows(RunOutput run) {
    return run.manifest().at("/modelled/rows").asLong();
  }

  private static String probabilities(Map<Integer, ComparedRun> runs) {
    List<RunOutput> outputs = runs.values().stream().map(ComparedRun::output).toList();
    double[] probabilities = probabilities(outputs).orElseThrow();
    List<Integer> numbers = List.copyOf(runs.keySet());
    return IntStream.range(0, probabilities.length)
        .mapToObj(i -> Text.of("run %d %.3g", numbers.get(i), probabilities[i]))
        .collect(
            Collectors.joining(
                ", ",
                "Posterior probabilities of the models, if all were equally probable: ",
                "."));
  }

  /** Returns a caution if priors were not chosen for a Bayes factor. */
  private static List<String> defaults(Map<Integer, ComparedRun> runs) {
    String numbers =
        runs.entrySet().stream()
            .filter(one -> one.getValue().output().key("model.prior").asText("").equals("auto"))
            .map(one -> "run " + one.getKey())
            .collect(Collectors.joining(", "));
    return numbers.isEmpty()
        ? List.of()
        : List.of(
            "A Bayes factor depends on the priors of those coefficients that one model alone has."
                + " The default priors ("
                + numbers
                + ") are wide, and favour the smaller model. Set model.prior to what you know.");
  }

  /**
   * Returns a caution for each run whose priors of coefficients shared with the first one differ.
   */
  private static List<String> priors(Map<Integer, ComparedRun> runs) {
    int reference = runs.keySet().iterator().next();
    Map<String, String> expected = SamePosterior.priors(runs.values().iterator().next());
    List<String> lines = new ArrayList<>();
    runs.forEach(
        (number, run) -> {
          List<String> differing = new ArrayList<>();
          SamePosterior.priors(run)
              .forEach(
                  (name, text) -> {
                    String other = expected.getOrDefault(name, text);
                    if (!text.equals(other)) {
                      differing.add(Text.of("%s (%s, %s)", name, text, other));
                    }
                  });
          if (!differing.isEmpty()) {
            lines.add(
                Text.of(
                    "Runs %d and %d have other priors of %s, so their Bayes factor compares priors,"
                        + " too. Set model.priors for both to the same.",
                    number, reference, Text.few(differing, Comparison.MOST_NAMED)));
          }
        });
    return lines;
  }
}
