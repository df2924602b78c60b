package org.lampyris.bounds.family.binary;

import java.util.List;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfc;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/** Probit regression, log L = log Φ(y·xᵀθ) for y in {−1, +1}; it has no parameter. */
public final class ProbitFamily extends NamedFamily {
  public ProbitFamily() {
    super("probit", LabelKind.BINARY);
  }

  @Override
  public String link() {
    return "probit";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(eta -> 0.5 * Erfc.value(-eta * Math.sqrt(0.5)))
            .with(Expectation.Variance.OF_TRIAL, Response.Of.TRIALS));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(new ProbitLikelihood(), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalTaylorBound(new ProbitLikelihood(), laplace, radius));
  }
}
