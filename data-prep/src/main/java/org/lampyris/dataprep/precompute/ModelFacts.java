package org.lampyris.dataprep.precompute;

import java.util.List;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * What the artefact keeps of the model.
 *
 * @param priors the prior of each coefficient, with every digit of its parameters
 */
record ModelFacts(FamilySpec family, List<String> coefficients, List<String> priors) {
  /** Copies the lists. */
  ModelFacts {
    coefficients = List.copyOf(coefficients);
    priors = List.copyOf(priors);
  }

  static ModelFacts of(ModelOfTable model) {
    return new ModelFacts(model.spec(), model.coefficients(), texts(model.priors()));
  }

  static List<String> texts(List<UnivariatePrior> priors) {
    return priors.stream().map(UnivariatePrior::toString).toList();
  }
}
