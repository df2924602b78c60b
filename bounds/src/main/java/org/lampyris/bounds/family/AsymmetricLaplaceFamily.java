package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedDispersedLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/**
 * Quantile regression: y is asymmetric Laplace, and η its {@code quantile} q. With r = y − η and
 * ρ(r) = r(q − 1[r < 0]) = ½(|r| + (2q − 1)r),
 *
 * <pre>log L = log q(1 − q) − log σ − ρ(r)/σ, natural log.</pre>
 *
 * <p>The scale σ, {@code sigma}, is a number, or sampled on the log scale, by default under
 * exponential(1/sd(y)). The likelihood has a kink at r = 0, and no second derivative there. So the
 * mode and the Laplace approximation are those of {@link Smooth}, and no other results depend on
 * it. Source: Yu and Moyeed (2001), section 2; Bürkner (2017), for the parameters.
 */
public final class AsymmetricLaplaceFamily extends DispersedFamily {
  private static final String QUANTILE = "quantile";

  public AsymmetricLaplaceFamily() {
    super(
        "asymmetric_laplace",
        LabelKind.REAL,
        List.of(OwnParameter.inLabelUnits("sigma")),
        QUANTILE);
  }

  private static double quantile(FamilySpec spec) {
    return spec.text(QUANTILE).map(Double::parseDouble).orElse(0.5);
  }

  @Override
  public Map<String, Object> read(Section model) {
    Map<String, Object> read = super.read(model);
    read.put(QUANTILE, model.number(QUANTILE, 0.5, Interval.OPEN_UNIT));
    return read;
  }

  /** {@inheritDoc} A kink has no curvature for the moves of effects. */
  @Override
  public boolean takesEffects() {
    return false;
  }

  @Override
  protected boolean takesOffset() {
    return true;
  }

  /** {@inheritDoc} None. */
  @Override
  public Optional<String> modelled() {
    return Optional.empty();
  }

  @Override
  public String link() {
    return "identity";
  }

  /** {@inheritDoc} E[y] = η + σ(1 − 2q)/(q(1 − q)). */
  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    double q = quantile(spec);
    double shift = (1 - 2 * q) / q / (1 - q);
    double variance = (1 - 2 * q * (1 - q)) / (q * q) / ((1 - q) * (1 - q));
    return expectation(
        spec,
        (eta, sigma) -> eta + sigma * shift,
        (mean, sigma) -> sigma * sigma * variance,
        (mean, sigma) -> new Response.AsymmetricLaplace(q, mean - sigma * shift, sigma));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    CheckLikelihood exact = new CheckLikelihood(quantile(spec));
    return isSampled(spec)
        ? new DispersedModel(exact, columns.size())
        : new LinearModel(new GivenDispersion(exact.at(Math.log(value(spec)))), columns.size());
  }

  /**
   * {@inheritDoc} Here with √(z² + h²) in place of |z|, z = r/σ, and h the typical posterior sd of
   * η in units of σ, √(D/(n q(1 − q))), at most ½: some 2√(nDq(1 − q)) rows then lie about the
   * kink.
   */
  @Override
  public Optional<Model> surrogate(FamilySpec spec, List<String> columns, long rows) {
    double q = quantile(spec);
    double h = Math.min(0.5, Math.sqrt(columns.size() / (rows * q * (1 - q))));
    Smooth smooth = new Smooth(q, h);
    return Optional.of(
        isSampled(spec)
            ? new DispersedModel(smooth, columns.size())
            : new LinearModel(smooth.given(Math.log(value(spec)), true), columns.size()));
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    double logScale = isSampled(spec) ? Double.NaN : Math.log(value(spec));
    return Optional.of(new AsymmetricLaplaceBound(quantile(spec), logScale, laplace, radius));
  }

  /**
   * The likelihood itself, with a slope at the kink that is the mean of those beside it. ∂η = ρ′/σ,
   * ∂τ = ρ/σ − 1, ∂²η = 0, ∂η∂τ = −ρ′/σ and ∂²τ = −ρ/σ, τ = log σ. Third derivatives have no bound,
   * so that algorithms with Taylor proxies refuse it.
   */
  public record CheckLikelihood(double quantile) implements DispersedLikelihood {
    @Override
    public At at(double tau) {
      return new AtScale(this, tau);
    }

    private double logLikelihood(double r, double tau) {
      return Math.log(quantile * (1 - quantile)) - tau - loss(r) * Math.exp(-tau);
    }

    private double loss(double r) {
      return r * (r < 0 ? quantile - 1 : quantile);
    }

    private double slope(double r) {
      return r == 0 ? quantile - 0.5 : r < 0 ? quantile - 1 : quantile;
    }
  }

  private record AtScale(CheckLikelihood of, double tau)
      implements JointLikelihood.At, Serializable {
    @Override
    public double logLikelihood(double eta, double y) {
      return of.logLikelihood(y - eta, tau);
    }

    @Override
    public double derivatives(double eta, double y, double[] out) {
      double inverse = Math.exp(-tau);
      out[0] = of.slope(y - eta) * inverse;
      out[1] = of.loss(y - eta) * inverse - 1;
      out[2] = 0;
      out[3] = -out[0];
      out[4] = -out[1] - 1;
      return of.logLikelihood(y - eta, tau);
    }
  }

  /** The smooth likelihood whose mode is sought. */
  private static final class Smooth extends DerivedDispersedLikelihood {
    private final double quantile;
    private final double h;

    Smooth(double quantile, double h) {
      this.quantile = quantile;
      this.h = h;
    }

    @Override
    protected Term logLikelihood(Term eta, Term tau, double y) {
      Term z = eta.negate().plus(y).times(tau.negate().exp());
      Term twice = z.square().plus(h * h).pow(0.5).plus(z.times(2 * quantile - 1));
      return twice.times(-0.5).minus(tau).plus(Math.log(quantile * (1 - quantile)));
    }
  }
}
