package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorNames;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.rows.Predictors;

/**
 * The section {@code model}: a family, whose keys the family itself reads, and the priors.
 *
 * @param family the family's name, or the name of a class on the class path
 * @param formula the model in R's notation, as it is written; null where columns are named one by
 *     one
 * @param formulas the right-hand side, with a ~ before it, of the family's own parameter
 * @param priors the priors of the coefficients
 * @param keys what the family has read, by key; null for keys that it does not have
 * @param labelKind what the label of a class of the user's must be; null for a family with a name
 * @param options what a class of the user's is given, by key
 * @param random what varies by groups of rows
 */
public record ModelConfig(
    String family,
    @Nullable String formula,
    Map<String, String> formulas,
    @Inline PriorConfig priors,
    @Inline Map<String, @Nullable Object> keys,
    @Nullable LabelKind labelKind,
    Map<String, String> options,
    List<EffectsConfig> random) {
  /** The default family. */
  public static final String DEFAULT_FAMILY = "logistic";

  private static final String FAMILY = "family";
  private static final String FORMULA = "formula";
  private static final String FORMULAS = "formulas";
  private static final String LABEL_KIND = "label_kind";
  private static final String OPTIONS = "options";
  private static final String RANDOM = "random";

  /** Copies the list. */
  public ModelConfig {
    random = List.copyOf(random);
  }

  /**
   * Reads the section.
   *
   * @throws UserException (usage) if it is wrong; the message names place, key and remedy
   */
  public static ModelConfig read(Section root) {
    Families families = Families.find();
    Section section = root.section("model", keys(families).toArray(String[]::new));
    String named = section.choice(FAMILY, families.names(), "\\.", "; or your class's full name.");
    String name = named == null ? DEFAULT_FAMILY : named;
    Optional<ModelProvider> known = families.registered(name);
    refuseForeign(section, families, name, known);
    Map<String, String> options = section.map(OPTIONS, ModelConfig::option);
    if (known.isPresent() && (!options.isEmpty() || section.has(LABEL_KIND))) {
      String key = options.isEmpty() ? LABEL_KIND : OPTIONS;
      throw foreign(section, key, "your own families, named by their class", name);
    }
    PriorConfig priors = PriorConfig.read(section);
    Map<String, @Nullable Object> read = new LinkedHashMap<>();
    families.keys().forEach(key -> read.put(key, null));
    if (known.filter(provider -> provider.keys().contains(ModelProvider.OFFSET)).isPresent()) {
      read.put(ModelProvider.OFFSET, section.text(ModelProvider.OFFSET));
    }
    known.ifPresent(provider -> read.putAll(provider.read(section)));
    Map<String, String> formulas = section.map(FORMULAS, ModelConfig::rightHandSide);
    formulas.keySet().forEach(parameter -> read.put(parameter, null));
    LabelKind label = known.isPresent() ? null : section.choice(LABEL_KIND, LabelKind.REAL);
    List<EffectsConfig> random = EffectsConfig.read(section, RANDOM);
    if (!random.isEmpty() && known.filter(ModelProvider::takesEffects).isEmpty()) {
      throw UserException.usage(
          "%s: %s is for the families %s, and the family here is %s. Remove it, or change model.family."
              .formatted(
                  section.originOf(RANDOM),
                  section.name(RANDOM),
                  ConfigText.listed(
                      families.all().stream()
                          .filter(ModelProvider::takesEffects)
                          .map(ModelProvider::name)
                          .toList(),
                      "and"),
                  name));
    }
    boolean shared =
        priors.prior().isShared()
            || priors.priors().values().stream().anyMatch(ConfiguredPrior::isShared);
    requireFormulas(section, families, name, formulas.keySet(), !random.isEmpty(), shared);
    return new ModelConfig(
        name,
        section.text(FORMULA),
        formulas,
        priors,
        Collections.unmodifiableMap(read),
        label,
        options,
        random);
  }

  private static List<String> keys(Families families) {
    List<String> keys = new ArrayList<>(List.of(FAMILY, FORMULA, FORMULAS));
    keys.addAll(PriorConfig.KEYS);
    keys.addAll(families.keys());
    keys.addAll(List.of(LABEL_KIND, OPTIONS, RANDOM));
    return keys;
  }

  /** Refuses the keys of other families. */
  private static void refuseForeign(
      Section section, Families families, String name, Optional<ModelProvider> known) {
    List<String> own = known.map(ModelProvider::keys).orElse(List.of());
    for (ModelProvider other : families.all()) {
      for (String key : other.keys()) {
        if (section.has(key) && !own.contains(key)) {
          throw foreign(section, key, "family: " + families.having(key), name);
        }
      }
    }
  }

  private static UserException foreign(Section section, String key, String owner, String family) {
    return UserException.usage(
        "%s: %s is for %s, and the family here is %s. Remove it, or change model.family."
            .formatted(section.originOf(key), section.name(key), owner, family));
  }

  private static String rightHandSide(Section parent, String name) {
    String text = parent.text(name);
    if (text == null || !text.strip().startsWith("~")) {
      throw parent.wrong(name, "the terms of a predictor after a ~, for instance \"~ x\"");
    }
    return text.strip();
  }

  /** Refuses formulas of parameters that the family does not have, or that are given too. */
  private static void requireFormulas(
      Section section,
      Families families,
      String family,
      Set<String> parameters,
      boolean effects,
      boolean shared) {
    Optional<String> own = families.registered(family).flatMap(ModelProvider::modelled);
    for (String parameter : parameters) {
      if (own.filter(parameter::equals).isEmpty()) {
        List<String> having =
            families.all().stream()
                .filter(one -> one.modelled().filter(parameter::equals).isPresent())
                .map(ModelProvider::name)
                .toList();
        throw UserException.usage(
            "%s: %s.%s: the family %s has %s. Remove it%s."
                .formatted(
                    section.originOf(FORMULAS),
                    section.name(FORMULAS),
                    parameter,
                    family,
                    own.map(one -> "a formula for " + one + " only")
                        .orElse("no parameter with a formula"),
                    having.isEmpty()
                        ? ""
                        : ", or set model.family to " + ConfigText.listed(having, "or")));
      }
      if (section.has(parameter)) {
        throw UserException.usage(
            "%s: %s is set, and %s has a formula for it. Remove one of the two."
                .formatted(
                    section.originOf(parameter), section.name(parameter), section.name(FORMULAS)));
      }
    }
    String problem =
        !section.has(FORMULA)
            ? "needs model.formula, which is missing. Write the label and its terms there"
            : effects
                ? "takes no effects of groups. Remove (… | group) from model.formula"
                : shared
                    ? "takes no prior with a sampled global scale. Write horseshoe(0.1), a given"
                        + " one"
                    : "";
    if (!parameters.isEmpty() && !problem.isEmpty()) {
      throw UserException.usage(
          "%s: %s %s.".formatted(section.originOf(FORMULAS), section.name(FORMULAS), problem));
    }
  }

  private static String option(Section parent, String name) {
    String text = parent.text(name);
    if (text == null) {
      throw parent.wrong(name, "a text or a number");
    }
    return text;
  }

  /** Returns the family, if it is registered; a user's class is not loaded. */
  private Optional<ModelProvider> registered() {
    return Families.find().registered(family);
  }

  /** Returns the family's name and parameters. */
  FamilySpec spec() {
    Map<String, Object> parameters = new LinkedHashMap<>(options);
    keys.forEach(
        (key, value) -> {
          if (value != null) {
            parameters.put(key, value);
          }
        });
    formulas.forEach((key, text) -> parameters.put(key, new OwnFormula(text, null, 0)));
    return new FamilySpec(family, parameters, List.of());
  }

  /** Returns the formula of the table's columns, with the terms of all linear predictors. */
  public @Nullable String tableFormula() {
    String all = formula;
    for (String other : formulas.values()) {
      all += " + (" + other.substring(1).strip() + ")";
    }
    return all;
  }

  /** Returns the default anchor of the untuned bounds. */
  public double anchor() {
    return registered().map(ModelProvider::anchor).orElse(0.0);
  }

  /** Returns the column of the offset, if there is one. */
  public Optional<String> offset() {
    return registered().flatMap(provider -> provider.offset(spec()));
  }

  /** Returns the column with the numbers of trials, if there is one. */
  public Optional<String> trials() {
    return registered().flatMap(provider -> provider.trials(spec()));
  }

  /** Returns the column with the times that intervals end at, if there is one. */
  public Optional<String> secondTime() {
    return registered().flatMap(provider -> provider.secondTime(spec()));
  }

  /** Returns the classes that the label may have; empty for those that occur. */
  public List<String> classes() {
    return registered().map(provider -> provider.classes(spec())).orElse(List.of());
  }

  /** Returns the parameter that only labels of 0 tell anything about, if there is one. */
  public Optional<String> zeros() {
    return registered().flatMap(provider -> provider.zeros(spec()));
  }

  /** Returns the kind of label that the family needs. */
  public LabelKind labelNeeded() {
    return registered()
        .map(provider -> provider.label(spec()))
        .orElse(labelKind == null ? LabelKind.REAL : labelKind);
  }

  /**
   * Refuses, before a table is prepared, a prior for a coefficient that none of its columns can
   * have. Names that depend on the rows, such as the levels of a category, are left to {@link
   * PriorConfig#priorsOf}.
   *
   * @param columns the columns whose names are known: the intercept, if there is one, and the
   *     numeric features
   * @param categorical the features that become a column {@code name[level]} for each level but one
   * @param terms the terms that become several columns, all of which an effect's name can mean
   * @throws UserException (usage) if {@code priors} or {@code random} names such a coefficient
   */
  public void requirePriorsOf(List<String> columns, List<String> categorical, List<String> terms) {
    List<String> several = Stream.concat(categorical.stream(), terms.stream()).toList();
    random.forEach(effects -> effects.require(columns, several));
    // The coefficients of a class of the user's have names of its own.
    registered()
        .filter(ModelProvider::usesColumns)
        .map(
            provider ->
                new PriorNames(
                    withOwn(columns),
                    withOwn(categorical),
                    provider.ownCoefficients(),
                    provider.label() == LabelKind.CLASSES))
        .ifPresent(names -> names.require(priors.priors().keySet()));
  }

  /**
   * Refuses, before a table is prepared, columns and priors that the family has no coefficients
   * for.
   *
   * @param intercept whether there is a column of ones
   * @param terms the terms of the formula, or the features that are named
   * @param smooth the smooths and mo() among them, which have priors of their own
   * @throws UserException (usage) that names the key and the remedy
   */
  public void requireColumns(boolean intercept, List<String> terms, List<String> smooth) {
    Optional<ModelProvider> known = registered();
    known.ifPresent(provider -> provider.requireColumns(intercept, terms));
    if (known.filter(provider -> !provider.usesColumns()).isEmpty()) {
      return;
    }
    String wrong =
        !smooth.isEmpty()
            ? String.join(", ", smooth) + " in model.formula has no place. Write the columns alone"
            : priors.prior().isShared()
                ? "the prior %s in model.prior has no place. Write normal(0, 1), for instance"
                    .formatted(priors.prior())
                : priors.interceptAt() == PriorConfig.InterceptAt.ZERO
                    ? "model.intercept_at: zero has no place. Remove it"
                    : "";
    if (!wrong.isEmpty()) {
      throw UserException.usage(
          "model.family: %s has no coefficients of columns, so %s.".formatted(family, wrong));
    }
  }

  /** Returns names of columns with those of their coefficients in formulas of parameters. */
  private List<String> withOwn(List<String> names) {
    List<String> all = new ArrayList<>(names);
    formulas.keySet().forEach(of -> names.forEach(column -> all.add(OwnFormula.name(of, column))));
    return all;
  }

  /**
   * Returns whether the family is a {@linkplain ModelProvider#isProgram program}. A class of the
   * user's is loaded.
   *
   * @throws UserException (usage) if there is no such class, or it is no family
   */
  public boolean isProgram() {
    return Families.find().named(family).isProgram();
  }

  /** Returns a key that only coefficients of columns heed, as it is set; empty if none is. */
  public String keyOfCoefficients() {
    return !priors.equals(PriorConfig.NONE)
        ? "a prior in the section model"
        : !random.isEmpty() ? "model.random" : !formulas.isEmpty() ? "model.formulas" : "";
  }

  /**
   * Returns whether the family is known to have no lower bound. A class of the user's is asked
   * later.
   */
  public boolean hasNoBound() {
    return registered().filter(provider -> !provider.hasBound(spec())).isPresent();
  }

  /** Returns whether θ is known to be no square matrix. A class of the user's is asked later. */
  public boolean isNoMatrix() {
    return registered().filter(provider -> !provider.isMatrix()).isPresent();
  }

  /**
   * Refuses a table whose label has another kind than the family needs.
   *
   * @throws UserException (usage) that names both
   */
  public void requireLabel(LabelKind kind, String column) {
    if (kind != labelNeeded()) {
      throw UserException.usage(
          ("model.family is %s, which needs a label of kind %s. The label '%s' of the prepared"
                  + " table is %s. Prepare the table again for this family.")
              .formatted(family, ConfigText.of(labelNeeded()), column, ConfigText.of(kind)));
    }
  }

  /**
   * Returns the model for a table.
   *
   * @param sds the names of the standard deviations of its smooths
   * @param monotonic the columns of its monotonic effects
   * @param predictors the columns of the label's predictor and of the parameter's; empty unless
   *     there are {@link #formulas}
   * @throws UserException (usage) if the two do not go together
   */
  public ModelOfTable on(
      List<String> classes,
      List<String> columns,
      List<String> sds,
      List<MonotonicColumns> monotonic,
      List<int[]> predictors,
      TableScale table) {
    FamilySpec spec = spec();
    for (Map.Entry<String, String> formula : formulas.entrySet()) {
      Predictors of = Predictors.of(columns.size(), predictors);
      spec = spec.with(formula.getKey(), new OwnFormula(formula.getValue(), of, 0));
    }
    // The two classes of a binary label are −1 and +1; a family has no use for their names.
    List<String> named = labelNeeded() == LabelKind.CLASSES ? classes : List.of();
    return ModelOfTable.of(spec.of(named), columns, priors.without(sds), table, monotonic);
  }
}
