package org.lampyris.bounds.family.negativebinomial;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.DispersedFamily;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Negative binomial regression: y has mean μ = exp(xᵀθ + offset) and variance μ + μ²/{@code shape}.
 * The shape is a number, or a prior, and then it is sampled on the log scale.
 */
public final class NegativeBinomialFamily extends DispersedFamily {
  private static final String OFFSET = "offset";

  public NegativeBinomialFamily() {
    super("negative_binomial", LabelKind.COUNT, OFFSET, "shape");
  }

  @Override
  public Map<String, Object> read(Section model) {
    Map<String, Object> all = new HashMap<>(super.read(model));
    String offset = model.text(OFFSET);
    if (offset != null) {
      all.put(OFFSET, offset);
    }
    return all;
  }

  @Override
  public Optional<String> offset(FamilySpec spec) {
    return spec.text(OFFSET);
  }

  @Override
  public double anchor() {
    return 1.5;
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label.mean() == 0 ? Moments.STANDARD : new Moments(Math.log(label.mean()), 1);
  }

  /** A heavy tail: counts that are nearly Poisson have a shape far above their mean. */
  @Override
  protected UnivariatePrior autoPrior(TableScale table) {
    return new HalfPrior(new UnivariatePrior.Cauchy(0, 10));
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
                variance(spec, (mean, shape) -> mean + mean * mean / shape),
                response(spec, Response.NegativeBinomial::new)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? new DispersedModel(new NegativeBinomialShapeLikelihood(), columns.size())
        : new LinearModel(new NegativeBinomialLikelihood(value(spec)), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(
            new NegativeBinomialBound(new NegativeBinomialLikelihood(value(spec)), columns.size()));
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(
        isSampled(spec)
            ? new LocalDispersedBound(new NegativeBinomialShapeLikelihood(), laplace, radius)
            : new LocalNegativeBinomialBound(value(spec), laplace, radius));
  }
}
