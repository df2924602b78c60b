package org.lampyris.dataprep.precompute;

import org.lampyris.bounds.error.UserException;
import org.lampyris.bounds.lowerbound.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.LogisticLikelihood;
import org.lampyris.bounds.model.Model;

/**
 * A likelihood and the lower bound that goes with it.
 *
 * @param model the likelihood of a row
 * @param bound its lower bound
 */
public record Family(Model model, LowerBound bound) {

  /**
   * Returns the family of the given name.
   *
   * @param name as the configuration spells it
   * @param columns how many coefficients there are
   * @throws UserException (usage) if there is no such family
   */
  public static Family named(String name, int columns) {
    if (!name.equals("logistic")) {
      throw UserException.usage(
          "the family \"" + name + "\" is not available yet; known: logistic");
    }
    return new Family(
        new LinearModel(new LogisticLikelihood(), columns), new JaakkolaJordanBound(columns));
  }
}
