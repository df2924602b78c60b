package org.lampyris.bounds.family.density;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Moments;

/**
 * The two-component mixture: y is ½N(theta1, sigma²) + ½N(theta1 + theta2, sigma²), {@code sigma} a
 * number. Features play no part.
 */
public final class MixtureFamily extends NamedFamily {
  private static final String SIGMA = "sigma";

  public MixtureFamily() {
    super("mixture", LabelKind.REAL, SIGMA);
  }

  /** The key is a text, as it is for the gaussian family, whose sigma may be a prior. */
  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(SIGMA, ModelProvider.positive(model, name(), SIGMA));
  }

  private static MixtureModel mixture(FamilySpec spec) {
    return new MixtureModel(spec.positive(SIGMA));
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label;
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return mixture(spec);
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new MixtureBound(mixture(spec)));
  }

  @Override
  public boolean usesColumns() {
    return false;
  }
}
