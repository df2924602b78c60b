package org.lampyris.dataprep.formula;

import java.util.List;

/**
 * A term {@code (effects | group)} of a formula: an entry of {@code model.random}.
 *
 * @param effects the coefficients that vary by group, named as coefficients are
 */
public record RandomTerm(String group, List<String> effects) {
  /** Copies the list. */
  public RandomTerm {
    effects = List.copyOf(effects);
  }
}
