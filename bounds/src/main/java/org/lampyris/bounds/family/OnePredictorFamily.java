package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LocalTwoPredictorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.rows.Predictors;

/**
 * Family with one linear predictor and a parameter that is shared by all rows, or has a linear
 * predictor of its own. Its local bounds follow from bounds on the likelihood's third derivatives,
 * whether the parameter is given or sampled.
 */
abstract class OnePredictorFamily extends DispersedFamily {
  private final String link;

  OnePredictorFamily(String name, LabelKind label, String link, String... keys) {
    super(name, label, keys);
    this.link = link;
  }

  /** Returns log L(η, τ; y), with the parameter sampled as τ. */
  abstract DispersedLikelihood dispersed(FamilySpec spec);

  /** Returns log L(η; y) for a given value of the parameter. */
  abstract Likelihood given(FamilySpec spec, double value);

  @Override
  public final String link() {
    return link;
  }

  @Override
  public final Model model(FamilySpec spec, List<String> columns) {
    Optional<Predictors> two = two(spec);
    if (two.isPresent()) {
      return new TwoPredictorModel(dispersed(spec), two.get());
    }
    return isSampled(spec)
        ? new DispersedModel(dispersed(spec), columns.size())
        : new LinearModel(given(spec, value(spec)), columns.size());
  }

  @Override
  public final Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    Optional<Predictors> two = two(spec);
    if (two.isPresent()) {
      return Optional.of(new LocalTwoPredictorBound(dispersed(spec), two.get(), laplace, radius));
    }
    return Optional.of(
        isSampled(spec)
            ? new LocalDispersedBound(dispersed(spec), laplace, radius)
            : new LocalTaylorBound(given(spec, value(spec)), laplace, radius));
  }
}
