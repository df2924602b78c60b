package org.lampyris.bounds.family;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfc;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on the likelihood of {@link AsymmetricLaplaceFamily} in a ball of R
 * posterior sds about a point (η̂, τ̂), τ = log σ, which may be given.
 *
 * <p>There a residual r = y − η is within ρ = R·sd(η) of r̂, s = sign r̂. If |r̂| ≥ ρ it keeps its
 * sign, and |r| = sr. Otherwise L = ρ − |r̂| of the ball is beyond the kink, and for some α > 0
 *
 * <pre>|r| ≤ q(r) = sr + a(sr − α)², a = 2L/(L + α)² for α ≥ L, and 1/(2α) for α < L.</pre>
 *
 * <p>The second, r²/(2α) + α/2, touches |r| at ±α and holds everywhere; the first touches it at α
 * and at the far end of the ball. Of both, α is the one with the least E[q(r)], r ~ N(r̂, sd²):
 * |r̂| + ρ/R², √(r̂² + sd²), or L if neither is on its side. So bright rows come from those within
 * the ball of the kink, √n of n rows, with gaps of the order of 1/√n: their number hardly depends
 * on n.
 *
 * <p>With Q(η) = ½(q(r) + (2q − 1)r) and w = τ − τ̂, log B is the Taylor polynomial of order 2 of
 * −τ − e^−τ Q less D_η u²/2 + D_τ w²/2, in which for |w| ≤ ω, the ball's extent,
 *
 * <pre>D_η = e^−τ̂ a(e^ω − 1), D_τ = e^−τ̂ (Q(ψ − 1) + |Q′|ρψ), ψ = 2(e^ω − 1 − ω)/ω².</pre>
 *
 * <p>It touches log L at the point if the row is not within the ball of the kink. The anchor of a
 * row is (η̂, τ̂, a, sα, D_η, D_τ). Source: ours; the second quadratic is of Hunter and Lange
 * (2000), section 2.
 */
final class AsymmetricLaplaceBound implements LowerBound {
  private static final int WIDTH = 6;

  private final double quantile;
  private final double logScale;
  private final LaplaceApproximation laplace;
  private final double radius;
  private final boolean sampled;
  private final int columns;

  /** Takes log σ, NaN if it is the last element of θ. */
  AsymmetricLaplaceBound(
      double quantile, double logScale, LaplaceApproximation laplace, double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.quantile = quantile;
    this.logScale = logScale;
    this.laplace = laplace;
    this.radius = radius;
    this.sampled = Double.isNaN(logScale);
    this.columns = laplace.dimension() - (sampled ? 1 : 0);
  }

  @Override
  public int dimension() {
    return laplace.dimension();
  }

  @Override
  public int functionals() {
    return sampled ? 2 : 1;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return sampled && k == 0 ? u[from + columns] : block.dot(row, u, from);
  }

  @Override
  public int anchorWidth() {
    return WIDTH;
  }

  @Override
  public Optional<Region> region() {
    return Optional.of(laplace.ball(radius));
  }

  private double tau(double[] theta) {
    return sampled ? theta[columns] : logScale;
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    double[] values = new double[WIDTH * block.rows()];
    double[] sds = laplace.sds(block);
    double tau = tau(reference);
    double inverse = Math.exp(-tau);
    double omega = sampled ? radius * laplace.sd(columns) : 0;
    double psi = omega == 0 ? 1 : 2 * StableMath.expMinusLinear(omega) / omega / omega;
    for (int row = 0; row < block.rows(); row++) {
      double eta = block.linearPredictor(row, reference);
      double r = block.response(row) - eta;
      double reach = radius * sds[row];
      double size = Math.abs(r);
      double beyond = reach - size;
      double near = size + reach / radius / radius;
      double both = Math.hypot(size, sds[row]);
      double alpha = beyond <= 0 ? size : near >= beyond ? near : Math.min(both, beyond);
      double a =
          beyond <= 0 ? 0 : alpha < beyond ? 0.5 / alpha : 2 * beyond / Math.pow(beyond + alpha, 2);
      int at = WIDTH * row;
      values[at] = eta;
      values[at + 1] = tau;
      values[at + 2] = a;
      values[at + 3] = Math.copySign(alpha, r);
      Surrogate of = new Surrogate(r, a, values[at + 3], quantile);
      values[at + 4] = inverse * a * Math.expm1(omega);
      values[at + 5] =
          inverse * (of.value() * (psi - 1) + Math.abs(of.slope()) * reach * psi) * (1 + 1e-12);
    }
    return Anchors.perRow(values, WIDTH);
  }

  /** Q of a row and its slope in η, at a residual. */
  private record Surrogate(double r, double a, double signedAlpha, double quantile) {
    private double sign() {
      return Math.copySign(1, signedAlpha);
    }

    private double off() {
      return sign() * r - Math.abs(signedAlpha);
    }

    double value() {
      return 0.5 * (sign() * r + a * off() * off() + (2 * quantile - 1) * r);
    }

    double slope() {
      return -0.5 * (sign() + 2 * a * sign() * off() + 2 * quantile - 1);
    }

    /** Returns ½(q(r) − |r|), and its slope in η in the first element. */
    double excess(double @Nullable [] slope) {
      boolean isBeyond = sign() * r < 0;
      if (slope != null) {
        slope[0] = -sign() * (a * off() + (isBeyond ? 1 : 0));
      }
      return 0.5 * a * off() * off() + (isBeyond ? sign() * r : 0);
    }
  }

  private Surrogate at(double eta, double y, Anchors anchors, int row) {
    return new Surrogate(y - eta, anchors.get(row, 2), anchors.get(row, 3), quantile);
  }

  /**
   * Returns the gap of a row of weight 1.
   *
   * @param slopes whose elements become the derivatives in η and τ; null if not wanted
   */
  private double gap(
      double eta, double tau, double y, Anchors anchors, int row, double @Nullable [] slopes) {
    double u = eta - anchors.get(row, 0);
    double w = tau - anchors.get(row, 1);
    double a = anchors.get(row, 2);
    double ofEta = anchors.get(row, 4);
    double ofTau = anchors.get(row, 5);
    Surrogate center = at(anchors.get(row, 0), y, anchors, row);
    double inverse = Math.exp(-anchors.get(row, 1));
    double above = Math.exp(-tau) * at(eta, y, anchors, row).excess(slopes);
    double first = StableMath.expm1(-w);
    double second = StableMath.expMinusLinear(-w);
    double third = second - 0.5 * w * w;
    double rest = center.value() * third + u * (center.slope() * second + 0.5 * a * u * first);
    if (slopes != null) {
      double ofSecond = center.slope() * second + a * u * first;
      slopes[0] = Math.exp(-tau) * slopes[0] - inverse * ofSecond + ofEta * u;
      double inTau = center.slope() * first + 0.5 * a * u * (first + 1);
      slopes[1] = -above + inverse * (center.value() * second + u * inTau) + ofTau * w;
    }
    double gap = above - inverse * rest + 0.5 * (ofEta * u * u + ofTau * w * w);
    double size = inverse * (Math.abs(y) + Math.abs(eta)) * (1 + a * Math.abs(anchors.get(row, 3)));
    return Rounding.notNegative(gap, Math.max(1, size));
  }

  @Override
  public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row) * gap(eta, tau(theta), block.response(row), anchors, row, null);
  }

  @Override
  public double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double eta = functionals[functionals.length - 1] + block.offset(row);
    double tau = sampled ? functionals[0] : logScale;
    return block.weight(row) * gap(eta, tau, block.response(row), anchors, row, null);
  }

  @Override
  public double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double[] slopes = new double[2];
    double w = block.weight(row);
    double eta = block.linearPredictor(row, theta);
    double gap = gap(eta, tau(theta), block.response(row), anchors, row, slopes);
    Arrays.fill(gradient, 0, dimension(), 0);
    block.addScaled(row, w * slopes[0], gradient, 0);
    if (sampled) {
      gradient[columns] = w * slopes[1];
    }
    return w * gap;
  }

  @Override
  public boolean hasUsualGap() {
    return true;
  }

  @Override
  public boolean isNear(double[] functionals, double[] spread) {
    double unit = Math.exp(sampled ? functionals[0] : logScale);
    return spread[spread.length - 1] < NEAR * unit * unit && (!sampled || spread[0] < NEAR);
  }

  /** {@inheritDoc} Here E[(q(r) − |r|)/2σ̂] + ½(D_η Var η + D_τ Var τ). */
  @Override
  public double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    double variance = spread[spread.length - 1];
    double sd = Math.sqrt(Math.max(0, variance));
    Surrogate of = at(anchors.get(row, 0), block.response(row), anchors, row);
    double m = of.sign() * of.r;
    double z = sd == 0 ? Double.POSITIVE_INFINITY : m / sd;
    double tail = z > 30 ? 0 : 0.5 * Erfc.value(z / Math.sqrt(2));
    double density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    double beyond = z > 30 ? 0 : Math.max(0, sd * density - m * tail);
    double above = 0.5 * of.a * (of.off() * of.off() + variance) - beyond;
    double bent = anchors.get(row, 4) * variance + (sampled ? anchors.get(row, 5) * spread[0] : 0);
    double inverse = Math.exp(-anchors.get(row, 1));
    return block.weight(row) * (inverse * Math.max(0, above) + 0.5 * bent);
  }

  @Override
  public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] packed = sum.packed();
    double[] origin = sum.origin();
    int d = dimension();
    int linear = d * (d + 1) / 2;
    double[] bent = new double[block.rows()];
    double constant = Math.log(quantile * (1 - quantile));
    for (int row = 0; row < block.rows(); row++) {
      double weight = block.weight(row);
      double tau = anchors.get(row, 1);
      Surrogate of = at(anchors.get(row, 0), block.response(row), anchors, row);
      double inverse = Math.exp(-tau);
      double u = block.linearPredictor(row, origin) - anchors.get(row, 0);
      double w = tau(origin) - tau;
      double slopeEta = -inverse * of.slope();
      double slopeTau = inverse * of.value() - 1;
      double etaEta = -inverse * of.a - anchors.get(row, 4);
      double etaTau = inverse * of.slope();
      double tauTau = -inverse * of.value() - anchors.get(row, 5);
      double inEta = etaEta * u + etaTau * w;
      double inTau = etaTau * u + tauTau * w;
      double value = constant - tau - inverse * of.value();
      value += u * (slopeEta + 0.5 * inEta) + w * (slopeTau + 0.5 * inTau);
      packed[packed.length - 1] += weight * value;
      bent[row] = 0.5 * weight * etaEta;
      block.addScaled(row, weight * (slopeEta + inEta), packed, linear);
      if (sampled) {
        int start = columns * (columns + 1) / 2;
        packed[linear + columns] += weight * (slopeTau + inTau);
        block.addScaled(row, 0.5 * weight * etaTau, packed, start);
        packed[start + columns] += 0.5 * weight * tauTau;
      }
    }
    double[] lower = new double[columns * columns];
    block.addOuters(bent, lower);
    sum.addMatrix(1, lower, columns);
  }
}
