package org.lampyris.bounds.family;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedLikelihood;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/** Exponential times of mean e^η: Weibull with scale 1, a constant hazard e^−η. */
public final class ExponentialFamily extends NamedFamily {
  private static final Response.Time.Residual ERROR = Response.Time.Residual.EXTREME;

  public ExponentialFamily() {
    super("exponential", LabelKind.TIME, SurvivalFamily.EVENT, SurvivalFamily.SECOND_TIME);
  }

  private static DerivedLikelihood likelihood() {
    return new SurvivalFamily.TimeLikelihood(ERROR).given(0, true);
  }

  @Override
  public Map<String, Object> read(Section model) {
    return SurvivalFamily.withEvent(model, Map.of());
  }

  @Override
  public LabelKind label(FamilySpec spec) {
    return SurvivalFamily.labelOf(spec);
  }

  @Override
  public Optional<String> secondTime(FamilySpec spec) {
    return spec.text(SurvivalFamily.SECOND_TIME);
  }

  @Override
  public Optional<String> trials(FamilySpec spec) {
    return spec.text(SurvivalFamily.EVENT);
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
                (mean, theta) -> mean * mean,
                (mean, theta) -> new Response.Time(ERROR, Math.log(mean), 1)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(likelihood(), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalTaylorBound(likelihood(), laplace, radius));
  }

  /** Returns the family without the columns: they are the table's, part of its fingerprint. */
  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return FamilySpec.of(name());
  }
}
