package org.lampyris.bounds.prior;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;

/**
 * The names that coefficients can have, as far as an input's columns tell before its rows are read.
 *
 * @param columns the columns whose names are known: the intercept, if there is one, and the numeric
 *     features
 * @param categorical the features that become a column {@code name[level]} for each level but one
 * @param own the coefficients that are no column's
 * @param classes whether a column has a coefficient {@code name[class]} for each class
 */
public record PriorNames(
    List<String> columns, List<String> categorical, List<String> own, boolean classes) {
  /**
   * Refuses a name that no coefficient can have, whatever the rows hold.
   *
   * @throws UserException (usage) if there is one
   */
  public void require(Set<String> names) {
    List<String> known = new ArrayList<>(columns);
    known.addAll(own);
    for (String name : names) {
      if (!isPossible(name, known)) {
        throw UserException.usage(
            "model.priors names \""
                + name
                + "\", which no column of the input can have as its coefficient; "
                + NearestName.of(name, candidates(name, known))
                    .map(nearest -> "did you mean \"" + nearest + "\"?")
                    .orElse("its columns are " + shortened() + "."));
      }
    }
  }

  private boolean isPossible(String name, List<String> known) {
    return known.contains(name)
        || categorical.stream().anyMatch(column -> isOf(column, name))
        || (classes && known.stream().anyMatch(column -> isOf(column, name)));
  }

  /** Returns whether a name is that of a column with a level or a class behind it. */
  private static boolean isOf(String column, String name) {
    return name.startsWith(column + "[") && name.endsWith("]");
  }

  /** Returns the names that may have been meant, with the level or class that was given. */
  private List<String> candidates(String name, List<String> known) {
    int bracket = name.indexOf('[');
    String level = bracket < 0 ? "[…]" : name.substring(bracket);
    List<String> candidates = new ArrayList<>(known);
    categorical.forEach(column -> candidates.add(column + level));
    return candidates;
  }

  private String shortened() {
    List<String> names = new ArrayList<>(columns);
    categorical.forEach(column -> names.add(column + "[…]"));
    return PriorConfig.shortened(names);
  }
}
