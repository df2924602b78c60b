package org.lampyris.bounds.bound;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Lower bound of rows with one linear predictor that is tight at the mode and holds for θ in a ball
 * about it: ‖θ − θ̂‖ ≤ R in the metric of the Laplace covariance Σ̂, that is, R posterior standard
 * deviations in every direction.
 *
 * <p>There a row's η stays within r_n = R·√(x_nᵀΣ̂x_n) of η̂_n. With δ = η − η̂_n and w = −log
 * L″(η̂_n), the bound is the tangent of log L at η̂_n, bent down: log L(η̂) + log L′(η̂)·δ − κδ²/2.
 * κ is the smallest value that keeps it below log L for |δ| ≤ r_n, which is the largest curvature
 * that a chord requires,
 *
 * <pre>c(δ) = −2 (log L(η̂ + δ) − log L(η̂) − log L′(η̂)·δ)/δ², c(0) = w.</pre>
 *
 * <p>The excess D_n = κ_n − w determines the gap. It has the order of r_n, so both the number of
 * bright rows, about Σ D_n x_nᵀΣ̂x_n/2, and the loss by conditioning vanish like 1/√n for a growing
 * table.
 *
 * <p>{@link #restricted} confines the prior to the ball; what lies beyond is left to a kernel that
 * does without bounds.
 *
 * <p>The anchor of a row is (η̂_n, D_n). Cost O(d) per row, O(d²) for its anchor. Source: ours;
 * Maclaurin and Adams (2014), section 3.1, for its use.
 */
public abstract class LocalBound extends OnePredictorBound {
  /** Share of a unit over which third derivatives hardly change. */
  private static final double NEAR = 0.1;

  private static final int PIECES = 8;

  private final LaplaceApproximation laplace;
  private final double radius;

  /** Takes the Laplace approximation, and the radius of the ball, R, above 0. */
  protected LocalBound(LaplaceApproximation laplace, double radius) {
    super(laplace.dimension());
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.laplace = laplace;
    this.radius = radius;
  }

  /**
   * Returns the number of pieces, at equal shares of a path from the mode to the edge of the ball,
   * for bounding the remainder of a Taylor polynomial of order 2: ½∫(1 − t)²·D³log L dt. With a
   * bound M_i on |D³log L| up to t = i/n, which grows with i, the remainder is at most Σ w_i M_i/6,
   * w_i being the {@linkplain #weight weight} of a piece.
   *
   * @param reach how far it is in a functional, at most, in its {@link
   *     org.lampyris.bounds.model.LengthScale#unit}
   */
  public static int pieces(double reach) {
    return reach < NEAR ? 1 : PIECES;
  }

  /** Returns w_i = (1 − (i − 1)/n)³ − (1 − i/n)³; they add up to 1. */
  public static double weight(int i, int n) {
    double before = (n - i + 1.0) / n;
    double after = (double) (n - i) / n;
    return before * before * before - after * after * after;
  }

  /** Returns D = κ − w, not negative, for the least κ = max c(δ) over |δ| ≤ r, r not negative. */
  protected abstract double excess(double etaHat, double y, double r);

  /**
   * Returns min c(δ) − w over |δ| ≤ r, not positive, with which the tangent stays above log L; NaN,
   * for every row, if unknown.
   */
  protected abstract double upperExcess(double etaHat, double y, double r);

  @Override
  public final int anchorWidth() {
    return 2;
  }

  @Override
  public final Optional<Region> region() {
    return Optional.of(laplace.ball(radius));
  }

  @Override
  public final boolean hasUsualGap() {
    return true;
  }

  /** {@inheritDoc} Here w_n·D_n·x_nᵀΣ̂x_n/2. */
  @Override
  public final double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    return 0.5 * block.weight(row) * anchors.get(row, 1) * spread[0];
  }

  @Override
  public final Anchors anchorsAt(DataBlock block, double[] reference) {
    return withExcess(block, reference, this::excess).get(0);
  }

  @Override
  public final Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return known(block, withExcess(block, reference, this::upperExcess).get(0));
  }

  @Override
  public final BothAnchors bothAnchorsAt(DataBlock block, double[] reference) {
    List<Anchors> both = withExcess(block, reference, this::excess, this::upperExcess);
    return new BothAnchors(both.get(0), known(block, both.get(1)));
  }

  private static Optional<Anchors> known(DataBlock block, Anchors above) {
    boolean known = block.rows() > 0 && !Double.isNaN(above.get(0, 1));
    return known ? Optional.of(above) : Optional.empty();
  }

  /** Gives the excess of a row. */
  @FunctionalInterface
  private interface Excess {
    double of(double etaHat, double y, double r);
  }

  private List<Anchors> withExcess(DataBlock block, double[] reference, Excess... excesses) {
    double[][] values = new double[excesses.length][2 * block.rows()];
    double[] sds = laplace.sds(block);
    block.pass(
        new double[][] {reference},
        new int[1],
        (from, to, products) -> {
          for (int row = from; row < to; row++) {
            double eta = products[0][row - from] + block.offset(row);
            for (int k = 0; k < excesses.length; k++) {
              values[k][2 * row] = eta;
              values[k][2 * row + 1] = excesses[k].of(eta, block.response(row), radius * sds[row]);
            }
          }
        },
        null);
    return Arrays.stream(values).map(of -> Anchors.perRow(of, 2)).toList();
  }
}
