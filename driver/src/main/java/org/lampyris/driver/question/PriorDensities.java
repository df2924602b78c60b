package org.lampyris.driver.question;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.report.DrawnPrior;
import org.lampyris.driver.report.Shape;

/**
 * Prior densities of weighted sums of parameters, for the Savage–Dickey ratio p(0 | y)/p(0) of a
 * difference. Known are those of one parameter with a proper prior of its own, and of several whose
 * priors are independent normals. Source: Dickey (1971), "The weighted likelihood ratio, linear
 * hypotheses on normal location parameters", Annals of Mathematical Statistics 42(1).
 */
final class PriorDensities {
  /** A step that is small beside a posterior's spread, to see whether the point is an end. */
  private static final double STEP = 1e-6;

  private final RunOutput run;
  private @Nullable Map<String, DrawnPrior> known;

  PriorDensities(RunOutput run) {
    this.run = run;
  }

  /**
   * Ratio of densities at 0.
   *
   * @param value NaN if it is not known
   * @param remark why it is not known, or what it is about
   */
  record Ratio(double value, String remark) {}

  /**
   * Returns p(0 | y)/p(0) of a quantity. The posterior density is a kernel estimate; it is doubled
   * at the end of the prior's range, beyond which the kernel's other half lies (reflection).
   *
   * @param draws of the quantity, of all chains together. Not modified.
   */
  Ratio ratio(Quantity quantity, double[] draws) {
    double[] sorted = draws.clone();
    Arrays.sort(sorted);
    DoubleUnaryOperator prior = quantity.affine().map(this::density).orElse(null);
    if (prior == null) {
      return unknown(
          "The prior density of this difference is not known. It is known for one parameter with a"
              + " proper prior, and for a sum of parameters with normal priors.");
    }
    double density = prior.applyAsDouble(0);
    if (!(density > 0 && density < Double.POSITIVE_INFINITY)) {
      return unknown("The prior density at the point is %s.".formatted(Text.brief(density)));
    }
    if (!(sorted[0] < sorted[sorted.length - 1])) {
      return unknown("All draws are equal, so there is no posterior density.");
    }
    double step = STEP * (sorted[sorted.length - 1] - sorted[0]);
    boolean end = prior.applyAsDouble(-step) == 0 || prior.applyAsDouble(step) == 0;
    if (nearest(sorted) > Shape.bandwidth(sorted)) {
      return unknown(
          Text.of(
              "The point lies beyond the %,d draws, so its posterior density is too small for an"
                  + " estimate.",
              sorted.length));
    }
    double posterior = Shape.estimate(sorted).applyAsDouble(0) * (end ? 2 : 1);
    return new Ratio(
        posterior / density,
        "The probability is for equal prior probabilities of the point and of all else.");
  }

  /** Returns the distance from 0 to the nearest draw. */
  private static double nearest(double[] sorted) {
    int at = Arrays.binarySearch(sorted, 0);
    int above = at >= 0 ? at : -at - 1;
    double distance = above < sorted.length ? sorted[above] : Double.POSITIVE_INFINITY;
    return above > 0 ? Math.min(distance, -sorted[above - 1]) : distance;
  }

  private static Ratio unknown(String why) {
    return new Ratio(Double.NaN, why);
  }

  /** Returns the prior density of a weighted sum; null if it is not known. */
  private @Nullable DoubleUnaryOperator density(Quantity.Affine of) {
    if (of.weights().size() == 1) {
      Map.Entry<String, Double> only = of.weights().entrySet().iterator().next();
      DrawnPrior prior = known().get(only.getKey());
      double weight = only.getValue();
      return prior == null
          ? null
          : x -> prior.density().applyAsDouble((x - of.constant()) / weight) / Math.abs(weight);
    }
    double mean = of.constant();
    double variance = 0;
    for (Map.Entry<String, Double> one : of.weights().entrySet()) {
      UnivariatePrior.Normal normal = normal(one.getKey());
      if (normal == null) {
        return null;
      }
      mean += one.getValue() * normal.mean();
      variance += Math.pow(one.getValue() * normal.sd(), 2);
    }
    UnivariatePrior.Normal sum = new UnivariatePrior.Normal(mean, Math.sqrt(variance));
    return x -> Math.exp(sum.logDensity(x));
  }

  private UnivariatePrior.@Nullable Normal normal(String parameter) {
    String text = run.priors().get(parameter);
    if (text == null
        || (DrawnPrior.isElsewhere(parameter, run.priors().keySet())
            && !DrawnPrior.isInterceptAtZero(run))) {
      return null;
    }
    try {
      return PriorParser.parse(text) instanceof UnivariatePrior.Normal normal ? normal : null;
    } catch (IllegalArgumentException e) {
      return null; // Families may state the priors of parameters in words of their own.
    }
  }

  private Map<String, DrawnPrior> known() {
    Map<String, DrawnPrior> priors = known;
    if (priors == null) {
      priors = DrawnPrior.of(run.priors(), DrawnPrior.isInterceptAtZero(run), implied());
      known = priors;
    }
    return priors;
  }

  private Map<String, DrawnPrior> implied() {
    try {
      RunOutput.Fitted fitted = run.model();
      return DrawnPrior.implied(fitted.model(), fitted.schema().centers());
    } catch (UserException | IOException e) {
      return new LinkedHashMap<>(); // The table is gone: priors at its columns' means are unknown.
    }
  }
}
