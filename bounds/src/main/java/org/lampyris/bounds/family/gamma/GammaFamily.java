package org.lampyris.bounds.family.gamma;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.family.ScaleParameter;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.scale.Moments;
import org.lampyris.bounds.scale.TableScale;

/**
 * Gamma regression: y has mean exp(xᵀθ) and variance mean²/{@code shape}. The shape is a number, or
 * a prior, by default exponential(1), and then it is sampled on the log scale.
 */
public final class GammaFamily extends NamedFamily {
  private static final ScaleParameter SHAPE = new ScaleParameter("shape");

  public GammaFamily() {
    super("gamma", LabelKind.POSITIVE, SHAPE.key());
  }

  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(SHAPE.key(), SHAPE.read(model));
  }

  @Override
  public boolean hasBound() {
    return false;
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return new Moments(Math.log(label.mean()), 1);
  }

  @Override
  public FamilySpec on(FamilySpec spec, TableScale table) {
    return SHAPE.on(spec, "exponential(1)");
  }

  @Override
  public List<String> ownCoefficients() {
    return List.of(SHAPE.key());
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return SHAPE.isSampled(spec)
        ? new DispersedModel(new GammaShapeLikelihood(), columns.size())
        : new LinearModel(new GammaLikelihood(spec.positive(SHAPE.key())), columns.size());
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    return SHAPE.coefficients(spec, columns);
  }

  @Override
  public List<String> priors(FamilySpec spec, List<String> columns, UnaryOperator<String> priorOf) {
    return SHAPE.priors(spec, columns, priorOf);
  }

  @Override
  public void report(FamilySpec spec, double[] theta, int from) {
    ScaleParameter.report(theta, from);
  }

  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return spec.canonical(SHAPE.key());
  }
}
