package org.lampyris.dataprep.precompute;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;

/**
 * The section {@code precompute}.
 *
 * @param tolerance the mode is found when the next Newton step is no longer than this many
 *     posterior standard deviations, in any direction
 * @param maxPasses after how many passes over the data the search for the mode gives up
 * @param anchor the anchor of untuned bounds, unless their run sets one, the same for every row: ξ
 *     of logistic and robust regression, every ψ_k of softmax regression
 * @param radius R of the ball about the mode in which the local bounds hold, in posterior standard
 *     deviations; null for one that follows from the table
 * @param covariance whether the covariance of the Laplace approximation is a matrix
 * @param after the bounds of the table that {@code data.after} names, which the later rows are
 *     added to; null for none
 */
public record PrecomputeConfig(
    double tolerance,
    int maxPasses,
    double anchor,
    @Nullable Double radius,
    Covariance covariance,
    @Nullable String after) {
  /** The covariance of the Laplace approximation. */
  public enum Covariance {
    /** A dense matrix, up to as many coefficients as take a moment. */
    AUTO,
    /** A d × d matrix, and collapsed bounds, which are others. */
    DENSE,
    /** A diagonal and some directions, without any d × d matrix, and no bounds. */
    LOW_RANK
  }

  /**
   * Largest number for a dense matrix, which then takes 32 MB; each task sums one or two of them,
   * at d²/2 multiplications for a dense row.
   */
  private static final int MOST_DENSE = 2_000;

  /**
   * A hundredth of a posterior standard deviation: the bounds hold wherever they are tight, and are
   * as good so close to the mode as there.
   */
  private static final double DEFAULT_TOLERANCE = 1e-2;

  /** Far more than a posterior with a mode needs: MNIST 7 against 9 takes 8 from a start at 0. */
  private static final int DEFAULT_MAX_PASSES = 50;

  /** Largest radius of the ball beyond √d, which is about where a normal posterior has its mass. */
  private static final int BEYOND = 5;

  /** Largest mean number of rows read in an iteration because a draw lies outside. */
  private static final double OUTSIDE = 0.01;

  /**
   * Reads the section.
   *
   * @param anchor the family's anchor of untuned bounds, where none is set
   */
  public static PrecomputeConfig read(Section root, double anchor) {
    Section section =
        root.section(
            "precompute", "tolerance", "max_passes", "anchor", "radius", "covariance", "after");
    return new PrecomputeConfig(
        section.number("tolerance", DEFAULT_TOLERANCE, Interval.OPEN_UNIT),
        section.whole("max_passes", DEFAULT_MAX_PASSES, 1, Integer.MAX_VALUE),
        section.number("anchor", anchor, Interval.NON_NEGATIVE),
        section.number("radius", Interval.POSITIVE),
        section.choice("covariance", Covariance.AUTO),
        section.text("after"));
  }

  /** Returns whether d × d matrices are avoided for a number of coefficients. */
  public boolean isWide(int d) {
    return covariance == Covariance.LOW_RANK || (covariance == Covariance.AUTO && d > MOST_DENSE);
  }

  /**
   * Returns R. By default a normal posterior in d dimensions has the probability {@value
   * #OUTSIDE}/N beyond it. It is at most √d + {@value #BEYOND}, with less than 2·10⁻⁹ beyond. A
   * draw there costs a pass over the N rows, and bounds in a smaller ball are tighter, so that the
   * ball is the smaller the fewer rows there are.
   *
   * @param rows N
   */
  double radius(int d, long rows) {
    if (radius != null) {
      return radius;
    }
    double square = ChiSquaredDistribution.of(d).inverseSurvivalProbability(OUTSIDE / rows);
    return Math.min(Math.sqrt(square), Math.sqrt(d) + BEYOND);
  }
}
