package org.lampyris.bounds.family;

import java.util.Arrays;
import java.util.Optional;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Linear regression with the standard deviation of the noise sampled on the log scale: θ = (β, τ),
 * τ = log σ, and with r = y − η, η = x_nᵀβ + o_n,
 *
 * <pre>ℓ_n(θ) = w_n · (−½ r² e^−2τ − τ − ½ log 2π), natural log.</pre>
 *
 * <p>With z = r/σ: ∂ℓ/∂η = z/σ, ∂ℓ/∂τ = z² − 1, ∂²ℓ/∂η² = −1/σ², ∂²ℓ/∂η∂τ = −2z/σ, ∂²ℓ/∂τ² = −2z².
 * Not concave. With an intercept as the only column it is N(μ, σ²) in (μ, log σ), the running
 * example of Bardenet, Doucet and Holmes (2017), section 2.3.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian.
 */
public final class GaussianScaleModel extends DispersedModel {
  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  /** Takes D, how many features a row has; θ has one element more. */
  public GaussianScaleModel(int columns) {
    super(new ScaleLikelihood(), columns);
  }

  /**
   * log L(η, τ; y) = −½ r² e^−2τ − τ − ½ log 2π with r = y − η. Its third derivatives are 0,
   * 2e^−2τ, 4re^−2τ and 4r²e^−2τ, largest where τ is least and |r| largest.
   */
  public static final class ScaleLikelihood implements DispersedLikelihood {
    @Override
    public double unit(double eta, double[] tau) {
      return Math.exp(tau[0]);
    }

    @Override
    public At at(double tau) {
      return new Given(tau, Math.exp(-tau));
    }

    @Override
    public void thirdDerivatives(
        double eta, double r, double tau, double s, double y, double[] out) {
      double e = Math.exp(2 * (s - tau));
      double most = Math.abs(y - eta) + r;
      out[0] = 0;
      out[1] = 2 * e;
      out[2] = 4 * most * e;
      out[3] = 4 * most * most * e;
    }
  }

  /** The likelihood at one τ, with s = e^−τ. */
  private record Given(double tau, double s) implements JointLikelihood.At {
    @Override
    public double logLikelihood(double eta, double y) {
      return at((y - eta) * s);
    }

    private double at(double z) {
      return -0.5 * z * z - tau - HALF_LOG_TWO_PI;
    }

    /** {@inheritDoc} Of y − η, and of e^−τ, the rounding is multiplied by slopes. */
    @Override
    public double largestTerm(double eta, double y) {
      double z = (y - eta) * s;
      double ofEta = Math.abs(z * s) * Math.max(Math.abs(eta), Math.abs(y));
      double ofTau = Math.abs(tau) * (1 + z * z);
      return Math.max(Math.abs(at(z)), Math.max(ofEta, ofTau));
    }

    @Override
    public double derivatives(double eta, double y, double[] out) {
      double z = (y - eta) * s;
      out[0] = z * s;
      out[1] = z * z - 1;
      out[2] = -s * s;
      out[3] = -2 * z * s;
      out[4] = -2 * z * z;
      return at(z);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>For a direction (a, b) in (η/σ⋆, τ), with q = (y − η)/σ⋆ and e = (σ⋆/σ)², the derivatives
   * are −e(a² + 4qab + 2q²b²) for k = 2 and e·b(6a² + 12qab + 4q²b²) for k = 3. On the ball, |a|
   * and |b| are at most their lengths, e is at most e^2r|b| and |q| at most |z| + r|a|.
   */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    double s = Math.exp(-center[columns()]);
    double a = Math.sqrt(spread[0]) * s;
    double b = Math.sqrt(spread[3]);
    double z = (block.response(row) - block.linearPredictor(row, center)) * s;
    double q = Math.abs(z) + radius * a;
    double e = Math.exp(2 * radius * b);
    double bound =
        order == 2
            ? a * a + 4 * q * a * b + 2 * q * q * b * b
            : b * (6 * a * a + 12 * q * a * b + 4 * q * q * b * b);
    return block.weight(row) * e * bound;
  }

  /**
   * Taylor–Lagrange lower bound on the likelihood of the {@link GaussianScaleModel}, tight at (η̂,
   * τ̂): the Taylor polynomial T of order 2, minus a quadratic that exceeds the remainder.
   *
   * <p>With u = (η − η̂)/σ̂, v = τ − τ̂ and z = (y − η̂)/σ̂ the log-likelihood is −½(z − u)²e^−2v −
   * v + constant, and its remainder is, exactly,
   *
   * <pre>log L − T = −½ z² F(−2v) + z u G(−2v) − ½ u² H(−2v),</pre>
   *
   * <p>where H(x) = eˣ − 1, G(x) = eˣ − 1 − x and F(x) = eˣ − 1 − x − x²/2. For |v| ≤ R, |H| ≤
   * e^2R·2|v|, |G| ≤ e^2R·2v² and |F| ≤ e^2R·(4/3)|v|³, so that
   *
   * <pre>|log L − T| ≤ e^2R |v| (u² + 2|z u v| + ⅔ z²v²) ≤ K(3/2·u² + 8/3·z²v²), K = R e^2R,</pre>
   *
   * <p>with 2|zuv| ≤ ½u² + 2z²v². Hence log B = T − K(3/2·u² + 8/3·z²v²) lies below log L <b>on the
   * strip |τ − τ̂| ≤ R</b>, for any coefficients. No quadratic stays below it everywhere, because
   * the log-likelihood falls exponentially as τ → −∞. {@link #restricted} confines the prior to the
   * strip; what lies beyond is left to a kernel that does without bounds. The remainder decreases
   * like R: with R equal to twelve posterior standard deviations of τ, the bound becomes tighter
   * with more rows. If τ's posterior is near normal, the region beyond has a probability below
   * 10⁻³⁰.
   *
   * <p>The anchor of a row is (η̂_n, τ̂). Cost O(D) per row, O(D²) to collapse. Source: Bardenet,
   * Doucet and Holmes (2017), sections 4.3 and 7.2.1, who bound by third derivatives; the remainder
   * used here is exact before it is bounded.
   */
  public static final class Bound implements LowerBound {
    private static final double DEVIATIONS = 12;
    private static final double WIDEST = 1;

    private final GaussianScaleModel model;
    private final int columns;
    private final Strip strip;
    private final double squaredU;
    private final double squaredV;

    /** Returns the bound on the strip about τ̂, {@code center}, of radius R, above 0. */
    public Bound(GaussianScaleModel model, double center, double radius) {
      if (!(radius > 0 && radius <= 10)) {
        throw new IllegalArgumentException("the radius " + radius + " must be in (0, 10]");
      }
      this.model = model;
      this.columns = model.columns();
      this.strip = new Strip(columns, center, radius);
      double k = radius * Math.exp(2 * radius);
      this.squaredU = 1.5 * k;
      this.squaredV = 8 * k / 3;
    }

    /**
     * Returns the bound on the strip of twelve posterior standard deviations of τ, near 1/√(2N)
     * each for N rows, but at most 1.
     */
    public static Bound of(GaussianScaleModel model, LaplaceApproximation laplace) {
      int last = model.columns();
      double radius = Math.min(WIDEST, DEVIATIONS * laplace.sd(last));
      return new Bound(model, laplace.mode()[last], radius);
    }

    /** Returns the strip |τ − τ̂| ≤ R. */
    @Override
    public Optional<Region> region() {
      return Optional.of(strip);
    }

    @Override
    public int dimension() {
      return columns + 1;
    }

    @Override
    public int functionals() {
      return model.functionals();
    }

    @Override
    public double functional(DataBlock block, int row, int k, double[] u, int from) {
      return model.functional(block, row, k, u, from);
    }

    @Override
    public int anchorWidth() {
      return 2;
    }

    @Override
    public Anchors anchorsAt(DataBlock block, double[] reference) {
      double[] values = new double[2 * block.rows()];
      for (int row = 0; row < block.rows(); row++) {
        values[2 * row] = block.linearPredictor(row, reference);
        values[2 * row + 1] = reference[columns];
      }
      return Anchors.perRow(values, 2);
    }

    @Override
    public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
      return gapAt(block, row, new double[] {block.dot(row, theta, 0), theta[columns]}, anchors);
    }

    @Override
    public double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
      double etaHat = anchors.get(row, 0);
      double precision = Math.exp(-anchors.get(row, 1));
      double z = (block.response(row) - etaHat) * precision;
      double u = (functionals[0] + block.offset(row) - etaHat) * precision;
      return block.weight(row) * gap(z, u, functionals[1] - anchors.get(row, 1));
    }

    private double gap(double z, double u, double v) {
      double x = -2 * v;
      double remainder =
          -0.5 * z * z * StableMath.expMinusQuadratic(x)
              + z * u * StableMath.expMinusLinear(x)
              - 0.5 * u * u * StableMath.expm1(x);
      return remainder + squaredU * u * u + squaredV * z * z * v * v;
    }

    @Override
    public boolean hasUsualGap() {
      return true;
    }

    @Override
    public boolean isNear(double[] functionals, double[] spread) {
      double unit = Math.exp(functionals[1]);
      return spread[0] < NEAR * unit * unit && spread[3] < NEAR;
    }

    /** {@inheritDoc} Here K(3/2·E[u²] + 8/3·z²E[v²]): all else is of the third order. */
    @Override
    public double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
      double precision = Math.exp(-anchors.get(row, 1));
      double z = (block.response(row) - anchors.get(row, 0)) * precision;
      return block.weight(row)
          * (squaredU * spread[0] * precision * precision + squaredV * z * z * spread[3]);
    }

    @Override
    public double gapGradient(
        DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
      double etaHat = anchors.get(row, 0);
      double precision = Math.exp(-anchors.get(row, 1));
      double z = (block.response(row) - etaHat) * precision;
      double u = (block.linearPredictor(row, theta) - etaHat) * precision;
      double v = theta[columns] - anchors.get(row, 1);
      double w = block.weight(row);
      Arrays.fill(gradient, 0, columns + 1, 0);
      double x = -2 * v;
      double h = StableMath.expm1(x);
      double g = StableMath.expMinusLinear(x);
      double slopeU = z * g - u * h + 2 * squaredU * u;
      // F′ = G, G′ = H, H′ = eˣ, each times −2
      double slopeV = z * z * g - 2 * z * u * h + u * u * (h + 1) + 2 * squaredV * z * z * v;
      block.addScaled(row, w * slopeU * precision, gradient, 0);
      gradient[columns] = w * slopeV;
      return w * gap(z, u, v);
    }

    /**
     * Adds Σ_n w_n·log B_n, expanded about the sum's origin: log B = ℓ̂ + zu + (z² − 1)v + a u² −
     * 2z uv + c v² with a = −½ − 3/2·K and c = −z²(1 + 8/3·K).
     */
    @Override
    public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
      double[] origin = sum.origin();
      double[] packed = sum.packed();
      int rows = block.rows();
      int last = columns * (columns + 1) / 2;
      int b = last + columns + 1;
      double[] scale = new double[rows];
      for (int row = 0; row < rows; row++) {
        double w = block.weight(row);
        double etaHat = anchors.get(row, 0);
        double tauHat = anchors.get(row, 1);
        double precision = Math.exp(-tauHat);
        double z = (block.response(row) - etaHat) * precision;
        double u = (block.linearPredictor(row, origin) - etaHat) * precision;
        double v = origin[columns] - tauHat;
        double uu = -0.5 - squaredU;
        double vv = -z * z * (1 + squaredV);
        scale[row] = w * uu * precision * precision;
        block.addScaled(row, -w * z * precision, packed, last);
        packed[last + columns] += w * vv;
        block.addScaled(row, w * (z + 2 * uu * u - 2 * z * v) * precision, packed, b);
        packed[b + columns] += w * (z * z - 1 + 2 * vv * v - 2 * z * u);
        double atAnchor = -0.5 * z * z - tauHat - 0.5 * Math.log(2 * Math.PI);
        packed[packed.length - 1] +=
            w * (atAnchor + z * u + (z * z - 1) * v + uu * u * u - 2 * z * u * v + vv * v * v);
      }
      double[] lower = new double[columns * columns];
      block.addOuters(scale, lower);
      sum.addMatrix(1, lower, columns);
    }
  }

  /**
   * Region of θ = (β, τ) with |τ − τ̂| ≤ R and any β, where {@link Bound} holds. Its rays move τ
   * alone, on the side of τ̂ where it is, so that chains cross either edge.
   *
   * @param columns the length of β
   * @param center τ̂
   * @param radius R, above 0
   */
  record Strip(int columns, double center, double radius) implements Region {
    @Override
    public int dimension() {
      return columns + 1;
    }

    @Override
    public double distance(double[] theta) {
      return Math.abs(theta[columns] - center);
    }

    @Override
    public String unit() {
      return "in log sigma from the mode";
    }

    @Override
    public double[] onRay(double[] theta, double factor) {
      double[] to = theta.clone();
      to[columns] = center + factor * (theta[columns] - center);
      return to;
    }

    @Override
    public int rayDimension() {
      return 1;
    }
  }
}
