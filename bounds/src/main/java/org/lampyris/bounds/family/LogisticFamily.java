package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.StableMath;

/** Logistic regression, log L = log σ(y·xᵀθ) for y in {−1, +1}; it has no parameter. */
public final class LogisticFamily extends LinkedFamily {
  public LogisticFamily() {
    super(
        "logistic",
        LabelKind.BINARY,
        "logit",
        new LogisticLikelihood(),
        Expectation.ofTrial(StableMath::sigmoid));
  }

  /** Returns the anchor of Maclaurin and Adams (2014), section 4.1. */
  @Override
  public double anchor() {
    return 1.5;
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new JaakkolaJordanBound(columns.size()));
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalLogisticBound(laplace, radius));
  }
}
