package org.lampyris.bounds.family.gamma;

import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.scale.Moments;

/** Gamma regression: y has mean exp(xᵀθ) and variance mean²/{@code shape}. */
public final class GammaFamily extends NamedFamily {
  private static final String SHAPE = "shape";

  public GammaFamily() {
    super("gamma", LabelKind.POSITIVE, SHAPE);
  }

  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(SHAPE, ModelProvider.positive(model, name(), SHAPE));
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
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(new GammaLikelihood(spec.positive(SHAPE)), columns.size());
  }
}
