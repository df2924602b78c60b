package org.lampyris.dataprep.precompute;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.FamilySpec;

/**
 * What to precompute for a prepared table.
 *
 * @param family the likelihood's name and parameters
 * @param priors the prior of each element of θ, in the order of the family's coefficients, as
 *     {@link org.lampyris.bounds.prior.PriorParser} reads it
 * @param untunedAnchor the anchor ξ that the untuned bounds of all rows share; {@link
 *     #DEFAULT_ANCHOR} is the paper's
 * @param radius R of the ball about the mode in which the local bounds hold, in posterior standard
 *     deviations; null for √d + {@value #BEYOND}
 * @param tolerance at which Newton step, in posterior standard deviations, the search for the mode
 *     ends
 * @param maxPasses how many passes over the data the search may take
 * @param output the folder to write
 * @param overwrite whether an existing folder is replaced
 */
public record PrecomputeSpec(
    FamilySpec family,
    List<String> priors,
    double untunedAnchor,
    @Nullable Double radius,
    double tolerance,
    int maxPasses,
    String output,
    boolean overwrite) {

  /** The anchor of untuned bounds in Maclaurin and Adams (2014), section 4.1. */
  public static final double DEFAULT_ANCHOR = 1.5;

  /**
   * A hundredth of a posterior standard deviation: the bounds hold wherever they are tight, and are
   * as good so close to the mode as there.
   */
  public static final double DEFAULT_TOLERANCE = 1e-2;

  /** Far more than a posterior with a mode needs: MNIST 7 against 9 takes 8 from a start at 0. */
  public static final int DEFAULT_MAX_PASSES = 100;

  /**
   * How far beyond √d, about where a normal posterior has its mass, the ball of the local bounds
   * reaches: less than 2·10⁻⁹ lies outside, for any d.
   */
  public static final int BEYOND = 5;

  /** Copies the list and checks the numbers. */
  public PrecomputeSpec {
    priors = List.copyOf(priors);
    if (!Double.isFinite(untunedAnchor) || !(tolerance > 0) || maxPasses < 1) {
      throw new IllegalArgumentException(
          "anchor " + untunedAnchor + ", tolerance " + tolerance + ", passes " + maxPasses);
    }
    if (radius != null && !(radius > 0)) {
      throw new IllegalArgumentException("radius " + radius);
    }
  }

  /** Returns R for a model of d coefficients. */
  double radius(int d) {
    return radius == null ? Math.sqrt(d) + BEYOND : radius;
  }
}
