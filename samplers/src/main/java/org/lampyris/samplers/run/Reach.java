package org.lampyris.samplers.run;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * How far the draws reach into the ball that the coefficients are confined to. Draws near its edge
 * tell of a posterior that is cut off there.
 *
 * @param distance the largest distance of a draw from the center
 * @param confinement the ball
 */
public record Reach(double distance, Confinement confinement) {
  /**
   * How near to the edge is too near: of the ball of √d + 5, a million draws from a normal
   * posterior come to about 1.3.
   */
  private static final double NEAR = 0.5;

  /** How far into the ball chains may begin. */
  private static final double START = 0.9;

  /** Returns where a chain begins: in the ball. */
  public static double[] start(Optional<Confinement> confinement, double[] theta) {
    return confinement.map(c -> c.ball().nearest(theta, START)).orElse(theta);
  }

  /** Measures all draws. */
  public static Reach of(Confinement confinement, List<ChainTrace> traces) {
    double distance =
        traces.parallelStream()
            .mapToDouble(
                trace ->
                    trace.draws().stream()
                        .mapToDouble(confinement.ball()::distance)
                        .max()
                        .orElse(0))
            .max()
            .orElse(0);
    return new Reach(distance, confinement);
  }

  /** Returns a line about it. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "coefficients confined to a ball of %.1f posterior standard deviations about the mode, of"
            + " which the draws reach %.1f",
        confinement.ball().radius(),
        distance);
  }

  /** Returns a warning if the draws come near the edge. */
  public Optional<String> warning() {
    if (distance <= confinement.ball().radius() - NEAR) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "the draws reach %.1f posterior standard deviations from the mode, and the coefficients"
                + " are confined to a ball of %.1f: it may cut off a part of the posterior; %s.",
            distance,
            confinement.ball().radius(),
            confinement.remedy()));
  }
}
