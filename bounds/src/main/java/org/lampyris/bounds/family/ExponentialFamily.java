package org.lampyris.bounds.family;

import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.config.Section;

/** Exponential times of mean e^η: Weibull with scale 1, a constant hazard e^−η. */
public final class ExponentialFamily extends LinkedFamily {
  private static final Response.Time.Residual ERROR = Response.Time.Residual.EXTREME;

  public ExponentialFamily() {
    super(
        "exponential",
        LabelKind.TIME,
        "log",
        new SurvivalFamily.TimeLikelihood(ERROR).given(0, true),
        Expectation.of(Math::exp)
            .with(
                (mean, theta) -> mean * mean,
                (mean, theta) -> new Response.Time(ERROR, Math.log(mean), 1)),
        SurvivalFamily.EVENT,
        SurvivalFamily.SECOND_TIME);
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

  /** Returns the family without the columns: they are the table's, part of its fingerprint. */
  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return FamilySpec.of(name());
  }
}
