package org.lampyris.bounds.bound;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.RowFunctionals;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ConfinedPrior;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.rows.DataBlock;

/**
 * A lower bound B_n(θ) ≤ L_n(θ) whose logarithm is quadratic in θ, so that Σ_n log B_n collapses to
 * one {@link CollapsedQuadratic}.
 *
 * <p>Firefly needs only the gap of a row, gap_n(θ) = log L_n(θ) − log B_n(θ) ≥ 0: the row is bright
 * with probability 1 − exp(−gap_n), and a bright row contributes log L̃_n = log(exp(gap_n) − 1). A
 * row's weight multiplies its gap.
 *
 * <p>Throughout, {@code row} is a row of {@code block}, {@code anchors} are that block's, and
 * neither θ nor a reference θ̂, where bounds are tight, is modified.
 *
 * <p>Source: Maclaurin and Adams (2014), sections 2 and 3.1.
 */
public interface LowerBound extends RowFunctionals {
  /** The share of a region's radius from which on rounding decides whether θ is in it. */
  double EDGE = 1 - 1e-9;

  /** Returns how many values the anchor of a row has. */
  int anchorWidth();

  /**
   * Returns the anchors that make the bound of every row tight at a reference, B_n(θ̂) = L_n(θ̂).
   */
  Anchors anchorsAt(DataBlock block, double[] reference);

  /**
   * Returns anchors that are the same for every row and need no reference (untuned bounds); empty
   * if the bound has a {@linkplain #region region} about the mode. Every element of the anchor is
   * the same.
   */
  default Optional<Anchors> untuned(double anchor) {
    if (region().isPresent()) {
      return Optional.empty();
    }
    double[] values = new double[anchorWidth()];
    Arrays.fill(values, anchor);
    return Optional.of(Anchors.constant(values));
  }

  /**
   * Returns log ∫ B_n(y) dy, natural log, over the label of a row of weight 1 with a given anchor,
   * if it is the same for every row and every θ; empty otherwise.
   */
  default OptionalDouble logIntegral(double anchor) {
    return OptionalDouble.empty();
  }

  /** Returns the region where the bound holds; empty if it holds everywhere. */
  default Optional<Region> region() {
    return Optional.empty();
  }

  /**
   * Returns the prior restricted to the {@linkplain #region region}: the density of the given one
   * there, not renormalised, and zero elsewhere.
   */
  default Prior restricted(Prior prior) {
    return region().<Prior>map(region -> new ConfinedPrior(prior, region)).orElse(prior);
  }

  /**
   * Returns anchors with which {@link #collapse} sums a quadratic that lies above log L_n in the
   * {@linkplain #region region} and touches it at the mode; empty if none is known.
   */
  default Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return Optional.empty();
  }

  /**
   * The anchors of a block.
   *
   * @param lower as {@link #anchorsAt} returns them
   * @param upper as {@link #upperAnchorsAt} does
   */
  record BothAnchors(Anchors lower, Optional<Anchors> upper) {}

  /** Returns the anchors from below and from above, to the same bits, in less time than both. */
  default BothAnchors bothAnchorsAt(DataBlock block, double[] reference) {
    return new BothAnchors(anchorsAt(block, reference), upperAnchorsAt(block, reference));
  }

  /**
   * Returns gap_n(θ), never negative in the region. Values that rounding alone makes negative are
   * 0, see {@link org.lampyris.bounds.numeric.Rounding#notNegative}. Outside the region it may be
   * negative; {@link #checked} distinguishes a fault from a θ outside.
   */
  double gap(DataBlock block, int row, double[] theta, Anchors anchors);

  /**
   * Returns gap_n for given values of the row's {@linkplain #functional functionals} v_kᵀθ. They
   * are not modified.
   */
  default double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    if (functionals.length != dimension()) {
      throw new UnsupportedOperationException(
          getClass() + " does not compute its gap from functionals");
    }
    // The functionals are the elements of θ, unless the bound says otherwise.
    return gap(block, row, functionals, anchors);
  }

  /**
   * Returns approximately E[gap_n] for θ ~ N(θ̂, Σ̂), with θ̂ the row's anchor, if the gap is small
   * there. It is the mean of the quadratic between the bound and the likelihood's Taylor polynomial
   * of order 2; terms of the third order have a mean of 0.
   *
   * @param spread VᵀΣ̂V of the row's functionals, row-major. Not modified.
   */
  default double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    throw new UnsupportedOperationException(getClass() + " has no quadratic for its usual gap");
  }

  /**
   * Variance of each functional, in its unit, up to which the third order is nearly all of a gap.
   */
  double NEAR = 0.01;

  /**
   * Returns whether functionals are so nearly known that {@link #usualGap} holds, if the gap is
   * small.
   *
   * @param functionals their means. Not modified.
   * @param spread their covariances, as there. Not modified.
   */
  default boolean isNear(double[] functionals, double[] spread) {
    boolean isNear = true;
    for (int k = 0; k < functionals.length; k++) {
      isNear &= spread[k * (functionals.length + 1)] < NEAR;
    }
    return isNear;
  }

  /** Returns whether the bound has such a quadratic, and thus {@link #usualGap}. */
  default boolean hasUsualGap() {
    return false;
  }

  /**
   * Returns a gap for use in a chain: 0 outside the region and at its edge, where rounding decides
   * on which side θ is. The prior is 0 there, or as good as it.
   *
   * @param gap what {@link #gap} returned for the row and θ
   * @throws BoundException if it is negative in the region, or not a number
   */
  default double checked(double gap, DataBlock block, int row, double[] theta) {
    if (gap >= 0) {
      return gap;
    }
    Optional<Region> region = region();
    if (region.isPresent() && region.get().distance(theta) > EDGE * region.get().radius()) {
      return 0;
    }
    throw new BoundException(
        block,
        row,
        theta,
        "the lower bound is above the likelihood, log L - log B = " + gap,
        "the gap, the anchors or the region of its LowerBound");
  }

  /**
   * Returns gap_n(θ), and writes its gradient.
   *
   * @param gradient length {@link #dimension()}; ∇gap_n(θ) is written here. Modified.
   */
  double gapGradient(DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient);

  /**
   * Writes log L̃_n(θ) = log(exp(g_n(θ)) − 1) of some rows, natural log, with g_n = gap_n + λ_n for
   * a bound that is looser by λ_n, and adds Σ_n ∇log L̃_n(θ) = Σ_n ∇gap_n / (1 − exp(−g_n)) over
   * them to a gradient, if there is one. A row with g_n = 0 has log L̃ = −∞, and no gradient to
   * add. The values' bits are the same either way. Gaps are {@link #checked}.
   *
   * @param rows the rows n are {@code rows[from … to − 1]}. Not modified.
   * @param slack λ_n of {@code rows[i]} is {@code slack[i − from]}, not negative; null if all are
   *     0. Not modified.
   * @param out the value for {@code rows[i]} is written to {@code out[i]}. Modified.
   * @param gradient length {@link #dimension()}, added to; null if it is not wanted. Modified.
   */
  default void logRatios(
      DataBlock block,
      int[] rows,
      int from,
      int to,
      double[] theta,
      Anchors anchors,
      double @Nullable [] slack,
      double[] out,
      double @Nullable [] gradient) {
    double[] ofGap = new double[dimension()];
    for (int i = from; i < to; i++) {
      double gap =
          checked(
              gradient == null
                  ? gap(block, rows[i], theta, anchors)
                  : gapGradient(block, rows[i], theta, anchors, ofGap),
              block,
              rows[i],
              theta);
      double loose = slack == null ? gap : gap + slack[i - from];
      out[i] = StableMath.logExpm1(loose);
      if (gradient != null && loose > 0) {
        double slope = StableMath.logExpm1Derivative(loose);
        for (int j = 0; j < ofGap.length; j++) {
          gradient[j] += slope * ofGap[j];
        }
      }
    }
  }

  /**
   * Returns a sum that {@link #collapse} made as a function of θ. The default is the sum, as log B
   * is quadratic in θ. A bound that is quadratic in another coordinate of an element says so here.
   */
  default CollapsedQuadratic inItsCoordinates(CollapsedQuadratic sum) {
    return sum;
  }

  /** Adds Σ_n log B_n over the block's rows to {@code sum}, which is modified. */
  void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum);
}
