package org.lampyris.driver.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.dataprep.precompute.Family;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.LabelKind;

/**
 * The section {@code model}. Keys that the family does not have are null.
 *
 * @param family the likelihood: logistic, softmax, robust, gaussian, gamma, poisson, mixture, or
 *     the name of a class on the class path
 * @param prior the prior of every coefficient that {@code priors} does not name
 * @param priors priors by the coefficient's name, as it is reported; for a softmax regression also
 *     by the column's name, which stands for that column's coefficients of all classes
 * @param priorScale the columns whose coefficients the priors are about
 * @param df robust: the degrees of freedom ν
 * @param scale robust: the scale of (y − η)/scale, in units of the label
 * @param sigma gaussian: the noise's standard deviation as a number, or its prior, or "jeffreys",
 *     p(σ) ∝ 1/σ; mixture: the components' standard deviation, a number
 * @param shape gamma: α, with variance mean²/α
 * @param offset poisson: the column that is added to the linear predictor; null for none
 * @param referenceClass softmax: the class without coefficients; null for none
 * @param labelKind what the label of a class of the user's must be
 * @param options what a class of the user's is given, by key
 */
public record ModelConfig(
    String family,
    String prior,
    Map<String, String> priors,
    PriorScale priorScale,
    @Nullable Double df,
    @Nullable Double scale,
    @Nullable String sigma,
    @Nullable Double shape,
    @Nullable String offset,
    @Nullable String referenceClass,
    @Nullable LabelKind labelKind,
    Map<String, String> options) {

  /** The columns whose coefficients priors are about. */
  public enum PriorScale {
    /** The columns as {@code data.standardize} made them, which the sampler sees. */
    STANDARDIZED,
    /** The columns of the input. */
    INPUT
  }

  private static final String NONE = "none";

  /** p(σ) ∝ 1/σ, which is no prior of a coefficient. */
  private static final String JEFFREYS = "jeffreys";

  private static final double DEFAULT_DF = 4;

  static ModelConfig read(Section root, Consumer<String> priorCheck) {
    Section section =
        root.section(
            "model",
            "family",
            "prior",
            "priors",
            "prior_scale",
            "df",
            "scale",
            "sigma",
            "shape",
            "offset",
            "reference_class",
            "label_kind",
            "options");
    String family = family(section);
    FamilyKeys known = FamilyKeys.named(family).orElse(null);
    refuseForeign(section, family, known);
    String reference = section.text("reference_class");
    return new ModelConfig(
        family,
        prior(section, "prior", section.text("prior", "normal(0, 2.5)"), priorCheck),
        section.map("priors", (parent, name) -> prior(parent, name, priorCheck)),
        section.choice("prior_scale", PriorScale.STANDARDIZED),
        known == FamilyKeys.ROBUST ? section.number("df", DEFAULT_DF, Interval.POSITIVE) : null,
        positive(section, FamilyKeys.ROBUST, "scale", known),
        sigma(section, known, priorCheck),
        positive(section, FamilyKeys.GAMMA, "shape", known),
        section.text("offset"),
        NONE.equals(reference) ? null : reference,
        known == null ? section.choice("label_kind", LabelKind.REAL) : null,
        section.map("options", ModelConfig::option));
  }

  private static String family(Section section) {
    String family = section.text("family", FamilyKeys.LOGISTIC.text());
    if (family.indexOf('.') < 0) {
      section.choice(
          "family",
          FamilyKeys.names(),
          "; or the full name of a class of your own, with its package.");
    }
    return family;
  }

  /** Refuses the keys of other families. */
  private static void refuseForeign(Section section, String family, @Nullable FamilyKeys known) {
    for (FamilyKeys other : FamilyKeys.values()) {
      for (String key : other.keys()) {
        if (section.has(key) && (known == null || !known.keys().contains(key))) {
          throw foreign(section, key, "family: " + FamilyKeys.having(key), family);
        }
      }
    }
    boolean options = !section.map("options", ModelConfig::option).isEmpty();
    if (known != null && (options || section.has("label_kind"))) {
      String key = options ? "options" : "label_kind";
      throw foreign(section, key, "a family of your own, named by its class", family);
    }
  }

  private static UserException foreign(Section section, String key, String owner, String family) {
    return UserException.usage(
        section.originOf(key)
            + ": "
            + section.name(key)
            + " belongs to "
            + owner
            + ", and the family here is "
            + family
            + "; leave it out, or change model.family.");
  }

  private static @Nullable Double positive(
      Section section, FamilyKeys owner, String key, @Nullable FamilyKeys known) {
    if (known != owner) {
      return null;
    }
    Double value = section.number(key, Interval.POSITIVE);
    if (value == null) {
      throw missing(section, owner, key, "a number above 0, for instance " + key + ": 2");
    }
    return value;
  }

  private static @Nullable String sigma(
      Section section, @Nullable FamilyKeys known, Consumer<String> priorCheck) {
    if (known != FamilyKeys.GAUSSIAN) {
      Double given = positive(section, FamilyKeys.MIXTURE, "sigma", known);
      return given == null ? null : given.toString();
    }
    String text = section.text("sigma");
    if (text == null) {
      throw missing(
          section,
          FamilyKeys.GAUSSIAN,
          "sigma",
          "the noise's standard deviation, or its prior, for instance sigma: half_normal(0, 10)");
    }
    if (text.equals(JEFFREYS)) {
      return text;
    }
    try {
      Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return prior(section, "sigma", text, priorCheck);
    }
    section.number("sigma", Interval.POSITIVE);
    return text;
  }

  private static UserException missing(
      Section section, FamilyKeys family, String key, String remedy) {
    return UserException.usage(
        section.originOf("family")
            + ": "
            + section.name(key)
            + " is missing, which the family "
            + family.text()
            + " needs: "
            + remedy
            + ".");
  }

  private static String option(Section parent, String name) {
    String text = parent.text(name);
    if (text == null) {
      throw parent.wrong(name, "a text or a number");
    }
    return text;
  }

  private static String prior(Section parent, String name, Consumer<String> priorCheck) {
    String text = parent.text(name);
    if (text == null) {
      throw parent.wrong(name, "a prior, for instance normal(0, 2.5)");
    }
    return prior(parent, name, text, priorCheck);
  }

  private static String prior(
      Section section, String key, String text, Consumer<String> priorCheck) {
    return section.checked(
        key,
        t -> {
          priorCheck.accept(t);
          return t;
        },
        text);
  }

  /**
   * Returns the prior of each coefficient, by its name: its own, else its column's, else {@link
   * #prior()}.
   *
   * @param coefficients the names of θ's elements
   * @param columns the names of the table's columns
   * @param linear how many elements of θ, the first ones, are the columns' coefficients, once for
   *     each linear predictor
   * @throws UserException if {@link #priors()} names one that does not exist
   */
  public Map<String, String> priorsOf(List<String> coefficients, List<String> columns, int linear) {
    for (String name : priors.keySet()) {
      if (!coefficients.contains(name) && (linear == 0 || !columns.contains(name))) {
        throw UserException.usage(
            "model.priors names \""
                + name
                + "\", which is no coefficient of the prepared table; "
                + NearestName.of(name, coefficients)
                    .map(nearest -> "did you mean \"" + nearest + "\"?")
                    .orElse("its coefficients are " + shortened(coefficients) + "."));
      }
    }
    Map<String, String> byName = new LinkedHashMap<>();
    for (int j = 0; j < coefficients.size(); j++) {
      String column = j < linear ? columns.get(j % columns.size()) : "";
      String name = coefficients.get(j);
      byName.put(name, priors.getOrDefault(name, priors.getOrDefault(column, prior)));
    }
    return byName;
  }

  /**
   * Refuses, before a table is prepared, a prior for a coefficient that no column of it can have.
   * What only the rows tell, such as the levels of a category, is left to {@link #priorsOf}.
   *
   * @param features the columns
   * @throws UserException (usage) if {@link #priors()} names such a coefficient
   */
  public void requirePriorsOf(FeatureNames features) {
    // The coefficients of a class of the user's have names of its own.
    FamilyKeys.named(family).ifPresent(known -> PriorNames.require(priors, known, features));
  }

  static String shortened(List<String> names) {
    int shown = Math.min(names.size(), 12);
    return String.join(", ", names.subList(0, shown)) + (shown < names.size() ? ", …" : "");
  }

  /**
   * Refuses a table whose label is not what the family needs.
   *
   * @throws UserException (usage) that names both
   */
  public void requireLabel(TableSchema.Label label) {
    if (label.kind() != labelNeeded()) {
      throw UserException.usage(
          "model.family is "
              + family
              + ", which needs a label of the kind "
              + ConfigText.of(labelNeeded())
              + ", and the label '"
              + label.column()
              + "' of the prepared table is "
              + ConfigText.of(label.kind())
              + "; prepare the table again for this family.");
    }
  }

  /**
   * Refuses an algorithm that needs a lower bound where the family is known to have none. A class
   * of the user's is asked later.
   *
   * @throws UserException (usage) that says what applies
   */
  public void requireApplies(SamplerConfig.Algorithm algorithm) {
    if (algorithm == SamplerConfig.Algorithm.FIREFLY
        && FamilyKeys.named(family).filter(known -> !known.hasBound()).isPresent()) {
      throw Family.withoutBound(family, ConfigText.of(algorithm));
    }
  }

  /** Returns what the label must be. */
  public LabelKind labelNeeded() {
    return FamilyKeys.named(family)
        .map(FamilyKeys::label)
        .orElse(labelKind == null ? LabelKind.REAL : labelKind);
  }
}
