package org.lampyris.driver.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.numbers.gamma.LogBeta;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.LogitSharePrior;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.random.Streams;

/**
 * Prior density of a reported parameter, on the scale of its draws.
 *
 * @param name the prior in words
 * @param density p(x)
 */
public record DrawnPrior(String name, DoubleUnaryOperator density) {
  private static final int DRAWS = 2_000;
  private static final String LKJ = "lkj(";
  private static final Pattern SD_OF_INTERCEPT = Pattern.compile("sd_(.*)__Intercept");
  private static final Pattern COR_OF_INTERCEPT = Pattern.compile("cor_.*__Intercept(__.*)?");

  /**
   * Returns the priors of all parameters that have a proper one.
   *
   * @param texts by the parameters' names, as the manifest has them
   * @param interceptAtZero whether intercepts have the priors that are stated
   * @param implied priors of those whose own prior is about something else
   */
  public static Map<String, DrawnPrior> of(
      Map<String, String> texts, boolean interceptAtZero, Map<String, DrawnPrior> implied) {
    Map<String, DrawnPrior> priors = new LinkedHashMap<>();
    texts.forEach(
        (name, text) -> {
          boolean own = !isElsewhere(name, texts.keySet()) || (interceptAtZero && !isCut(name));
          DrawnPrior prior = own ? stated(name, text, texts) : implied.get(name);
          if (prior != null) {
            priors.put(name, prior);
          }
        });
    return priors;
  }

  private static @Nullable DrawnPrior stated(String name, String text, Map<String, String> texts) {
    if (text.startsWith(LKJ)) {
      return correlation(name, text, texts);
    }
    try {
      UnivariatePrior parsed = PriorParser.parse(text);
      UnivariatePrior prior =
          parsed instanceof LogScalePrior log
              ? log.ofScale()
              : parsed instanceof LogitSharePrior logit ? logit.ofShare() : parsed;
      boolean proper = !(prior instanceof UnivariatePrior.Flat);
      return proper ? new DrawnPrior(brief(prior.toString()), x -> density(prior, x)) : null;
    } catch (IllegalArgumentException e) {
      // Families may state the priors of parameters in words of their own.
      return null;
    }
  }

  private static double density(UnivariatePrior prior, double x) {
    return Math.exp(prior.logDensity(x));
  }

  /**
   * Returns the prior of one correlation of q effects under LKJ(η): (1 + r)/2 is Beta(a, a), a = η
   * − 1 + q/2. Effects of a group without a correlation are not counted. Source: Lewandowski,
   * Kurowicka and Joe (2009).
   */
  private static @Nullable DrawnPrior correlation(
      String name, String text, Map<String, String> texts) {
    String group = name.replaceFirst("^cor_", "").replaceFirst("__.*", "");
    String sd = "sd_" + group + "__";
    List<String> all =
        texts.keySet().stream()
            .filter(key -> key.startsWith(sd))
            .map(key -> key.substring(sd.length()))
            .toList();
    String correlated = "cor_" + group + "__";
    long effects =
        1
            + all.stream()
                .filter(one -> name.startsWith(correlated + one + "__"))
                .flatMap(
                    one ->
                        all.stream()
                            .filter(
                                other ->
                                    texts.containsKey(correlated + one + "__" + other)
                                        || texts.containsKey(correlated + other + "__" + one)))
                .distinct()
                .count();
    double eta = Double.parseDouble(text.substring(LKJ.length(), text.length() - 1));
    double a = eta - 1 + 0.5 * effects;
    double scale = (2 * a - 1) * Math.log(2) + LogBeta.value(a, a);
    return new DrawnPrior(
        brief(text), r -> Math.abs(r) < 1 ? Math.exp((a - 1) * Math.log1p(-r * r) - scale) : 0);
  }

  /**
   * Returns implied priors of parameters whose own prior is for another quantity: intercepts, their
   * standard deviations by group and correlations (prior for η at the columns' centres), and cut
   * points (prior for the gaps between them). Estimated from draws of all priors.
   *
   * @return none if a prior is improper
   */
  public static Map<String, DrawnPrior> implied(ModelOfTable model, ColumnCenters centers) {
    Map<String, DrawnPrior> priors = new LinkedHashMap<>();
    add(model.coefficients(), drawn(model, centers), priors);
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 1);
    for (TableEffects of : model.random()) {
      LevelScales scales = new LevelScales(of.effects(), 0, 0);
      add(
          scales.names(),
          drawn(scales.parameters(), () -> scales.reported(StartingPoint.fromPrior(scales, rng))),
          priors);
    }
    return priors;
  }

  private static void add(List<String> names, double[][] draws, Map<String, DrawnPrior> priors) {
    for (int j = 0; j < draws.length; j++) {
      double[] sorted = Arrays.stream(draws[j]).filter(Double::isFinite).sorted().toArray();
      if (isElsewhere(names.get(j), names)
          && sorted.length == DRAWS
          && sorted[0] < sorted[DRAWS - 1]) {
        priors.put(names.get(j), new DrawnPrior("implied", Shape.estimate(sorted)));
      }
    }
  }

  /**
   * Returns draws of the reported parameters from their prior: parameters × 2,000.
   *
   * @return none if a prior is improper
   */
  private static double[][] drawn(ModelOfTable model, ColumnCenters centers) {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ProductPrior prior = model.drawn().prior();
    return drawn(
        model.coefficients().size(),
        () -> model.toInput(StartingPoint.fromPrior(prior, rng), centers));
  }

  private static double[][] drawn(int parameters, Supplier<double[]> one) {
    double[][] draws = new double[parameters][DRAWS];
    try {
      for (int s = 0; s < DRAWS; s++) {
        double[] reported = one.get();
        for (int j = 0; j < draws.length; j++) {
          draws[j][s] = reported[j];
        }
      }
    } catch (IllegalArgumentException e) {
      return new double[0][];
    }
    return draws;
  }

  /** Returns whether a run's intercepts have the priors that are stated, at columns of 0. */
  public static boolean isInterceptAtZero(RunOutput run) {
    return run.manifest().at("/configuration/model/intercept_at").asText("").equals("zero");
  }

  /**
   * Returns whether a parameter's stated prior is about something else.
   *
   * @param all the parameters' names
   */
  public static boolean isElsewhere(String name, Collection<String> all) {
    Matcher sd = SD_OF_INTERCEPT.matcher(name);
    return name.startsWith(ModelOfTable.INTERCEPT)
        || isCut(name)
        || COR_OF_INTERCEPT.matcher(name).matches()
        || (sd.matches()
            && all.stream()
                .anyMatch(
                    one ->
                        one.startsWith("cor_" + sd.group(1) + "__")
                            && COR_OF_INTERCEPT.matcher(one).matches()));
  }

  /** Returns whether a parameter is a cut point of an ordinal regression. */
  static boolean isCut(String name) {
    return name.startsWith("Intercept[");
  }

  /** Returns a prior's text with numbers of four digits. */
  static String brief(String prior) {
    StringBuilder brief = new StringBuilder();
    for (String part : prior.split("(?<=[(, ])|(?=[),])", -1)) {
      try {
        brief.append(Text.brief(Double.parseDouble(part)));
      } catch (NumberFormatException e) {
        brief.append(part);
      }
    }
    return brief.toString();
  }
}
