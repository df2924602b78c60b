package org.lampyris.samplers.mode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;

/**
 * What is said where a search for a mode fails.
 *
 * @param names the coefficients' names
 * @param passes how many passes over the data were made
 */
record SearchFailures(List<String> names, int passes) {
  /** How many coefficients a message names. */
  private static final int MOST_NAMES = 8;

  UserException noMode(PosteriorPoint point, PosteriorPoint first) {
    int j = point.largestCoefficient(first);
    return UserException.data(
        String.format(
            Locale.ROOT,
            "the posterior has no mode: after %s over the data the log posterior still"
                + " grows while \"%s\" goes to %s, as it does when the features separate the"
                + " classes; give the coefficients a proper prior, such as normal(0, 2.5)",
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
            + ", as it is when columns are"
            + " collinear, the features separate the classes, the model fits the data exactly, or"
            + " every class of a softmax model has coefficients; leave a column out, name a"
            + " reference class, or give the coefficients a proper prior, such as"
            + " normal(0, 2.5)");
  }

  private String counted() {
    return passes == 1 ? "1 pass" : passes + " passes";
  }

  UserException notFinite(PosteriorPoint point) {
    return UserException.data(
        "the log posterior is "
            + point.value()
            + " where the search for its mode begins, at coefficients of 0 or at the ends of"
            + " their priors; check the response for values out of the family's range, and the"
            + " columns, weights and offsets, if there are any, for very large values");
  }

  UserException tooManyPasses(PosteriorPoint point, PosteriorPoint first) {
    int j = point.largestCoefficient(first);
    return UserException.data(
        String.format(
            Locale.ROOT,
            "no mode of the posterior was found in %s over the data: the next step would"
                + " still be %.3g posterior standard deviations long (the largest"
                + " coefficient is \"%s\", at %.6g); raise precompute.max_passes, or give the"
                + " coefficients a proper prior, such as normal(0, 2.5)",
            counted(),
            point.decrement(),
            names.get(j),
            point.theta()[j]));
  }
}
