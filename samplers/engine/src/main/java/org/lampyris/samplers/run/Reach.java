package org.lampyris.samplers.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;

/**
 * How far the draws reach, and how many of them lie outside of the region where the algorithm's own
 * kernel holds. Iterations outside read all rows.
 *
 * @param region the region
 * @param distance the largest distance of a draw, as the region measures it
 * @param outside how many draws lie outside
 * @param draws how many draws there are
 */
public record Reach(Region region, double distance, long outside, long draws) {
  /** From which share of draws outside on it is said what would be cheaper. */
  private static final double OFTEN = 0.01;

  /** Measures all draws. */
  public static Reach of(Region region, List<ChainTrace> traces) {
    double[] distances =
        traces.parallelStream()
            .flatMap(trace -> trace.draws().stream())
            .mapToDouble(region::distance)
            .toArray();
    double largest = 0;
    long outside = 0;
    for (double distance : distances) {
      largest = Math.max(largest, distance);
      outside += distance <= region.radius() ? 0 : 1;
    }
    return new Reach(region, largest, outside, distances.length);
  }

  /** Returns it as it is reported. */
  public Decision decision() {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("distance", distance);
    figures.put("radius", region.radius());
    figures.put("outside", (double) outside);
    figures.put("draws", (double) draws);
    return Decision.of("reach", figures, line());
  }

  /** Returns a line about it. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "draws reach %.3g %s; the bounds hold within %.3g, and %,d of %,d draws lie outside%s",
        distance,
        region.unit(),
        region.radius(),
        outside,
        draws,
        outside > OFTEN * draws
            ? ", where an iteration reads all rows: sampler.algorithm metropolis or mhss may be"
                + " cheaper on this table"
            : "");
  }
}
