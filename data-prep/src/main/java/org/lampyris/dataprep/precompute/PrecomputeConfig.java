package org.lampyris.dataprep.precompute;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;

/**
 * The section {@code precompute}.
 *
 * @param tolerance the mode is found when the next Newton step is no longer than this many
 *     posterior standard deviations, in any direction
 * @param maxPasses after how many passes over the data the search for the mode gives up
 * @param anchor the anchor of the untuned bounds, the same for every row: ξ of logistic and robust
 *     regression, every ψ_k of softmax regression
 * @param radius R of the ball about the mode in which the local bounds hold, in posterior standard
 *     deviations; null for √d + {@value #BEYOND}
 * @param after the bounds of the table that {@code data.after} names, which the later rows are
 *     added to; null for none
 */
public record PrecomputeConfig(
    double tolerance,
    int maxPasses,
    double anchor,
    @Nullable Double radius,
    @Nullable String after) {
  /**
   * A hundredth of a posterior standard deviation: the bounds hold wherever they are tight, and are
   * as good so close to the mode as there.
   */
  private static final double DEFAULT_TOLERANCE = 1e-2;

  /** Far more than a posterior with a mode needs: MNIST 7 against 9 takes 8 from a start at 0. */
  private static final int DEFAULT_MAX_PASSES = 50;

  /**
   * How far beyond √d, about where a normal posterior has its mass, the ball of the local bounds
   * reaches: less than 2·10⁻⁹ lies outside, for any d.
   */
  public static final int BEYOND = 5;

  /**
   * Reads the section.
   *
   * @param anchor the family's anchor of untuned bounds, where none is set
   */
  public static PrecomputeConfig read(Section root, double anchor) {
    Section section =
        root.section("precompute", "tolerance", "max_passes", "anchor", "radius", "after");
    return new PrecomputeConfig(
        section.number("tolerance", DEFAULT_TOLERANCE, Interval.OPEN_UNIT),
        section.whole("max_passes", DEFAULT_MAX_PASSES, 1, Integer.MAX_VALUE),
        section.number("anchor", anchor, Interval.NON_NEGATIVE),
        section.number("radius", Interval.POSITIVE),
        section.text("after"));
  }

  /** Returns R for a model of d coefficients. */
  double radius(int d) {
    return radius == null ? Math.sqrt(d) + BEYOND : radius;
  }
}
