package com.acme;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/**
 * Linear regression with standard hyperbolic-secant noise, in one class: the formula of {@link
 * SechLikelihood} for σ = 1, from which derivatives and bounds follow.
 */
public final class DerivedSechFamily extends DerivedLikelihood implements ModelProvider {
  private static final long serialVersionUID = 1L;

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(this, columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalTaylorBound(this, laplace, radius));
  }

  /** With u = π(y − η)/2: −log(2 cosh u) = −u − log(1 + e^−2u). */
  @Override
  protected Term logLikelihood(Term eta, double y) {
    Term u = eta.minus(y).times(-Math.PI / 2);
    return u.negate().minus(u.times(-2).log1pExp());
  }
}
