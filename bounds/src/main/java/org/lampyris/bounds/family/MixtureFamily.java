package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.lowerbound.MixtureBound;
import org.lampyris.bounds.model.MixtureModel;
import org.lampyris.bounds.model.Model;

/** The two-component mixture: {@code sigma}. Its elements are theta1 and theta2. */
final class MixtureFamily implements ModelProvider {

  private static MixtureModel mixture(FamilySpec spec) {
    spec.requireOnly("sigma");
    return new MixtureModel(spec.positive("sigma"));
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
  public int predictors(FamilySpec spec) {
    return 0;
  }

  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return spec.canonical("sigma");
  }
}
