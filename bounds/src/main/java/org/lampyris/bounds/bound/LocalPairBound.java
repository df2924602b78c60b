package org.lampyris.bounds.bound;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on a likelihood of two functionals of a row, a linear predictor η and a
 * second one τ, tight at the mode, in a ball about it: the Taylor polynomial of order 2, minus a
 * quadratic that exceeds the remainder.
 *
 * <p>With u = η − η̂ and v = τ − τ̂, in the ball |u| ≤ r = R·sd(η) and |v| ≤ s = R·sd(τ). Let M₃₀,
 * M₂₁, M₁₂ and M₀₃ bound the {@linkplain DispersedLikelihood#thirdDerivatives third derivatives}
 * there. The remainder is a mean of third derivatives along (u, v), divided by 6, so that
 *
 * <pre>−ρ ≤ (M₃₀|u|³ + 3M₂₁u²|v| + 3M₁₂|u|v² + M₀₃|v|³)/6 ≤ (D u² + C v²)/2,
 * D = M₃₀r/3 + M₂₁s, C = M₁₂r + M₀₃s/3.</pre>
 *
 * <p>The M are means over {@linkplain LocalBound#pieces pieces} of the box. D and C have the order
 * of r and s: bright rows and the loss by conditioning vanish like 1/√n, as in {@link LocalBound}.
 * A gap is taken as a difference, with an error of some units in the last place of log L.
 *
 * <p>The anchor of a row is (η̂, τ̂, D, C). Source: ours.
 */
abstract class LocalPairBound implements LowerBound {
  /** Cached values of τ: more than the rules for candidates' rates need. */
  private static final int REMEMBERED = 64;

  private final DispersedLikelihood likelihood;
  final LaplaceApproximation laplace;
  final double radius;

  /** A race of two threads writes the same, and records are seen whole. */
  private transient @Nullable Given @Nullable [] known;

  private record Given(double tau, DispersedLikelihood.At at) {}

  LocalPairBound(DispersedLikelihood likelihood, LaplaceApproximation laplace, double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.likelihood = likelihood;
    this.laplace = laplace;
    this.radius = radius;
  }

  /** Returns η of a row, with its offset. */
  abstract double eta(DataBlock block, int row, double[] theta);

  /** Returns τ of a row. */
  abstract double tau(DataBlock block, int row, double[] theta);

  /** Returns the posterior standard deviations of η and of τ of every row. */
  abstract double[][] sds(DataBlock block);

  /** Adds a row's derivatives in θ, given those in η and τ. */
  abstract void addSlopes(DataBlock block, int row, double ofEta, double ofTau, double[] gradient);

  /**
   * Adds quadratics of all rows.
   *
   * @param second of each row the factors of δη², of 2δηδτ and of δτ²
   * @param first of each row the factors of δη and of δτ
   */
  abstract void add(DataBlock block, double[][] second, double[][] first, CollapsedQuadratic sum);

  @Override
  public final int dimension() {
    return laplace.dimension();
  }

  @Override
  public final int functionals() {
    return 2;
  }

  @Override
  public final int anchorWidth() {
    return 4;
  }

  @Override
  public final Optional<Region> region() {
    return Optional.of(laplace.ball(radius));
  }

  @Override
  public final Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchors(block, reference, 1);
  }

  /** {@inheritDoc} With −D and −C, because the remainder is bounded on both sides. */
  @Override
  public final Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return Optional.of(anchors(block, reference, -1));
  }

  private Anchors anchors(DataBlock block, double[] reference, int sign) {
    double[] values = new double[4 * block.rows()];
    double[][] sds = sds(block);
    for (int row = 0; row < block.rows(); row++) {
      double eta = eta(block, row, reference);
      double tau = tau(block, row, reference);
      double r = radius * sds[0][row];
      double s = radius * sds[1][row];
      double[] third = third(eta, r, tau, s, block.response(row));
      values[4 * row] = eta;
      values[4 * row + 1] = tau;
      values[4 * row + 2] = sign * (third[0] * r / 3 + third[1] * s);
      values[4 * row + 3] = sign * (third[2] * r + third[3] * s / 3);
    }
    return Anchors.perRow(values, 4);
  }

  /** Returns M₃₀ … M₀₃. */
  private double[] third(double eta, double r, double tau, double s, double y) {
    int n = LocalBound.pieces(Math.max(r, s));
    double[] third = new double[4];
    double[] of = new double[4];
    for (int i = 1; i <= n; i++) {
      likelihood.thirdDerivatives(eta, r * i / n, tau, s * i / n, y, of);
      for (int k = 0; k < of.length; k++) {
        third[k] += LocalBound.weight(i, n) * of[k];
      }
    }
    return third;
  }

  @Override
  public final double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    double eta = eta(block, row, theta);
    double tau = tau(block, row, theta);
    return block.weight(row) * gap(eta, tau, block.response(row), anchors, row, null);
  }

  @Override
  public final double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double eta = functionals[1] + block.offset(row);
    return block.weight(row) * gap(eta, functionals[0], block.response(row), anchors, row, null);
  }

  @Override
  public final boolean hasUsualGap() {
    return true;
  }

  @Override
  public final double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    double bent = anchors.get(row, 2) * spread[3] + anchors.get(row, 3) * spread[0];
    return 0.5 * block.weight(row) * bent;
  }

  @Override
  public final double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double[] slopes = new double[5];
    double w = block.weight(row);
    double eta = eta(block, row, theta);
    double tau = tau(block, row, theta);
    double gap = gap(eta, tau, block.response(row), anchors, row, slopes);
    Arrays.fill(gradient, 0, dimension(), 0);
    addSlopes(block, row, w * slopes[0], w * slopes[1], gradient);
    return w * gap;
  }

  /**
   * Returns the gap of a row of weight 1.
   *
   * @param slopes of length 5, whose first elements become the derivatives in η and τ; null if they
   *     are not wanted
   */
  private double gap(
      double eta, double tau, double y, Anchors anchors, int row, double @Nullable [] slopes) {
    double etaHat = anchors.get(row, 0);
    double tauHat = anchors.get(row, 1);
    double u = eta - etaHat;
    double v = tau - tauHat;
    double[] about = new double[5];
    double atMode = at(tauHat).derivatives(etaHat, y, about);
    double bentInU = anchors.get(row, 2) * u;
    double bentInV = anchors.get(row, 3) * v;
    double inU = about[2] * u + about[3] * v;
    double inV = about[3] * u + about[4] * v;
    double value;
    if (slopes == null) {
      value = at(tau).logLikelihood(eta, y);
    } else {
      value = at(tau).derivatives(eta, y, slopes);
      slopes[0] = slopes[0] - about[0] - inU + bentInU;
      slopes[1] = slopes[1] - about[1] - inV + bentInV;
    }
    double linear = about[0] * u + about[1] * v;
    double quadratic = 0.5 * (u * (inU - bentInU) + v * (inV - bentInV));
    double gap = value - atMode - linear - quadratic;
    if (u == 0 && v == 0) {
      return 0;
    }
    return gap < 0 ? Rounding.notNegative(gap, largest(eta, tau, y, anchors, row, about)) : gap;
  }

  /** Returns the size of the largest term in a gap, to which its rounding is relative. */
  private double largest(
      double eta, double tau, double y, Anchors anchors, int row, double[] about) {
    double etaHat = anchors.get(row, 0);
    double tauHat = anchors.get(row, 1);
    double u = eta - etaHat;
    double v = tau - tauHat;
    return DoubleStream.of(
            1,
            at(tau).largestTerm(eta, y),
            at(tauHat).largestTerm(etaHat, y),
            about[0] * u,
            about[1] * v,
            about[2] * u * u,
            about[3] * u * v,
            about[4] * v * v,
            anchors.get(row, 2) * u * u,
            anchors.get(row, 3) * v * v)
        .map(Math::abs)
        .max()
        .orElseThrow();
  }

  private DispersedLikelihood.At at(double tau) {
    Given[] of = known;
    if (of == null) {
      of = new Given[REMEMBERED];
      known = of;
    }
    int place = Math.floorMod((31 * Double.hashCode(tau)) >> 5, REMEMBERED);
    Given given = of[place];
    if (given == null || given.tau != tau) {
      given = new Given(tau, likelihood.at(tau));
      of[place] = given;
    }
    return given.at;
  }

  /** Adds Σ_n w_n·log B_n, expanded about the sum's origin. */
  @Override
  public final void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    double[][] second = new double[3][block.rows()];
    double[][] first = new double[2][block.rows()];
    double[] at = new double[5];
    for (int row = 0; row < block.rows(); row++) {
      double w = block.weight(row);
      double etaHat = anchors.get(row, 0);
      double tauHat = anchors.get(row, 1);
      double value = at(tauHat).derivatives(etaHat, block.response(row), at);
      double uu = at[2] - anchors.get(row, 2);
      double uv = at[3];
      double vv = at[4] - anchors.get(row, 3);
      double u = eta(block, row, origin) - etaHat;
      double v = tau(block, row, origin) - tauHat;
      second[0][row] = 0.5 * w * uu;
      second[1][row] = 0.5 * w * uv;
      second[2][row] = 0.5 * w * vv;
      first[0][row] = w * (at[0] + uu * u + uv * v);
      first[1][row] = w * (at[1] + vv * v + uv * u);
      packed[packed.length - 1] +=
          w * (value + at[0] * u + at[1] * v + 0.5 * (uu * u * u + vv * v * v) + uv * u * v);
    }
    add(block, second, first, sum);
  }
}
