package org.lampyris.bounds.prior;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.Predictors;

/**
 * The priors in the section {@code model}.
 *
 * @param prior the prior of every coefficient that {@code priors} does not name
 * @param priors priors by the coefficient's name, as it is reported; for a softmax regression also
 *     by the column's name, which stands for that column's coefficients of all classes
 * @param priorScale the columns whose coefficients the priors are about, but {@link #AUTO}
 * @param interceptAt the point of the columns whose η the prior of an intercept is about
 */
public record PriorConfig(
    ConfiguredPrior prior,
    Map<String, ConfiguredPrior> priors,
    Scale priorScale,
    InterceptAt interceptAt) {
  /** The keys of the section {@code model} that are read here. */
  public static final List<String> KEYS = List.of("prior", "priors", "prior_scale", "intercept_at");

  /**
   * Prior that depends on the table: normal(0, 2.5·s/sd(x)) for the coefficient of a column x of
   * the input and normal(m, 2.5·s) for an intercept. For a column of two values, sd(x) is half
   * their distance. m and s are the label's mean and standard deviation if it is on the scale of η,
   * and 0 and 1 otherwise. Source: Gabry and Goodrich, "Prior distributions for rstanarm models",
   * section "Default prior distributions"; Gelman, Jakulin, Pittau and Su (2008) for two values.
   */
  public static final String AUTO = "auto";

  /**
   * Default prior of the standard deviation of a grouping's effects: half_student_t(3, 0, s) for
   * intercepts and half_student_t(3, 0, s/sd(x)) for slopes of a column x of the input. s is the
   * label's standard deviation if η has the label's unit and 2.5 otherwise, so that another unit of
   * the label or of a column changes no inference. Source: Bürkner (2017), brms, whose s is the
   * larger of 2.5 and the median absolute deviation of the linked label.
   */
  public static final String RULE_SD =
      """
      # prior.sd auto in random: half_student_t(3, 0, s) for intercepts, half_student_t(3, 0, s / sd(x))
      # for slopes of a column x of the input; s is the label's standard deviation for gaussian and
      # robust, 2.5 otherwise; sd(x) of a column of two values is half their distance.
      """;

  /** Meaning of {@link #AUTO}, as comments in YAML. */
  public static final String RULE =
      """
      # prior auto: normal(0, 2.5 s / sd(x)) for the coefficient of a column x of the input, and
      # normal(m, 2.5 s) for the intercept at the columns' means; sd(x) of a column of two values,
      # such as a category's 0 and 1, is half their distance; s and m are the label's standard
      # deviation and mean for gaussian, robust and mixture, 1 and log(mean) for gamma and poisson
      # without an offset, 1 and 0 otherwise. The manifest of a run has the numbers.
      """;

  private static final String INTERCEPT = "(Intercept)";
  private static final String EXAMPLE = "normal(0, 2.5)";

  /** No key is set. */
  public static final PriorConfig NONE =
      new PriorConfig(ConfiguredPrior.AUTO, Map.of(), Scale.STANDARDIZED, InterceptAt.CENTERS);

  /** The columns whose coefficients priors are about. */
  public enum Scale {
    /** The columns divided by the scale in {@code data.standardize}. */
    STANDARDIZED,
    /** The columns of the input. */
    INPUT
  }

  /** Whose η the prior of an intercept is about. */
  public enum InterceptAt {
    /** The columns' means. */
    CENTERS,
    /** The point where all columns of the input are 0. */
    ZERO
  }

  /**
   * Creates a configuration from texts, with priors of intercepts for η at the columns' centres.
   *
   * @throws IllegalArgumentException if a text is no prior
   */
  public static PriorConfig of(String prior, Map<String, String> priors, Scale priorScale) {
    Map<String, ConfiguredPrior> byName = new LinkedHashMap<>();
    priors.forEach((name, text) -> byName.put(name, ConfiguredPrior.of(text)));
    return new PriorConfig(ConfiguredPrior.of(prior), byName, priorScale, InterceptAt.CENTERS);
  }

  /**
   * Reads the keys.
   *
   * @throws UserException (usage) if a text is no prior
   */
  public static PriorConfig read(Section model) {
    return new PriorConfig(
        ConfiguredPrior.read(model, "prior", AUTO),
        model.map("priors", PriorConfig::prior),
        model.choice("prior_scale", Scale.STANDARDIZED),
        model.choice("intercept_at", InterceptAt.CENTERS));
  }

  /** Returns whether a prior follows from the table. */
  public boolean isAuto() {
    return prior.isAuto() || priors.containsValue(ConfiguredPrior.AUTO);
  }

  /**
   * Returns the priors without those of parameters that are no coefficients: standard deviations of
   * smooths, monotonic effects.
   *
   * @param names of such
   */
  public PriorConfig without(List<String> names) {
    Map<String, ConfiguredPrior> rest = new LinkedHashMap<>(priors);
    rest.keySet().removeAll(names);
    return new PriorConfig(prior, rest, priorScale, interceptAt);
  }

  /**
   * Returns the prior of a standard deviation of a smooth.
   *
   * @param sd its name
   * @param byDefault its prior if {@link #priors} does not name it
   * @throws UserException (usage) if the prior has negative values
   */
  public UnivariatePrior ofSd(String sd, UnivariatePrior byDefault) {
    ConfiguredPrior of = priors.getOrDefault(sd, ConfiguredPrior.AUTO);
    if (of.isAuto()) {
      return byDefault;
    }
    if (!(of.density().lower() >= 0)) {
      throw UserException.usage(
          "model.priors: %s is a standard deviation, and %s allows negative values. Write for instance half_normal(0, 1) or exponential(1)."
              .formatted(sd, of));
    }
    return of.density();
  }

  /**
   * Returns α of a monotonic effect's simplex: its own, or ones.
   *
   * @throws UserException (usage) if its prior is another, or has another length
   */
  public double[] alphaOf(MonotonicColumns effect) {
    for (String column : effect.columns()) {
      if (priors.containsKey(column)) {
        throw UserException.usage(
            "model.priors names \"%s\", a difference of neighbours that follows from mo(x). Name %s or %s."
                .formatted(column, effect.slope(), effect.simplex()));
      }
    }
    double[] alpha = new double[effect.columns().size()];
    ConfiguredPrior of = priors.get(effect.simplex());
    double[] given = of == null ? new double[] {1} : of.isDirichlet() ? of.alpha() : new double[0];
    if (given.length != 1 && given.length != alpha.length) {
      throw UserException.usage(
          "model.priors: %s is a simplex of %d elements, but its prior is %s. Write dirichlet(1), or %2$d numbers."
              .formatted(effect.simplex(), alpha.length, of));
    }
    Arrays.setAll(alpha, k -> given[given.length == 1 ? 0 : k]);
    return alpha;
  }

  private static ConfiguredPrior prior(Section parent, String name) {
    String text = parent.text(name);
    if (text == null) {
      throw parent.wrong(name, "a prior, for instance " + EXAMPLE);
    }
    return parent.checked(name, ConfiguredPrior::of, text);
  }

  /**
   * Returns the prior of each coefficient, by its name: its own, else its column's, else {@link
   * #prior()}; instead of a {@link SharedHorseshoe} there, {@link #AUTO} if it is no slope.
   *
   * @param coefficients the names of θ's elements
   * @param predictors the columns whose coefficients the first elements of θ are. A column's name
   *     stands for all its coefficients, unless it is the name of one
   * @throws UserException if {@link #priors()} names one that does not exist
   */
  public Map<String, ConfiguredPrior> priorsOf(
      List<String> coefficients, List<String> columns, Predictors predictors) {
    int linear = predictors.coefficients();
    boolean stands = linear > 0 && predictors.isFull();
    for (String name : priors.keySet()) {
      if (!coefficients.contains(name) && !(stands && columns.contains(name))) {
        throw UserException.usage(
            "model.priors names \"%s\", which is no coefficient of the prepared table; %s"
                .formatted(name, meant(name, coefficients, "its coefficients are ", coefficients)));
      }
    }
    Map<String, ConfiguredPrior> byName = new LinkedHashMap<>();
    for (int j = 0; j < coefficients.size(); j++) {
      String column = j < linear ? columns.get(predictors.column(j)) : "";
      String name = coefficients.get(j);
      boolean slope = j < linear && !column.equals(INTERCEPT);
      ConfiguredPrior rest = !slope && prior.isShared() ? ConfiguredPrior.AUTO : prior;
      ConfiguredPrior ofColumn =
          stands && !coefficients.contains(column) ? priors.getOrDefault(column, rest) : rest;
      ConfiguredPrior of = priors.getOrDefault(name, ofColumn);
      if (of.isDirichlet()) {
        throw UserException.usage(
            "model.priors gives %s the prior %s, which is for the simplex of mo(x). Choose another, such as %s."
                .formatted(name, of, EXAMPLE));
      }
      if (!slope && of.isShared()) {
        throw UserException.usage(
            "model.priors gives %s the prior %s, which is for coefficients of columns. Choose another, such as %s."
                .formatted(name, of, EXAMPLE));
      }
      byName.put(name, of);
    }
    return byName;
  }

  /** Returns a clause with the nearest name, or with the first available ones. */
  static String meant(String name, List<String> candidates, String are, List<String> names) {
    String all = String.join(", ", names.stream().limit(12).toList());
    return NearestName.of(name, candidates)
        .map(nearest -> "did you mean \"" + nearest + "\"?")
        .orElse(are + all + (names.size() > 12 ? ", …." : "."));
  }
}
