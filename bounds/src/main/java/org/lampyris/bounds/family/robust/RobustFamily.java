package org.lampyris.bounds.family.robust;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Interval;
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
import org.lampyris.bounds.prior.Moments;

/**
 * Robust regression: (y − xᵀθ)/{@code scale} is Student-t with {@code df} degrees of freedom, by
 * default 4; the scale is in units of the label. It is a number, or a prior, by default
 * exponential(1/sd(y)), and then it is sampled on the log scale.
 */
public final class RobustFamily extends DispersedFamily {
  private static final String DF = "df";
  private static final String SCALE = "scale";
  private static final double DEFAULT_DF = 4;

  public RobustFamily() {
    super("robust", LabelKind.REAL, DF, SCALE);
  }

  @Override
  public Map<String, Object> read(Section model) {
    double df = model.number(DF, DEFAULT_DF, Interval.POSITIVE);
    return Map.of(DF, df, SCALE, parameter(model));
  }

  private RobustLikelihood likelihood(FamilySpec spec) {
    return new RobustLikelihood(spec.positive(DF), value(spec));
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
    double df = spec.positive(DF);
    double factor = df > 2 ? df / (df - 2) : Double.POSITIVE_INFINITY;
    return Optional.of(
        Expectation.of(eta -> eta)
            .with(
                variance(spec, (mean, scale) -> factor * scale * scale),
                response(spec, (mean, scale) -> new Response.Student(df, mean, scale))));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? new DispersedModel(new RobustScaleLikelihood(spec.positive(DF)), columns.size())
        : new LinearModel(likelihood(spec), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(new StudentBound(likelihood(spec), columns.size()));
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(
        isSampled(spec)
            ? new LocalDispersedBound(new RobustScaleLikelihood(spec.positive(DF)), laplace, radius)
            : new LocalStudentBound(likelihood(spec), laplace, radius));
  }
}
