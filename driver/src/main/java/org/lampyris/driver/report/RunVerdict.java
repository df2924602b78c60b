package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.Convergence;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Whether to believe a run, why, and what to do: by what gives the command its exit code, and the
 * summary its remarks.
 *
 * @param headline the answer
 * @param reasons in sentences
 * @param remarks what does not change the answer
 */
record RunVerdict(Tone tone, String headline, List<String> reasons, List<String> remarks) {
  /** How good the news are. */
  enum Tone {
    GOOD,
    CAREFUL,
    BAD
  }

  /**
   * Judges a run.
   *
   * @param doubts what speaks against the model, in sentences
   */
  static RunVerdict of(JsonNode manifest, List<VariableSummary> summary, List<String> doubts) {
    List<String> complaints = texts(manifest.path("complaints"));
    List<String> remarks = new ArrayList<>();
    String bias = manifest.path("bias").path("sentence").asText("");
    remarks.addAll(texts(manifest.path("remarks")));
    manifest.path("modelled").path("doubts").forEach(doubt -> remarks.add(sentence(doubt)));
    if (!complaints.isEmpty()) {
      List<String> reasons = new ArrayList<>(complaints);
      reasons.add("The draws are kept, and figures below that rest on them may be wrong.");
      if (!bias.isEmpty()) {
        remarks.add("The algorithm is approximate; bias: " + bias + ".");
      }
      remarks.addAll(doubts);
      return new RunVerdict(Tone.BAD, "Do not believe these draws yet.", reasons, remarks);
    }
    List<String> reasons = new ArrayList<>();
    reasons.add(mixed(summary));
    if (!bias.isEmpty()) {
      reasons.add("But the algorithm is approximate. Measured bias: " + bias + ".");
      reasons.add(
          "If that matters for what you decide, sample with sampler.algorithm: auto, which is"
              + " exact, and hold the two against each other with the command compare.");
      remarks.addAll(doubts);
      return new RunVerdict(
          Tone.CAREFUL, "Well sampled, by an algorithm that is not exact.", reasons, remarks);
    }
    if (!doubts.isEmpty()) {
      reasons.addAll(doubts);
      return new RunVerdict(Tone.CAREFUL, "Believe the draws; doubt the model.", reasons, remarks);
    }
    reasons.add("The draws are of the exact posterior of this model on these rows.");
    return new RunVerdict(Tone.GOOD, "Believe this run.", reasons, remarks);
  }

  private static String sentence(JsonNode doubt) {
    return "In the table: " + doubt.asText() + ".";
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static String mixed(List<VariableSummary> summary) {
    double rhat = 0;
    double ess = Double.POSITIVE_INFINITY;
    double error = 0;
    for (VariableSummary row : summary) {
      rhat = Math.max(rhat, row.mixing().rhat());
      ess = Math.min(ess, Math.min(row.mixing().essBulk(), row.essTail()));
      error = row.sd() > 0 ? Math.max(error, row.mixing().mcseMean() / row.sd()) : error;
    }
    return Text.of(
        "The chains have found each other and moved enough: R-hat is at most %.3f (%s), the"
            + " effective sample size at least %,.0f (400 would do), and no mean is off by more"
            + " than about %.1f %% of its posterior sd (one standard error).",
        rhat,
        rhat > Convergence.RHAT
            ? Text.of("of %,d coefficients, no more than chance makes of it", summary.size())
            : "1.01 would do",
        ess,
        100 * error);
  }
}
