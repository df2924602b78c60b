package org.lampyris.bounds.family.robust;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.family.ScaleParameter;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.scale.Moments;
import org.lampyris.bounds.scale.TableScale;

/**
 * Robust regression: (y − xᵀθ)/{@code scale} is Student-t with {@code df} degrees of freedom, by
 * default 4; the scale is in units of the label. It is a number, or a prior, by default
 * exponential(1/sd(y)), and then it is sampled on the log scale, without a lower bound.
 */
public final class RobustFamily extends NamedFamily {
  private static final String DF = "df";
  private static final ScaleParameter SCALE = new ScaleParameter("scale");
  private static final double DEFAULT_DF = 4;

  public RobustFamily() {
    super("robust", LabelKind.REAL, DF, SCALE.key());
  }

  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(
        DF, model.number(DF, DEFAULT_DF, Interval.POSITIVE), SCALE.key(), SCALE.read(model));
  }

  private static RobustLikelihood likelihood(FamilySpec spec) {
    return new RobustLikelihood(spec.positive(DF), spec.positive(SCALE.key()));
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label;
  }

  @Override
  public FamilySpec on(FamilySpec spec, TableScale table) {
    return SCALE.on(spec, ScaleParameter.ofLabel(table));
  }

  @Override
  public List<String> ownCoefficients() {
    return List.of(SCALE.key());
  }

  @Override
  public boolean hasBound(FamilySpec spec) {
    return !SCALE.isSampled(spec);
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return SCALE.isSampled(spec)
        ? new DispersedModel(new RobustScaleLikelihood(spec.positive(DF)), columns.size())
        : new LinearModel(likelihood(spec), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return SCALE.isSampled(spec)
        ? Optional.empty()
        : Optional.of(new StudentBound(likelihood(spec), columns.size()));
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    return SCALE.coefficients(spec, columns);
  }

  @Override
  public List<String> priors(FamilySpec spec, List<String> columns, UnaryOperator<String> priorOf) {
    return SCALE.priors(spec, columns, priorOf);
  }

  @Override
  public void report(FamilySpec spec, double[] theta, int from) {
    ScaleParameter.report(theta, from);
  }

  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return spec.canonical(SCALE.key());
  }
}
