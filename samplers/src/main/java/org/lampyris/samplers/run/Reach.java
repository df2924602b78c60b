package org.lampyris.samplers.run;

import java.util.List;
import java.util.Locale;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * How far the draws reach, and how many of them lie outside of the ball where the algorithm's own
 * kernel holds. Iterations outside read all rows.
 *
 * @param ball the ball
 * @param distance the largest distance of a draw from the mode, in posterior standard deviations
 * @param outside how many draws lie outside
 * @param draws how many draws there are
 */
public record Reach(Ball ball, double distance, long outside, long draws) {
  /** From which share of draws outside on it is said what would be cheaper. */
  private static final double OFTEN = 0.01;

  /** Measures all draws. */
  public static Reach of(Ball ball, List<ChainTrace> traces) {
    double[] distances =
        traces.parallelStream()
            .flatMap(trace -> trace.draws().stream())
            .mapToDouble(ball::distance)
            .toArray();
    double largest = 0;
    long outside = 0;
    for (double distance : distances) {
      largest = Math.max(largest, distance);
      outside += distance <= ball.radius() ? 0 : 1;
    }
    return new Reach(ball, largest, outside, distances.length);
  }

  /** Returns a line about it. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "draws reach %.1f posterior standard deviations from the mode; the bounds hold in a ball of"
            + " %.1f, and %,d of %,d draws lie outside%s",
        distance,
        ball.radius(),
        outside,
        draws,
        outside > OFTEN * draws
            ? ", where an iteration reads all rows: sampler.algorithm metropolis or mhss may be"
                + " cheaper on this table"
            : "");
  }
}
