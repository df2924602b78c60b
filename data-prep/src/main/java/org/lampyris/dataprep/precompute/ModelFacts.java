package org.lampyris.dataprep.precompute;

import java.util.List;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.PriorParser;

/**
 * What the artefact keeps of the model.
 *
 * @param priors the prior of each coefficient, with every digit of its parameters
 */
record ModelFacts(FamilySpec family, List<String> coefficients, List<String> priors) {
  /** Copies the lists and writes the priors in one way. */
  ModelFacts {
    coefficients = List.copyOf(coefficients);
    priors = canonical(priors);
  }

  static ModelFacts of(ModelOfTable model) {
    return new ModelFacts(model.spec(), model.coefficients(), model.priors());
  }

  static List<String> canonical(List<String> priors) {
    return priors.stream().map(text -> PriorParser.parse(text).toString()).toList();
  }
}
