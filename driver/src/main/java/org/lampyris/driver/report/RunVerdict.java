package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.Convergence;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Verdict on a run, with reasons and remedies, from the same complaints as the exit code and the
 * summary's remarks.
 *
 * @param headline the answer
 * @param reasons in sentences
 * @param remarks what does not change the answer
 */
record RunVerdict(Tone tone, String headline, List<String> reasons, List<String> remarks) {
  /** Tone of a verdict. */
  enum Tone {
    GOOD,
    CAREFUL,
    BAD
  }

  /**
   * Judges a run.
   *
   * @param independent what a run found of its independent draws; null if a chain made them
   * @param doubts what speaks against the model, in sentences
   */
  static RunVerdict of(
      JsonNode manifest,
      List<VariableSummary> summary,
      @Nullable Decision independent,
      List<String> doubts) {
    List<String> complaints = texts(manifest.path("complaints"));
    List<String> remarks = new ArrayList<>();
    String bias = manifest.path("bias").path("sentence").asText("");
    remarks.addAll(texts(manifest.path("remarks")));
    manifest.path("modelled").path("doubts").forEach(doubt -> remarks.add(sentence(doubt)));
    if (manifest.at("/configuration/sampler/prior_only").asBoolean()) {
      return new RunVerdict(
          Tone.CAREFUL,
          "These draws are from the prior.",
          List.of(
              "sampler.prior_only left the rows out, so the draws show what the prior expects."
                  + " Remove the key to sample the posterior."),
          remarks);
    }
    if (!complaints.isEmpty()) {
      List<String> reasons = new ArrayList<>(complaints);
      reasons.add("The draws are kept, but figures below that depend on them may be wrong.");
      if (!bias.isEmpty()) {
        remarks.add("The algorithm is approximate; bias: " + bias + ".");
      }
      remarks.addAll(doubts);
      return new RunVerdict(Tone.BAD, "Do not believe these draws yet.", reasons, remarks);
    }
    List<String> reasons = new ArrayList<>();
    reasons.add(independent == null ? mixed(summary) : independent(independent, summary));
    if (!bias.isEmpty()) {
      reasons.add("But the algorithm is approximate. Measured bias: " + bias + ".");
      reasons.add(
          "If this bias matters for your decision, sample with sampler.algorithm: auto, which is"
              + " exact. Then compare the two runs with the command compare.");
      remarks.addAll(doubts);
      return new RunVerdict(
          Tone.CAREFUL, "Well sampled, but by an approximate algorithm.", reasons, remarks);
    }
    if (!doubts.isEmpty()) {
      reasons.addAll(doubts);
      return new RunVerdict(Tone.CAREFUL, "Believe the draws; doubt the model.", reasons, remarks);
    }
    reasons.add("The draws are from the exact posterior of this model given these rows.");
    return new RunVerdict(Tone.GOOD, "Believe this run.", reasons, remarks);
  }

  private static String sentence(JsonNode doubt) {
    return "In the table: " + Text.sentence(doubt.asText());
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static String independent(Decision found, List<VariableSummary> summary) {
    double error = 0;
    for (VariableSummary row : summary) {
      error = row.sd() > 0 ? Math.max(error, row.mixing().mcseMean() / row.sd()) : error;
    }
    Double accepted = found.figures().get("acceptance");
    return Text.of(
        "The %,.0f draws are independent: no chain had to converge.%s No mean is off by more than"
            + " about %.1f %% of its posterior sd (one standard error).",
        found.figures().getOrDefault("draws", Double.NaN),
        accepted == null
            ? ""
            : Text.of(" A share of %.2g of the proposals was accepted.", accepted),
        100 * error);
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
        "The chains agree and have moved enough. R-hat is at most %.3f (%s). The effective sample"
            + " size is at least %,.0f (400 is enough). No mean is off by more than about %.1f %%"
            + " of its posterior sd (one standard error).",
        rhat,
        rhat > Convergence.RHAT
            ? Text.of("within chance for the largest of %,d coefficients", summary.size())
            : "1.01 is enough",
        ess,
        100 * error);
  }
}
