package org.lampyris.samplers.mode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;

/**
 * Messages of failed mode searches.
 *
 * @param names the coefficients' names
 * @param passes how many passes over the data were made
 */
record SearchFailures(List<String> names, int passes) {
  /** Number of coefficients that a message names. */
  private static final int MOST_NAMES = 8;

  UserException noMode(PosteriorPoint point, PosteriorPoint first) {
    int j = point.largestCoefficient(first);
    return UserException.data(
        String.format(
            Locale.ROOT,
            "the posterior has no mode: after %s over the data the log posterior still grows while"
                + " \"%s\" goes to %s. This happens if the features separate the classes. Give the"
                + " coefficients a proper prior, such as normal(0, 2.5).",
            counted(),
            names.get(j),
            point.theta()[j] < 0 ? "−infinity" : "infinity"));
  }

  UserException notUnique(PosteriorPoint point) {
    List<String> flat =
        Arrays.stream(point.flat())
            .limit(MOST_NAMES)
            .mapToObj(j -> "\"" + names.get(j) + "\"")
            .toList();
    String along = flat.isEmpty() ? "" : " along " + ConfigText.listed(flat, "and");
    return UserException.data(
        "the posterior has no single mode: after "
            + counted()
            + " over the data its curvature is singular"
            + along
            + ". Either columns are collinear, the features separate the classes, the model fits"
            + " the data exactly, or every class of a softmax model has coefficients. Remove a"
            + " column, set model.reference_class, or give the coefficients a proper prior, such as"
            + " normal(0, 2.5).");
  }

  private String counted() {
    return passes == 1 ? "1 pass" : passes + " passes";
  }

  UserException notFinite(PosteriorPoint point) {
    return UserException.data(
        "the log posterior is "
            + point.value()
            + " at the start of the search for its mode, with coefficients of 0 or at the ends of"
            + " their priors. Check the response for values outside the family's range. Check"
            + " columns, weights and offsets for very large values.");
  }

  UserException tooManyPasses(PosteriorPoint point, PosteriorPoint first) {
    int j = point.largestCoefficient(first);
    return UserException.data(
        String.format(
            Locale.ROOT,
            "no mode of the posterior was found in %s over the data: the next step would still be"
                + " %.3g posterior standard deviations long (the largest coefficient is \"%s\", at"
                + " %.6g). Raise precompute.max_passes, or give the coefficients a proper prior,"
                + " such as normal(0, 2.5).",
            counted(),
            point.decrement(),
            names.get(j),
            point.theta()[j]));
  }
}
