package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.scale.Moments;
import org.lampyris.bounds.scale.TableScale;

/**
 * A parameter above 0 that all rows share, after the columns' coefficients: given as a number, or
 * sampled on the log scale under a prior and reported on its own. Unless it is given, its prior is
 * {@link PriorConfig#AUTO}.
 *
 * @param key its key in the section {@code model}, and its name as a coefficient
 */
public record ScaleParameter(String key) {
  /**
   * Reads the key.
   *
   * @throws UserException (usage) if it is neither a number above 0 nor a prior of one
   */
  public Object read(Section model) {
    String text = model.text(key, PriorConfig.AUTO);
    if (!isPrior(text)) {
      Double number = model.number(key, Interval.POSITIVE);
      return number == null ? text : number;
    }
    if (!text.equals(PriorConfig.AUTO)) {
      model.checked(key, prior -> new LogScalePrior(PriorParser.parse(prior)), text);
    }
    return text;
  }

  private static boolean isPrior(String text) {
    return !text.isEmpty() && Character.isLetter(text.charAt(0));
  }

  /** Returns whether the parameter is an element of θ. */
  public boolean isSampled(FamilySpec spec) {
    return isPrior(spec.text(key).orElse(PriorConfig.AUTO));
  }

  /** Returns the family with a prior in place of {@link PriorConfig#AUTO}. */
  public FamilySpec on(FamilySpec spec, String prior) {
    return spec.text(key).orElse(PriorConfig.AUTO).equals(PriorConfig.AUTO)
        ? spec.with(key, prior)
        : spec;
  }

  /** Returns the prior exponential(1/sd(y)) of a scale in the label's units. */
  public static String ofLabel(TableScale table) {
    Moments label = table.label();
    double sd = label != null && label.sd() > 0 ? label.sd() : 1;
    return "exponential(" + 1 / sd + ")";
  }

  /** Returns the names of the elements of θ. */
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    List<String> names = new ArrayList<>(columns);
    if (isSampled(spec)) {
      names.add(key);
    }
    return names;
  }

  /** Returns the priors of the elements of θ, that of the parameter's logarithm among them. */
  public List<String> priors(FamilySpec spec, List<String> columns, UnaryOperator<String> priorOf) {
    List<String> priors = new ArrayList<>(columns.stream().map(priorOf).toList());
    if (isSampled(spec)) {
      try {
        String text = on(spec, "exponential(1)").text(key).orElseThrow();
        priors.add(new LogScalePrior(PriorParser.parse(text)).toString());
      } catch (IllegalArgumentException e) {
        throw UserException.usage("model." + key + ": " + e.getMessage(), e);
      }
    }
    return priors;
  }

  /** Replaces the logarithms from an index on by what is reported. Modified. */
  public static void report(double[] theta, int from) {
    for (int j = from; j < theta.length; j++) {
      theta[j] = Math.exp(theta[j]);
    }
  }
}
