package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
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
   * @param doubts what speaks against the model, in sentences
   */
  static RunVerdict of(RunFolder run, List<String> doubts) {
    JsonNode manifest = run.manifest();
    String bias = run.output().bias().orElse("");
    List<String> remarks = new ArrayList<>();
    manifest.path("remarks").forEach(remark -> remarks.add(remark.asText()));
    manifest
        .at("/modelled/doubts")
        .forEach(doubt -> remarks.add("In the table: " + Text.sentence(doubt.asText())));
    if (run.isPriorOnly()) {
      return new RunVerdict(
          Tone.CAREFUL,
          "These draws are from the prior.",
          List.of(
              "sampler.prior_only left the rows out, so the draws show what the prior expects."
                  + " Remove the key to sample the posterior."),
          remarks);
    }
    List<String> reasons = new ArrayList<>(run.output().complaints().orElse(List.of()));
    if (!reasons.isEmpty()) {
      reasons.add("The draws are kept, but figures below that depend on them may be wrong.");
      if (!bias.isEmpty()) {
        remarks.add("The algorithm is approximate; bias: " + bias + ".");
      }
      remarks.addAll(doubts);
      return new RunVerdict(Tone.BAD, "Do not believe these draws yet.", reasons, remarks);
    }
    List<VariableSummary> summary = run.summary();
    reasons.add(
        run.output()
            .independent()
            .map(found -> independent(found, summary))
            .orElseGet(() -> mixed(summary)));
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

  /** Returns the largest Monte-Carlo error of a mean, in posterior sds. */
  private static double error(List<VariableSummary> summary) {
    return summary.stream()
        .filter(row -> row.sd() > 0)
        .mapToDouble(row -> row.mixing().mcseMean() / row.sd())
        .reduce(0, Math::max);
  }

  private static String independent(Decision found, List<VariableSummary> summary) {
    Double accepted = found.figures().get("acceptance");
    return Text.of(
        "The %,.0f draws are independent: no chain had to converge.%s No mean is off by more than"
            + " about %.1f %% of its posterior sd (one standard error).",
        found.figures().getOrDefault("draws", Double.NaN),
        accepted == null
            ? ""
            : Text.of(" A share of %.2g of the proposals was accepted.", accepted),
        100 * error(summary));
  }

  private static String mixed(List<VariableSummary> summary) {
    double rhat = 0;
    double ess = Double.POSITIVE_INFINITY;
    for (VariableSummary row : summary) {
      rhat = Math.max(rhat, row.mixing().rhat());
      ess = Math.min(ess, Math.min(row.mixing().essBulk(), row.essTail()));
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
        100 * error(summary));
  }
}
