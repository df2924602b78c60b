package com.acme;

import java.util.Map;
import org.lampyris.bounds.family.Coefficients;
import org.lampyris.bounds.family.Family;
import org.lampyris.bounds.family.FamilyFactory;
import org.lampyris.bounds.family.FamilyTable;
import org.lampyris.bounds.model.LinearModel;

/**
 * Linear regression with hyperbolic-secant noise: tails heavier than the normal's, lighter than
 * Student's. The configuration names this class: {@code model.family: com.acme.SechFamily}, with
 * the noise's standard deviation as {@code model.options.sigma}.
 */
public final class SechFamily implements FamilyFactory {

  @Override
  public Family create(FamilyTable table, Map<String, String> options) {
    String sigma = options.get("sigma");
    if (sigma == null) {
      throw new IllegalArgumentException("model.options.sigma is missing; for instance sigma: 2");
    }
    int columns = table.columns().size();
    SechLikelihood likelihood = new SechLikelihood(Double.parseDouble(sigma));
    return Family.of(
        new LinearModel(likelihood, columns),
        new SechBound(likelihood, columns),
        Coefficients.of(table));
  }
}
