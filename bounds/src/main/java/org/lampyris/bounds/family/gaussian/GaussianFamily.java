package org.lampyris.bounds.family.gaussian;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.DispersedFamily;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Moments;

/**
 * Linear regression: {@code sigma} is a number, or a prior, and then σ is sampled on the log scale
 * and reported as {@code sigma}; the default is exponential(1/sd(y)). {@code sigma: jeffreys} is
 * p(σ) ∝ 1/σ, flat in log σ, the prior of the running examples of Bardenet, Doucet and Holmes
 * (2017).
 */
public final class GaussianFamily extends DispersedFamily {
  public GaussianFamily() {
    super("gaussian", LabelKind.REAL, "sigma");
  }

  @Override
  public boolean isLeastSquares() {
    return true;
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label;
  }

  @Override
  public String link() {
    return "identity";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(eta -> eta)
            .with(
                variance(spec, (mean, sigma) -> sigma * sigma),
                response(spec, Response.Normal::new)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? new GaussianScaleModel(columns.size())
        : new LinearModel(new GaussianLikelihood(value(spec)), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(new ExactGaussianBound(new GaussianLikelihood(value(spec)), columns.size()));
  }

  @Override
  public Optional<LowerBound> bound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace) {
    if (!isSampled(spec)) {
      return bound(spec, columns);
    }
    GaussianScaleModel model = new GaussianScaleModel(columns.size());
    return Optional.of(GaussianScaleBound.of(model, laplace));
  }
}
