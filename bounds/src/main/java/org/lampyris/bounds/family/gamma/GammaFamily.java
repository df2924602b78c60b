package org.lampyris.bounds.family.gamma;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalDispersedBound;
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
import org.lampyris.bounds.prior.ExponentialPrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Gamma regression: y has mean exp(xᵀθ) and variance mean²/{@code shape}. The shape is a number, or
 * a prior, by default exponential(1), and then it is sampled on the log scale.
 */
public final class GammaFamily extends DispersedFamily {
  public GammaFamily() {
    super("gamma", LabelKind.POSITIVE, "shape");
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return new Moments(Math.log(label.mean()), 1);
  }

  @Override
  protected UnivariatePrior autoPrior(TableScale table) {
    return new ExponentialPrior(1);
  }

  @Override
  public String link() {
    return "log";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(Math::exp)
            .with(
                variance(spec, (mean, shape) -> mean * mean / shape),
                response(spec, Response.Gamma::new)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? new DispersedModel(new GammaShapeLikelihood(), columns.size())
        : new LinearModel(new GammaLikelihood(value(spec)), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(
        isSampled(spec)
            ? new LocalDispersedBound(new GammaShapeLikelihood(), laplace, radius)
            : new LocalGammaBound(value(spec), laplace, radius));
  }
}
