package org.lampyris.samplers.program;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;

/**
 * An observed value with the likelihood of a family, log L(η; y) without constants of y, whose
 * bounds on derivatives are the family's: given, or derived from its formula.
 *
 * @param predictor η
 */
record FamilyDensity(String family, LabelKind kind, Likelihood likelihood, Term predictor)
    implements PredictorDensity {
  /**
   * Finds the family.
   *
   * @throws UserException (usage) if there is none, or it depends on a row by more than η
   */
  static FamilyDensity of(FamilySpec spec, Term predictor) {
    ModelProvider provider = Families.find().named(spec.name());
    if (provider.model(spec, List.of("x")) instanceof LinearModel model) {
      return new FamilyDensity(
          spec.name(), provider.label(spec), model.given(new double[1]), predictor);
    }
    throw UserException.usage(
        "the family %s samples parameters of its own, or has several predictors, so its likelihood is no density of one number. Give its parameters, or choose another family."
            .formatted(spec.name()));
  }

  @Override
  public List<Term> parameters() {
    return List.of(predictor);
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    return likelihood.logLikelihood(predictor.at(given), x[at]);
  }

  /** {@inheritDoc} A family's values are observed only. */
  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    throw UserException.usage(
        "a value of the family %s is drawn, but families are for observe. Choose another distribution."
            .formatted(family));
  }

  @Override
  public boolean bounds(double value) {
    return switch (kind) {
      case BINARY -> Math.abs(value) == 1;
      case REAL -> Double.isFinite(value);
      case POSITIVE, TIME -> value > 0;
      case SHARE -> value > 0 && value < 1;
      case COUNT -> value >= 0 && value == Math.rint(value);
      case CLASSES, INTERVAL, SUCCESSES -> false;
    };
  }
}
