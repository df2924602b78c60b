package org.lampyris.driver.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.design.FeatureNames;

/** Holds the names under {@code model.priors} against the columns of an input. */
final class PriorNames {
  private PriorNames() {}

  /** Refuses a name that no coefficient of the family can have, whatever the rows hold. */
  static void require(Map<String, String> priors, FamilyKeys family, FeatureNames features) {
    if (family == FamilyKeys.MIXTURE || !features.vectors().isEmpty()) {
      return; // coefficients that are not the columns', or columns whose number is not known yet
    }
    List<String> known = new ArrayList<>(features.columns());
    if (family == FamilyKeys.GAUSSIAN) {
      known.add("sigma");
    }
    for (String name : priors.keySet()) {
      if (!isPossible(name, known, features.categorical(), family == FamilyKeys.SOFTMAX)) {
        throw UserException.usage(
            "model.priors names \""
                + name
                + "\", which no column of the input can have as its coefficient; "
                + NearestName.of(name, candidates(name, known, features.categorical()))
                    .map(nearest -> "did you mean \"" + nearest + "\"?")
                    .orElse("its columns are " + shortened(features) + "."));
      }
    }
  }

  private static boolean isPossible(
      String name, List<String> known, List<String> categorical, boolean classes) {
    return known.contains(name)
        || categorical.stream().anyMatch(column -> isOf(column, name))
        || (classes && known.stream().anyMatch(column -> isOf(column, name)));
  }

  /** Returns whether a name is that of a column with a level or a class behind it. */
  private static boolean isOf(String column, String name) {
    return name.startsWith(column + "[") && name.endsWith("]");
  }

  /** Returns the names that may have been meant, with the level or class that was given. */
  private static List<String> candidates(
      String name, List<String> known, List<String> categorical) {
    int bracket = name.indexOf('[');
    String level = bracket < 0 ? "[…]" : name.substring(bracket);
    List<String> candidates = new ArrayList<>(known);
    categorical.forEach(column -> candidates.add(column + level));
    return candidates;
  }

  private static String shortened(FeatureNames features) {
    List<String> names = new ArrayList<>(features.columns());
    features.categorical().forEach(column -> names.add(column + "[…]"));
    return ModelConfig.shortened(names);
  }
}
