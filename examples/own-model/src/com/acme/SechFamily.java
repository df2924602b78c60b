package com.acme;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/**
 * Linear regression with hyperbolic-secant noise: tails heavier than the normal's, lighter than
 * Student's. The configuration names it {@code sech}, with the noise's standard deviation as {@code
 * model.sigma}, or names this class: {@code model.family: com.acme.SechFamily}, with the standard
 * deviation as {@code model.options.sigma}.
 */
public final class SechFamily implements ModelProvider {
  static final String NAME = "sech";
  private static final String SIGMA = "sigma";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> keys() {
    return List.of(SIGMA);
  }

  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(SIGMA, ModelProvider.positive(model, NAME, SIGMA));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(likelihood(spec), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new SechBound(likelihood(spec), columns.size()));
  }

  private static SechLikelihood likelihood(FamilySpec spec) {
    return new SechLikelihood(spec.positive(SIGMA));
  }
}
