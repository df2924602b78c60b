package org.lampyris.bounds.family.beta;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.DispersedFamily;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Beta regression: y in (0, 1) has mean μ = σ(xᵀθ) and variance μ(1 − μ)/(1 + {@code phi}). The
 * precision is a number, or a prior, and then it is sampled on the log scale.
 */
public final class BetaFamily extends DispersedFamily {
  public BetaFamily() {
    super("beta", LabelKind.SHARE, "phi");
  }

  /** A heavy tail: shares that are measured well have a precision of hundreds. */
  @Override
  protected UnivariatePrior autoPrior(TableScale table) {
    return new HalfPrior(new UnivariatePrior.Cauchy(0, 10));
  }

  @Override
  public String link() {
    return "logit";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(StableMath::sigmoid)
            .with(
                variance(spec, (mean, phi) -> mean * (1 - mean) / (1 + phi)),
                response(spec, Response.Beta::new)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? new DispersedModel(new BetaPrecisionLikelihood(), columns.size())
        : new LinearModel(new BetaLikelihood(value(spec)), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(
        isSampled(spec)
            ? new LocalDispersedBound(new BetaPrecisionLikelihood(), laplace, radius)
            : new LocalTaylorBound(new BetaLikelihood(value(spec)), laplace, radius));
  }
}
