package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/** Binary regression with a link named like the family: P(y = +1) = g⁻¹(xᵀθ). */
abstract class LinkedFamily extends NamedFamily {
  LinkedFamily(String link) {
    super(link, LabelKind.BINARY);
  }

  /** Returns log P(y | η). */
  abstract Likelihood likelihood();

  /** Returns g⁻¹. */
  abstract Expectation.InverseLink inverse();

  @Override
  public final String link() {
    return name();
  }

  @Override
  public final Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(inverse()).with(Expectation.Variance.OF_TRIAL, Response.Of.TRIALS));
  }

  @Override
  public final Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(likelihood(), columns.size());
  }

  @Override
  public final Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalTaylorBound(likelihood(), laplace, radius));
  }
}
