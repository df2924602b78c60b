package org.lampyris.samplers.perfect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Prediction of the Laplace approximation.
 *
 * @param acceptance the acceptance rate, exp(f̂)|2πΣ̂|^½/∫g
 * @param evaluations row evaluations for a draw, Σ c_n·E‖θ − θ̂‖² over that
 */
record Prediction(double acceptance, double evaluations) {
  /**
   * Evaluations for a draw, as a multiple of the rows, from which chains on all rows are cheaper.
   */
  private static final double MOST_PASSES = 100;

  static Prediction of(
      SamplingContext context, Envelope envelope, Envelope.Tries tries, double[] sums, int shells) {
    double acceptance =
        Math.min(1, Math.exp(envelope.logLaplace() - envelope.logMass()) / tries.share());
    double evaluations = tries.tail() * context.table().rows();
    for (int k = 0; k < shells; k++) {
      evaluations += sums[(k + 1) * (sums.length / shells) - 1] * tries.squares()[k];
    }
    return new Prediction(acceptance, evaluations / acceptance);
  }

  String line() {
    return Text.of(
        "predicted: %.3g of the proposals are accepted, with %.3g likelihood evaluations a draw",
        acceptance, evaluations);
  }

  /** Refuses a run that would accept too little, or read more than other algorithms do. */
  void require(long rows) {
    if (!(acceptance >= PerfectRun.LEAST)) {
      throw PerfectAlgorithm.tooFew(
          Text.of("would accept a share of %.2g of its proposals", acceptance));
    }
    if (!(evaluations <= MOST_PASSES * rows)) {
      throw PerfectAlgorithm.tooFew(
          Text.of("would make %.2g likelihood evaluations for a draw", evaluations));
    }
  }

  /** Returns what the draws show: their independence, and the evidence. */
  List<Decision> found(
      SamplingContext context,
      Envelope envelope,
      Envelope.Tries tries,
      List<ChainTrace> traces,
      PerfectAlgorithm.Settings settings) {
    long draws = traces.stream().mapToLong(ChainTrace::size).sum();
    double proposals = 0;
    double read = 0;
    for (ChainTrace trace : traces) {
      for (ChainTrace.Iteration of : trace.iterationsFrom(false, 0)) {
        proposals += of.info().columns().get(0);
        read += of.info().likelihoodEvaluations();
      }
    }
    // The run ends with a draw, and without it the rate is unbiased.
    double rate = draws > 1 ? (draws - 1) / (proposals - 1) : 1 / proposals;
    double logEvidence = envelope.logMass() + Math.log(tries.share()) + Math.log(rate);
    double outside = Math.min(1, Math.exp(envelope.logTailMass() - logEvidence));
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("draws", (double) draws);
    figures.put("proposals", proposals);
    figures.put("acceptance", draws / proposals);
    figures.put("predicted_acceptance", acceptance);
    figures.put("evaluations_per_draw", read / draws);
    if (Double.isFinite(envelope.radius())) {
      figures.put("radius", envelope.radius());
      figures.put("outside", outside);
    }
    List<Decision> found = new ArrayList<>();
    found.add(
        Decision.of(
            Decision.INDEPENDENT,
            figures,
            Text.of(
                "independent draws: %,d of %,.0f proposals accepted (%.3g; predicted %.3g), %.3g"
                    + " likelihood evaluations a draw%s",
                draws,
                proposals,
                draws / proposals,
                acceptance,
                read / draws,
                Double.isFinite(envelope.radius())
                    ? Text.of(
                        "; at most %.2g of the posterior lies more than %.3g posterior sds from"
                            + " the mode, where all rows decide",
                        outside, envelope.radius())
                    : "")));
    if (draws < (long) context.chains() * context.inputs().chains().draws()) {
      found.add(
          Decision.of(
              Decision.FOUND,
              Text.of(
                  "only %,d draws after sampler.perfect.max_proposals: %d; raise it and add"
                      + " --resume",
                  draws, settings.maxProposals())));
    }
    found.add(
        evidence(
            context.model().prior(),
            context.model().coefficients(),
            logEvidence,
            Math.hypot(tries.error(), Math.sqrt((1 - rate) / draws))));
    return found;
  }

  private static Decision evidence(
      ProductPrior prior, List<String> coefficients, double log, double error) {
    Optional<String> improper = prior.improper(coefficients);
    if (improper.isPresent()) {
      return Decision.of(Decision.EVIDENCE, "no evidence, because " + improper.get() + ".");
    }
    return Decision.of(
        Decision.EVIDENCE,
        Map.of(Decision.LOG_EVIDENCE, log, Decision.STANDARD_ERROR, error),
        Text.of("log evidence %.4f, standard error %.2g", log, error));
  }
}
