package org.lampyris.bounds.family.gamma;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Quadratic lower bound on the gamma likelihood with its shape α = e^τ sampled, tight at the mode,
 * in a ball about it: the Taylor polynomial of order 2, less a quadratic that is larger than what
 * it leaves over.
 *
 * <p>With u = η − η̂, v = τ − τ̂, t = log y − η̂, g = eᵗ − 1 − t, L₂(x) = eˣ − 1 − x, L₃(x) = L₂(x)
 * − x²/2 and a(τ) = τ/2 − S(e^τ), S being the error of Stirling's formula, log L = −e^τ g(log y −
 * η) + a(τ) + constant, and what is left over is, exactly,
 *
 * <pre>ρ = −α̂ (g·L₃(v) − (eᵗ − 1)·u·L₂(v) + eᵗ(L₃(−u) + (eᵛ − 1)·L₂(−u))) + a₃(v).</pre>
 *
 * <p>In the ball |u| ≤ r = R·√(xᵀΣ̂x) and |v| ≤ s = R·sd(τ). L₂(x)/x² and L₃(x)/x² grow with x, and
 * |a‴| ≤ A, so that −ρ ≤ (D u² + C v²)/2 with
 *
 * <pre>D/2 = α̂eᵗ (L₃(r)/r² + (eˢ − 1)·L₂(r)/r²),
 * C/2 = α̂g·L₃(s)/s² + α̂|eᵗ − 1|·r·L₂(s)/s² + A s/6.</pre>
 *
 * <p>By Binet's formula S(α) = ∫ k(x)e^−αx dx with 0 ≤ k ≤ 1/12, so that A is the smaller one of
 * {@value #INVERSE}/α at the least α and {@value #LARGEST}. D and C are of the order of r and s:
 * what is bright and what is lost vanish like 1/√n, as in {@link
 * org.lampyris.bounds.lowerbound.LocalBound}.
 *
 * <p>The absolute error of a gap is 10⁻¹⁴, that of S; beyond it the gap is accurate to some units
 * in the last place of its terms. The anchor of a row is (η̂, τ̂, D, C). Cost O(d) per row, O(d²)
 * for its anchor and to collapse. Source: ours.
 */
public final class LocalGammaShapeBound implements LowerBound {
  /** ∫ |z − 3z² + z³| e⁻ᶻ dz / 12 = 0.18194, rounded up. */
  private static final double INVERSE = 0.182;

  /** The largest |a‴|, 0.04696 at α = 0.88, rounded up. */
  private static final double LARGEST = 0.047;

  private final int columns;
  private final LaplaceApproximation laplace;
  private final double radius;
  private final Constant atMode;

  /** Returns the bound in the ball of radius R, above 0; the last element of θ is τ. */
  public LocalGammaShapeBound(LaplaceApproximation laplace, double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.columns = laplace.dimension() - 1;
    this.laplace = laplace;
    this.radius = radius;
    this.atMode = Constant.at(laplace.mode()[columns]);
  }

  @Override
  public int dimension() {
    return columns + 1;
  }

  @Override
  public int functionals() {
    return 2;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return k == 0 ? block.dot(row, u, from) : u[from + columns];
  }

  @Override
  public int anchorWidth() {
    return 4;
  }

  @Override
  public Optional<Region> region() {
    return Optional.of(laplace.ball(radius));
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    double[] values = new double[4 * block.rows()];
    double[] sds = laplace.sds(block);
    double tau = reference[columns];
    double shape = Math.exp(tau);
    double s = radius * laplace.sd(columns);
    double third = Math.min(INVERSE / (shape * Math.exp(-s)), LARGEST);
    for (int row = 0; row < sds.length; row++) {
      double eta = block.linearPredictor(row, reference);
      double r = radius * sds[row];
      double t = Math.log(block.response(row)) - eta;
      double ofU = cubic(r) + StableMath.expm1(s) * quadratic(r);
      double ofV =
          StableMath.expMinusLinear(t) * cubic(s)
              + Math.abs(StableMath.expm1(t)) * r * quadratic(s);
      values[4 * row] = eta;
      values[4 * row + 1] = tau;
      values[4 * row + 2] = 2 * shape * Math.exp(t) * ofU;
      values[4 * row + 3] = 2 * shape * ofV + third * s / 3;
    }
    return Anchors.perRow(values, 4);
  }

  /** Returns L₂(x)/x². */
  private static double quadratic(double x) {
    return x == 0 ? 0.5 : StableMath.expMinusLinear(x) / x / x;
  }

  /** Returns L₃(x)/x². */
  private static double cubic(double x) {
    return x == 0 ? 0 : StableMath.expMinusQuadratic(x) / x / x;
  }

  @Override
  public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return block.weight(row)
        * gap(
            block.linearPredictor(row, theta),
            theta[columns],
            block.response(row),
            anchors,
            row,
            null);
  }

  @Override
  public double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double eta = functionals[0] + block.offset(row);
    return block.weight(row) * gap(eta, functionals[1], block.response(row), anchors, row, null);
  }

  @Override
  public double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double[] slopes = new double[2];
    double w = block.weight(row);
    double eta = block.linearPredictor(row, theta);
    double gap = gap(eta, theta[columns], block.response(row), anchors, row, slopes);
    Arrays.fill(gradient, 0, columns + 1, 0);
    block.addScaled(row, w * slopes[0], gradient, 0);
    gradient[columns] = w * slopes[1];
    return w * gap;
  }

  /**
   * Returns the gap of a row of weight 1.
   *
   * @param slopes its derivatives in η and τ are written here; null if they are not wanted
   */
  private double gap(
      double eta, double tau, double y, Anchors anchors, int row, double @Nullable [] slopes) {
    double u = eta - anchors.get(row, 0);
    double v = tau - anchors.get(row, 1);
    double shape = Math.exp(anchors.get(row, 1));
    double t = Math.log(y) - anchors.get(row, 0);
    double e = Math.exp(t);
    double g = StableMath.expMinusLinear(t);
    double slope = StableMath.expm1(t);
    Constant constant = constant(anchors.get(row, 1));
    double ofV = StableMath.expMinusLinear(v);
    double ofU = StableMath.expMinusLinear(-u);
    double growth = StableMath.expm1(v);
    if (slopes != null) {
      double inU = -slope * ofV + e * (growth * u - (1 + growth) * ofU);
      double inV = g * ofV - slope * u * growth + e * (1 + growth) * ofU;
      slopes[0] = anchors.get(row, 2) * u - shape * inU;
      slopes[1] = anchors.get(row, 3) * v - shape * inV + constant.remainderSlope(tau);
    }
    double bent = 0.5 * (anchors.get(row, 2) * u * u + anchors.get(row, 3) * v * v);
    double cubic =
        g * StableMath.expMinusQuadratic(v)
            - slope * u * ofV
            + e * (StableMath.expMinusQuadratic(-u) + growth * ofU);
    double gap = bent - shape * cubic + constant.remainder(tau);
    return v == 0 && u == 0 ? 0 : Rounding.notNegative(gap, Math.max(1, bent));
  }

  /** S and its derivatives by τ at τ̂, which are dear for small shapes. */
  private record Constant(double tauHat, double value, double slope, double curvature)
      implements Serializable {
    static Constant at(double tauHat) {
      double shape = Math.exp(tauHat);
      double slope = LogGamma.stirlingErrorSlope(shape);
      return new Constant(
          tauHat,
          LogGamma.stirlingError(shape),
          slope,
          slope + LogGamma.stirlingErrorCurvature(shape));
    }

    /** Returns a₃(v) = a(τ) − a(τ̂) − a′(τ̂)v − a″(τ̂)v²/2. */
    double remainder(double tau) {
      double v = tau - tauHat;
      double change = v * (slope + 0.5 * curvature * v);
      return value - LogGamma.stirlingError(Math.exp(tau)) + change;
    }

    /** Returns a₃′(v). */
    double remainderSlope(double tau) {
      return slope - LogGamma.stirlingErrorSlope(Math.exp(tau)) + curvature * (tau - tauHat);
    }
  }

  private Constant constant(double tauHat) {
    return tauHat == atMode.tauHat ? atMode : Constant.at(tauHat);
  }

  /** Adds Σ_n w_n·log B_n, expanded about the sum's origin. */
  @Override
  public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    int rows = block.rows();
    int last = columns * (columns + 1) / 2;
    int b = last + columns + 1;
    double[] scale = new double[rows];
    double[] at = new double[5];
    GammaShapeLikelihood likelihood = new GammaShapeLikelihood();
    double tauHat = Double.NaN;
    DispersedLikelihood.At given = likelihood.at(0);
    for (int row = 0; row < rows; row++) {
      if (anchors.get(row, 1) != tauHat) {
        tauHat = anchors.get(row, 1);
        given = likelihood.at(tauHat);
      }
      double w = block.weight(row);
      double etaHat = anchors.get(row, 0);
      double value = given.derivatives(etaHat, block.response(row), at);
      double uu = at[2] - anchors.get(row, 2);
      double uv = at[3];
      double vv = at[4] - anchors.get(row, 3);
      double u = block.linearPredictor(row, origin) - etaHat;
      double v = origin[columns] - tauHat;
      scale[row] = 0.5 * w * uu;
      block.addScaled(row, 0.5 * w * uv, packed, last);
      packed[last + columns] += 0.5 * w * vv;
      block.addScaled(row, w * (at[0] + uu * u + uv * v), packed, b);
      packed[b + columns] += w * (at[1] + vv * v + uv * u);
      packed[packed.length - 1] +=
          w * (value + at[0] * u + at[1] * v + 0.5 * (uu * u * u + vv * v * v) + uv * u * v);
    }
    double[] lower = new double[columns * columns];
    block.addOuters(scale, lower);
    sum.addMatrix(1, lower, columns);
  }
}
