package org.lampyris.bounds.family;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.Predictors;

/**
 * Linear predictor of a family's own parameter, in the place of the parameter: {@code
 * model.formulas}.
 *
 * @param text its right-hand side in R's notation, with a ~ before it
 * @param columns the columns of η and of this predictor; null until a table is known
 * @param location about where the predictor lies, before the rows are seen
 */
public record OwnFormula(String text, @Nullable Predictors columns, double location)
    implements Serializable {
  /** Returns the name of a coefficient: brms's. */
  static String name(String parameter, String column) {
    return parameter + "_" + (column.equals(ModelOfTable.INTERCEPT) ? "Intercept" : column);
  }

  /** Returns the same formula for a table. */
  OwnFormula on(Predictors predictors) {
    return new OwnFormula(text, predictors, location);
  }

  /** Returns the same formula with another location. */
  OwnFormula about(double other) {
    return new OwnFormula(text, columns, other);
  }

  /**
   * Returns the columns of both predictors.
   *
   * @throws UserException (usage) if no table is known
   */
  Predictors predictors() {
    if (columns == null) {
      throw UserException.usage(
          "the formula \"%s\" has no columns. Set model.formula, and name the parameter in model.formulas."
              .formatted(text));
    }
    return columns;
  }

  @Override
  public String toString() {
    return text;
  }
}
