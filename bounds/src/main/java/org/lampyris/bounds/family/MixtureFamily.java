package org.lampyris.bounds.family;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The two-component mixture: y is ½N(theta1, sigma²) + ½N(theta1 + theta2, sigma²), {@code sigma} a
 * number. Features play no part; an offset is added to both means, as in brms.
 */
public final class MixtureFamily extends NamedFamily {
  private static final String SIGMA = "sigma";

  public MixtureFamily() {
    super("mixture", LabelKind.REAL, SIGMA);
  }

  @Override
  protected boolean takesOffset() {
    return true;
  }

  /** The key is a text, as for the gaussian family, whose sigma may be a prior. */
  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(SIGMA, ModelProvider.positive(model, name(), SIGMA));
  }

  /** Returns y less the offset. */
  private static double response(DataBlock block, int row) {
    return block.response(row) - block.offset(row);
  }

  private static MixtureModel mixture(FamilySpec spec) {
    return new MixtureModel(spec.positive(SIGMA));
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label;
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return mixture(spec);
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new MixtureBound(mixture(spec)));
  }

  @Override
  public boolean usesColumns() {
    return false;
  }

  @Override
  public void requireColumns(boolean intercept, List<String> terms) {
    if (!terms.isEmpty()) {
      throw UserException.usage(
          "model.family: mixture has two means and no coefficients of columns, so %s would change nothing. Write y ~ 1 in model.formula, y the label, or choose another family."
              .formatted(String.join(", ", terms)));
    }
  }

  /**
   * Jensen's lower bound on the likelihood of the {@link MixtureModel}, as in the EM algorithm:
   * with q the probability of the second component at the anchor,
   *
   * <pre>log B(θ) = (1 − q) log(½N(y; θ₁, σ²)/(1 − q)) + q log(½N(y; θ₁ + θ₂, σ²)/q).</pre>
   *
   * <p>The anchor ξ is the log-odds of the second component where the bound is tight. The gap is
   * the Kullback–Leibler divergence of Bernoulli(σ(s)) from Bernoulli(σ(ξ)), with s the log-odds at
   * θ: never negative, exactly 0 at the anchor, and accurate to a few units in the last place of s
   * − ξ. The bound holds everywhere.
   *
   * <p>Cost O(1) per row.
   */
  public record MixtureBound(MixtureModel model) implements LowerBound {
    /** Up to this exponent the accurate form is far from overflow. */
    private static final double LARGE = 600;

    @Override
    public int dimension() {
      return 2;
    }

    @Override
    public int anchorWidth() {
      return 1;
    }

    @Override
    public Anchors anchorsAt(DataBlock block, double[] reference) {
      double[] values = new double[block.rows()];
      for (int row = 0; row < values.length; row++) {
        values[row] = model.logOdds(response(block, row), reference);
      }
      return Anchors.perRow(values, 1);
    }

    @Override
    public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
      return block.weight(row)
          * gap(model.logOdds(response(block, row), theta), anchors.get(row, 0));
    }

    @Override
    public double gapGradient(
        DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
      double y = response(block, row);
      double w = block.weight(row);
      double s = model.logOdds(y, theta);
      double xi = anchors.get(row, 0);
      double slope = w * gapSlope(s, xi) / (model.sigma() * model.sigma());
      gradient[0] = -slope * theta[1];
      gradient[1] = slope * (y - theta[0] - theta[1]);
      return w * gap(s, xi);
    }

    /** Returns log(1 + eˢ) − log(1 + e^ξ) − σ(ξ)(s − ξ). */
    static double gap(double s, double xi) {
      double delta = s - xi;
      double q = StableMath.sigmoid(xi);
      double other = StableMath.sigmoid(-xi);
      if (Math.max(other * delta, -q * delta) > LARGE) {
        return StableMath.log1pExp(s) - StableMath.log1pExp(xi) - q * delta;
      }
      // log(1 + Σ q_k (e^{c_k} − 1 − c_k)) with centred c: a sum of positive terms.
      double sum =
          q * StableMath.expMinusLinear(other * delta)
              + other * StableMath.expMinusLinear(-q * delta);
      return StableMath.log1pSmall(sum);
    }

    /** Returns d gap / ds = σ(s) − σ(ξ). */
    static double gapSlope(double s, double xi) {
      // σ(s) − σ(ξ) = (e^{s−ξ} − 1)·σ(ξ)·σ(−s), in the form that does not overflow.
      double delta = s - xi;
      return delta < 0
          ? StableMath.expm1(delta) * StableMath.sigmoid(xi) * StableMath.sigmoid(-s)
          : -StableMath.expm1(-delta) * StableMath.sigmoid(s) * StableMath.sigmoid(-xi);
    }

    @Override
    public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
      double[] origin = sum.origin();
      double[] packed = sum.packed();
      double precision = 1 / (model.sigma() * model.sigma());
      for (int row = 0; row < block.rows(); row++) {
        double w = block.weight(row);
        double xi = anchors.get(row, 0);
        double q = StableMath.sigmoid(xi);
        double d1 = (response(block, row) - origin[0]) * precision;
        double d2 = d1 - origin[1] * precision;
        packed[0] -= 0.5 * w * precision;
        packed[1] -= 0.5 * w * q * precision;
        packed[2] -= 0.5 * w * q * precision;
        packed[3] += w * (StableMath.sigmoid(-xi) * d1 + q * d2);
        packed[4] += w * q * d2;
        packed[5] +=
            model.logLikelihood(block, row, origin)
                - w * gap(model.logOdds(response(block, row), origin), xi);
      }
    }
  }

  /**
   * A mixture of two normal densities with equal weights and a known standard deviation, y ~ ½N(θ₁,
   * σ²) + ½N(θ₁ + θ₂, σ²), y the response less the offset:
   *
   * <pre>ℓ_n(θ) = w_n · log(½N(y; θ₁, σ²) + ½N(y; θ₁ + θ₂, σ²)), natural log.</pre>
   *
   * <p>The features of a row are not used. With d₁ = (y − θ₁)/σ², d₂ = (y − θ₁ − θ₂)/σ² and ρ the
   * probability that the row belongs to the second component, ∇ℓ = ((1 − ρ)d₁ + ρd₂, ρd₂). The
   * log-likelihood has saddle points and, as the components may change places, up to two modes.
   *
   * <p>Source: Welling and Teh (2011), section 5.1.
   */
  public static final class MixtureModel implements Model {
    private final double sigma;
    private final double logConstant;

    /** Takes σ, above 0, in units of the response. */
    public MixtureModel(double sigma) {
      this.sigma = Parameters.requirePositive("sigma", sigma);
      this.logConstant = -Math.log(2 * sigma) - 0.5 * Math.log(2 * Math.PI);
    }

    /** Returns σ. */
    public double sigma() {
      return sigma;
    }

    @Override
    public int dimension() {
      return 2;
    }

    /** Returns log(ρ/(1 − ρ)), the log-odds of the second component. θ is not modified. */
    public double logOdds(double y, double[] theta) {
      return theta[1] * (2 * (y - theta[0]) - theta[1]) / (2 * sigma * sigma);
    }

    @Override
    public double logLikelihood(DataBlock block, int row, double[] theta) {
      double y = response(block, row);
      double logOdds = logOdds(y, theta);
      // Of the two exponents the larger one is taken out.
      double larger = (logOdds > 0 ? y - theta[0] - theta[1] : y - theta[0]) / sigma;
      return block.weight(row)
          * (-0.5 * larger * larger + StableMath.log1pExp(-Math.abs(logOdds)) + logConstant);
    }

    @Override
    public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
      double y = response(block, row);
      double w = block.weight(row);
      double logOdds = logOdds(y, theta);
      double d1 = (y - theta[0]) / sigma / sigma;
      double d2 = (y - theta[0] - theta[1]) / sigma / sigma;
      double rho = StableMath.sigmoid(logOdds);
      gradient[0] += w * (StableMath.sigmoid(-logOdds) * d1 + rho * d2);
      gradient[1] += w * rho * d2;
      return logLikelihood(block, row, theta);
    }

    @Override
    public double addHessian(
        DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
      double y = response(block, row);
      double w = block.weight(row);
      double logOdds = logOdds(y, theta);
      double precision = 1 / sigma / sigma;
      double d2 = (y - theta[0] - theta[1]) * precision;
      double apart = theta[1] * precision;
      double rho = StableMath.sigmoid(logOdds);
      double spread = rho * StableMath.sigmoid(-logOdds);
      hessian[0] += w * (spread * apart * apart - precision);
      hessian[2] += w * (-rho * precision - spread * apart * d2);
      hessian[3] += w * (spread * d2 * d2 - rho * precision);
      return addGradient(block, row, theta, gradient);
    }
  }
}
