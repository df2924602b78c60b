package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedJointLikelihood;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LocalTwoPredictorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.rows.Predictors;

/**
 * Family with one linear predictor and parameters that are shared by all rows, the first of which
 * may have a linear predictor of its own. Its local bounds follow from bounds on the likelihood's
 * third derivatives, whether parameters are given or sampled.
 */
abstract class OnePredictorFamily extends DispersedFamily {
  private final String link;

  OnePredictorFamily(
      String name, LabelKind label, String link, List<OwnParameter> own, String... keys) {
    super(name, label, own, keys);
    this.link = link;
  }

  /** Returns log L(η, τ; y), with the parameters that are not given sampled as τ. */
  abstract JointLikelihood dispersed(FamilySpec spec);

  /** Returns log L(η; y) for a given value of the first parameter; others are given. */
  abstract Likelihood given(FamilySpec spec, double value);

  /** Returns a likelihood of two parameters with those given that are. */
  final JointLikelihood sampled(FamilySpec spec, DerivedJointLikelihood both) {
    if (!first().isSampled(spec)) {
      return both.given(0, first().sampled(value(spec)));
    }
    return last().isSampled(spec) ? both : both.given(1, last().sampled(last().value(spec)));
  }

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
