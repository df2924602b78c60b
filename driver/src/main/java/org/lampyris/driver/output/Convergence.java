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
 * Convergence criteria: R̂ at most 1.01, or its largest value by chance among so many coefficients,
 * and an effective sample size of at least 400, bulk and tail, for every coefficient. Source:
 * Vehtari et al. (2021), section 5, and {@link FalseAlarms#rhat}.
 *
 * <p>R̂ rejects at most 1 in 1,000 runs with converged chains, for any number of coefficients. An
 * ESS estimate has a standard error of about 4√ESS. A run that fails on ESS at that rate has a true
 * ESS of 650 (one coefficient) to 800 (3,000).
 *
 * <p>Independent draws meet them by construction, if there are 400.
 *
 * @param variables how many coefficients are looked at
 * @param chains how many chains there are
 * @param independent whether the draws are independent, so that R̂ and ESS say nothing
 */
public record Convergence(int variables, int chains, boolean independent) {
  /** Largest R̂ allowed. */
  public static final double RHAT = 1.01;

  /** Smallest effective sample size allowed. */
  public static final double ESS = 400;

  /** A coefficient that is in the model more rarely, surely so, need not be known any better. */
  private static final double HARDLY_EVER = 0.05;

  private static final double SURELY = 0.01;
  private static final int NAMED = 5;

  /** The longest name of a coefficient in a complaint, in characters. */
  private static final int LONGEST_NAME = 60;

  /** Above this, chains have not found each other, which more draws do not mend. */
  private static final double FAR_APART = 1.1;

  /** Safety factor for the estimate of draws needed, because ESS and R̂ are uncertain. */
  private static final double MARGIN = 1.3;

  /** Rate at which R̂ may reject runs with converged chains. */
  private static final double RATE = 1e-3;

  /** Returns the criteria of draws that have moved in some way. */
  public static Convergence of(int variables, Movement movement) {
    return new Convergence(variables, movement.chains(), movement.independent());
  }

  /** Creates the criteria of chains. */
  public Convergence(int variables, int chains) {
    this(variables, chains, false);
  }

  /**
   * Returns whether a coefficient's draws fail the criteria; NaN fails. For a coefficient that is
   * hardly ever in the model, no more can be known.
   */
  public boolean fallsShort(VariableSummary row) {
    return !independent && !isOut(row) && isShort(row);
  }

  /**
   * Returns the largest R̂ allowed for a coefficient. An ESS below the least one condemns by
   * itself, and lifts the limit no further.
   */
  public double limit(VariableSummary row) {
    double chance = chance(Math.max(ESS, row.mixing().essBulk()));
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
   * Returns the factor by which more draws are needed: ESS grows with their number, and the part of
   * R̂² − 1 from autocorrelation shrinks with it. Infinite if nothing moved.
   *
   * <p>The limit's R̂² − 1 is m·x/ESS, which shrinks as fast. So an R̂ that chance explains at its
   * own ESS stays below the limit, and asks for no more draws than ESS does. Any other R̂ stays
   * above, until the limit is 1.01.
   */
  private double need(VariableSummary row) {
    if (isOut(row)) {
      return 0;
    }
    double rhat = row.mixing().rhat();
    double ofEss = ESS / Math.min(row.mixing().essBulk(), row.essTail());
    double ofRhat =
        rhat <= chance(row.mixing().essBulk()) ? 0 : (rhat * rhat - 1) / (RHAT * RHAT - 1);
    double need = Math.max(ofEss, ofRhat);
    return Double.isNaN(need) ? Double.POSITIVE_INFINITY : need;
  }

  /** Returns the largest R̂ that chance explains, at an ESS. */
  private double chance(double ess) {
    return new FalseAlarms(RATE, Math.max(1, variables)).rhat(chains, ess);
  }

  /** Returns an order that has the most doubtful coefficient first. */
  public Comparator<VariableSummary> worstFirst() {
    return Comparator.comparingDouble(this::need).reversed();
  }

  /**
   * Returns the complaints about the draws, with remedies: faults that the run found, stuck chains,
   * because they cause the rest, then coefficients that fail.
   *
   * @param drawsPerChain how many draws each chain has
   * @param movement how the chains moved
   */
  public static List<String> complaints(
      List<VariableSummary> summary, int drawsPerChain, Movement movement) {
    return Stream.concat(
            movement.faults().stream(),
            Stream.of(movement.stuckChains(), complaint(summary, drawsPerChain, movement))
                .flatMap(Optional::stream))
        .toList();
  }

  /**
   * Returns the coefficients that fail, with a remedy; empty if none does.
   *
   * @param drawsPerChain how many draws each chain has
   * @param movement how the chains moved
   */
  static Optional<String> complaint(
      List<VariableSummary> summary, int drawsPerChain, Movement movement) {
    if (movement.independent()) {
      long draws = (long) movement.chains() * drawsPerChain;
      return draws >= ESS
          ? Optional.empty()
          : Optional.of(
              Text.of(
                  "only %,d independent draws, where %.0f are needed. Raise sampler.draws, or"
                      + " sampler.perfect.max_proposals if that ended the run.",
                  draws, ESS));
    }
    Convergence convergence = new Convergence(summary.size(), movement.chains());
    List<VariableSummary> doubtful =
        summary.stream().filter(convergence::fallsShort).sorted(convergence.worstFirst()).toList();
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
                        SummaryTable.shortened(row.variable(), LONGEST_NAME),
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
                ? " " + convergence.remedy(doubtful, drawsPerChain, movement)
                : ""));
  }

  /** Returns R̂ as text; "none" for NaN. */
  public static String rhat(double value) {
    return Double.isNaN(value) ? "none" : Text.of("%.3f", value);
  }

  private String remedy(List<VariableSummary> doubtful, int drawsPerChain, Movement movement) {
    VariableSummary worst = doubtful.get(0);
    double need = need(worst);
    if (movement.hasLongSteps()) {
      return Text.of(
          "Only %.2g %% of the proposals were accepted, so the steps are too long. Raise"
              + " sampler.warmup, or lower sampler.step_size.",
          100 * movement.acceptance());
    }
    if (Double.isInfinite(need)) {
      return worst.sd() > 0
          ? "There are too few different draws. Raise sampler.draws."
          : "Some draws never moved. Raise sampler.warmup, or lower sampler.step_size.";
    }
    List<String> apart =
        doubtful.stream()
            .filter(row -> row.mixing().rhat() > FAR_APART)
            .map(VariableSummary::variable)
            .toList();
    if (!apart.isEmpty()) {
      return apart(apart);
    }
    return Text.of(
        "Raise sampler.draws from %d to about %d, or raise sampler.thin.",
        drawsPerChain, (long) Math.ceil(drawsPerChain * need * MARGIN / 100) * 100);
  }

  /** Returns why chains disagree, and a remedy; more draws do not bring them together. */
  private String apart(List<String> names) {
    String found =
        Text.of("The chains disagree (R-hat > %s), and more draws will not help. ", FAR_APART);
    boolean few = names.size() > 1 && names.size() <= NAMED && names.size() < variables;
    return found
        + (few
            ? "Only %s disagree, so the rows may not distinguish them. Remove one of them, or give one a"
                    .formatted(String.join(", ", names))
                + " narrower prior."
            : "Either the posterior has several modes, or the chains have not converged. Look at"
                + " the traces in report.html, and raise sampler.warmup.");
  }
}
