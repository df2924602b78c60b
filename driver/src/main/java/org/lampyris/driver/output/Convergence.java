package org.lampyris.driver.output;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Whether draws can be trusted: R̂ at most 1.01, or what chance makes of the largest one of so many
 * coefficients, and an effective sample size of at least 400, bulk and tail, for every coefficient.
 * Source: Vehtari et al. (2021), section 5, and {@link FalseAlarms#rhat}.
 *
 * <p>Of runs whose chains have converged, R̂ condemns at most 1 in 1,000, however many coefficients
 * there are. An ESS is estimated with a standard error of about 4√ESS, so that a run condemned for
 * its ESS with that rate has a true one of 650 (one coefficient) to 800 (3,000).
 *
 * @param variables how many coefficients are looked at
 * @param chains how many chains there are
 */
public record Convergence(int variables, int chains) {
  /** What R̂ may be at most. */
  public static final double RHAT = 1.01;

  /** What the effective sample size has to be at least. */
  public static final double ESS = 400;

  /** A coefficient that is in the model more rarely, surely so, need not be known any better. */
  private static final double HARDLY_EVER = 0.05;

  private static final double SURELY = 0.01;
  private static final int NAMED = 5;

  /** Above this, chains have not found each other, which more draws do not mend. */
  private static final double FAR_APART = 1.1;

  /** What a guess of the draws needed is raised by, as ESS and R̂ are themselves uncertain. */
  private static final double MARGIN = 1.3;

  /** How often R̂ may condemn a run whose chains have converged. */
  private static final double RATE = 1e-3;

  /**
   * Returns whether a coefficient's draws fall short; what is not a number does. Of one that is
   * hardly ever in the model, that is all there is to know.
   */
  public boolean fallsShort(VariableSummary row) {
    return !isOut(row) && isShort(row);
  }

  /**
   * Returns what R̂ of a coefficient may be at most. An ESS below the least one condemns by itself,
   * and lifts the limit no further.
   */
  public double limit(VariableSummary row) {
    double ess = Math.max(ESS, row.mixing().essBulk());
    double chance = new FalseAlarms(RATE, Math.max(1, variables)).rhat(chains, ess);
    return chance > RHAT ? chance : RHAT;
  }

  private static boolean isOut(VariableSummary row) {
    return row.inclusion().probability() < HARDLY_EVER && row.inclusion().mcse() <= SURELY;
  }

  private boolean isShort(VariableSummary row) {
    return !(row.mixing().rhat() <= limit(row))
        || !(row.mixing().essBulk() >= ESS)
        || !(row.essTail() >= ESS);
  }

  /**
   * Returns how many times more draws it would take: ESS grows with their number, and R̂² − 1, as
   * far as it comes from autocorrelation, shrinks with it. Infinite if nothing moved.
   */
  private static double need(VariableSummary row) {
    if (isOut(row)) {
      return 0;
    }
    double need =
        Math.max(
            ESS / Math.min(row.mixing().essBulk(), row.essTail()),
            (row.mixing().rhat() * row.mixing().rhat() - 1) / (RHAT * RHAT - 1));
    return Double.isNaN(need) ? Double.POSITIVE_INFINITY : need;
  }

  /** Returns an order that has the most doubtful coefficient first. */
  public static Comparator<VariableSummary> worstFirst() {
    return Comparator.comparingDouble(Convergence::need).reversed();
  }

  /**
   * Returns what speaks against the draws, with its remedy: stuck chains first, as they are the
   * cause of the rest, then coefficients that fall short.
   *
   * @param drawsPerChain how many draws each chain has
   * @param movement how the chains moved
   */
  public static List<String> complaints(
      List<VariableSummary> summary, int drawsPerChain, Movement movement) {
    return Stream.of(movement.stuckChains(), complaint(summary, drawsPerChain, movement))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Returns which coefficients fall short and what to do; empty if none does.
   *
   * @param drawsPerChain how many draws each chain has
   * @param movement how the chains moved
   */
  static Optional<String> complaint(
      List<VariableSummary> summary, int drawsPerChain, Movement movement) {
    Convergence convergence = new Convergence(summary.size(), movement.chains());
    List<VariableSummary> doubtful =
        summary.stream().filter(convergence::fallsShort).sorted(worstFirst()).toList();
    if (doubtful.isEmpty()) {
      return Optional.empty();
    }
    String named =
        doubtful.stream()
            .limit(NAMED)
            .map(
                row ->
                    Text.of(
                        "%s (R-hat %s, ESS bulk %s, tail %s)",
                        row.variable(),
                        rhat(row.mixing().rhat()),
                        SummaryTable.whole(row.mixing().essBulk()),
                        SummaryTable.whole(row.essTail())))
            .collect(Collectors.joining(", "));
    return Optional.of(
        Text.of(
            "R-hat > %s or ESS < %.0f for %d of %d coefficients: %s%s.%s",
            RHAT,
            ESS,
            doubtful.size(),
            summary.size(),
            named,
            doubtful.size() > NAMED ? ", …" : "",
            // What a stuck chain needs has been said, and is not more draws.
            movement.stuck().isEmpty()
                ? " " + remedy(doubtful, summary.size(), drawsPerChain, movement)
                : ""));
  }

  static String rhat(double value) {
    return Double.isNaN(value) ? "none" : Text.of("%.3f", value);
  }

  private static String remedy(
      List<VariableSummary> doubtful, int all, int drawsPerChain, Movement movement) {
    VariableSummary worst = doubtful.get(0);
    double need = need(worst);
    if (movement.hasLongSteps()) {
      return Text.of(
          "Of the proposals %.2g %% were accepted: the steps are too long. Raise sampler.warmup, or"
              + " lower sampler.step_size.",
          100 * movement.acceptance());
    }
    if (Double.isInfinite(need)) {
      return worst.sd() > 0
          ? "There are too few different draws to tell: raise sampler.draws."
          : "Some draws never moved: raise sampler.warmup, or lower sampler.step_size.";
    }
    List<String> apart =
        doubtful.stream()
            .filter(row -> row.mixing().rhat() > FAR_APART)
            .map(VariableSummary::variable)
            .toList();
    if (!apart.isEmpty()) {
      return apart(apart, all);
    }
    return Text.of(
        "Raise sampler.draws from %d to about %d, or sampler.thin instead.",
        drawsPerChain, (long) Math.ceil(drawsPerChain * need * MARGIN / 100) * 100);
  }

  /**
   * Returns why chains lie apart, and what to do: more draws of each do not bring them together.
   */
  private static String apart(List<String> names, int all) {
    String found =
        Text.of("The chains lie apart (R-hat > %s), which more draws do not mend. ", FAR_APART);
    boolean few = names.size() > 1 && names.size() <= NAMED && names.size() < all;
    return found
        + (few
            ? "Only %s lie so: the rows may not tell them apart. Leave one of them out, or give one a"
                    .formatted(String.join(", ", names))
                + " narrower prior."
            : "Either the posterior has several modes, or the chains have not arrived: look at the"
                + " traces in report.html, and raise sampler.warmup.");
  }
}
