package org.lampyris.driver.output;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether draws can be trusted: R̂ at most 1.01 and an effective sample size of at least 400, bulk
 * and tail, for every coefficient. Source: Vehtari et al. (2021), section 5.
 */
public final class Convergence {
  static final double RHAT = 1.01;
  static final double ESS = 400;
  private static final int NAMED = 5;

  private Convergence() {}

  /** Returns whether a coefficient's draws fall short; what is not a number does. */
  static boolean fallsShort(SummaryRow row) {
    return !(row.rhat() <= RHAT) || !(row.essBulk() >= ESS) || !(row.essTail() >= ESS);
  }

  /** Returns an order that has the most doubtful coefficient first. */
  static Comparator<SummaryRow> worstFirst() {
    return Comparator.comparingDouble(
        row -> Double.isNaN(row.rhat()) || Double.isNaN(row.worstEss()) ? -1 : row.worstEss());
  }

  /**
   * Returns which coefficients fall short and what to do; empty if none does.
   *
   * @param drawsPerChain how many draws each chain has
   */
  public static Optional<String> complaint(List<SummaryRow> summary, int drawsPerChain) {
    List<SummaryRow> doubtful =
        summary.stream().filter(Convergence::fallsShort).sorted(worstFirst()).toList();
    if (doubtful.isEmpty()) {
      return Optional.empty();
    }
    String named =
        doubtful.stream()
            .limit(NAMED)
            .map(
                row ->
                    String.format(
                        Locale.ROOT,
                        "%s (R-hat %s, ESS bulk %s, tail %s)",
                        row.variable(),
                        rhat(row.rhat()),
                        SummaryTable.whole(row.essBulk()),
                        SummaryTable.whole(row.essTail())))
            .collect(Collectors.joining(", "));
    return Optional.of(
        String.format(
            Locale.ROOT,
            "R-hat > %s or ESS < %.0f for %d of %d coefficients: %s%s. %s",
            RHAT,
            ESS,
            doubtful.size(),
            summary.size(),
            named,
            doubtful.size() > NAMED ? ", …" : "",
            remedy(doubtful, drawsPerChain)));
  }

  private static String rhat(double value) {
    return Double.isNaN(value) ? "none" : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String remedy(List<SummaryRow> doubtful, int drawsPerChain) {
    if (doubtful.stream().anyMatch(row -> Double.isNaN(row.worstEss()))) {
      return "Some draws never moved: raise sampler.warmup, or lower sampler.step_size.";
    }
    double worst = doubtful.get(0).worstEss();
    long enough = (long) Math.ceil(drawsPerChain * ESS / worst * 1.2 / 100) * 100;
    return worst < ESS
        ? String.format(
            Locale.ROOT,
            "Raise sampler.draws from %d to about %d; if R-hat stays high, sampler.warmup too.",
            drawsPerChain,
            enough)
        : "The chains disagree: raise sampler.warmup.";
  }
}
