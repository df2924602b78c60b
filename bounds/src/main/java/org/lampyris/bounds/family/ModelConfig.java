package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.ShownSection;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorNames;
import org.lampyris.bounds.scale.CoefficientScale;

/**
 * The section {@code model}: a family, whose keys the family itself reads, and the priors.
 *
 * @param family the family's name and parameters; those of a class of the user's are its {@code
 *     options}, as text
 * @param priors the priors of the coefficients
 * @param labelKind what the label of a class of the user's must be; null for a family with a name
 */
public record ModelConfig(FamilySpec family, PriorConfig priors, @Nullable LabelKind labelKind)
    implements ShownSection {
  private static final String DEFAULT_FAMILY = "logistic";
  private static final String FAMILY = "family";
  private static final String LABEL_KIND = "label_kind";
  private static final String OPTIONS = "options";

  /**
   * Reads the section.
   *
   * @param root the whole configuration
   * @throws UserException (usage) if it is wrong; the message names place, key and remedy
   */
  public static ModelConfig read(Section root) {
    Families families = Families.find();
    Section section = root.section("model", keys(families).toArray(String[]::new));
    String name = section.text(FAMILY, DEFAULT_FAMILY);
    if (name.indexOf('.') < 0) {
      section.choice(
          FAMILY, families.names(), "; or the full name of a class of your own, with its package.");
    }
    Optional<ModelProvider> known = families.registered(name);
    refuseForeign(section, families, name, known);
    Map<String, String> options = section.map(OPTIONS, ModelConfig::option);
    if (known.isPresent() && (!options.isEmpty() || section.has(LABEL_KIND))) {
      String key = options.isEmpty() ? LABEL_KIND : OPTIONS;
      throw foreign(section, key, "a family of your own, named by its class", name);
    }
    PriorConfig priors = PriorConfig.read(section);
    if (known.isPresent()) {
      return new ModelConfig(
          new FamilySpec(name, known.get().read(section), List.of()), priors, null);
    }
    return new ModelConfig(
        new FamilySpec(name, new LinkedHashMap<>(options), List.of()),
        priors,
        section.choice(LABEL_KIND, LabelKind.REAL));
  }

  private static List<String> keys(Families families) {
    List<String> keys = new ArrayList<>(List.of(FAMILY));
    keys.addAll(PriorConfig.KEYS);
    keys.addAll(families.keys());
    keys.addAll(List.of(LABEL_KIND, OPTIONS));
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
        section.originOf(key)
            + ": "
            + section.name(key)
            + " belongs to "
            + owner
            + ", and the family here is "
            + family
            + "; leave it out, or change model.family.");
  }

  private static String option(Section parent, String name) {
    String text = parent.text(name);
    if (text == null) {
      throw parent.wrong(name, "a text or a number");
    }
    return text;
  }

  /** Returns the family, if it has a name; a class of the user's is not asked. */
  private Optional<ModelProvider> registered() {
    return Families.find().registered(family.name());
  }

  @Override
  public Map<String, @Nullable Object> shown() {
    boolean own = registered().isEmpty();
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put(FAMILY, family.name());
    shown.put("prior", priors.prior());
    shown.put("priors", priors.priors());
    shown.put("prior_scale", priors.scale());
    for (String key : Families.find().keys()) {
      shown.put(key, own ? null : family.parameters().get(key));
    }
    shown.put(LABEL_KIND, labelKind);
    shown.put(OPTIONS, own ? family.parameters() : Map.of());
    return shown;
  }

  /** Returns the anchor of the untuned bounds where none is set. */
  public double anchor() {
    return registered().map(ModelProvider::anchor).orElse(0.0);
  }

  /** Returns the column of the input that is added to the linear predictor, if there is one. */
  public Optional<String> offset() {
    return registered().flatMap(provider -> provider.offset(family));
  }

  /** Returns what the label must be. */
  public LabelKind labelNeeded() {
    return registered()
        .map(ModelProvider::label)
        .orElse(labelKind == null ? LabelKind.REAL : labelKind);
  }

  /**
   * Refuses, before a table is prepared, a prior for a coefficient that no column of it can have.
   * What only the rows tell, such as the levels of a category, is left to {@link
   * PriorConfig#priorsOf}.
   *
   * @param columns the columns whose names are known: the intercept, if there is one, and the
   *     numeric features
   * @param categorical the features that become a column {@code name[level]} for each level but one
   * @throws UserException (usage) if {@code priors} names such a coefficient
   */
  public void requirePriorsOf(List<String> columns, List<String> categorical) {
    // The coefficients of a class of the user's have names of its own.
    registered()
        .filter(ModelProvider::usesColumns)
        .map(
            provider ->
                new PriorNames(
                    columns,
                    categorical,
                    provider.ownCoefficients(),
                    provider.label() == LabelKind.CLASSES))
        .ifPresent(names -> names.require(priors.priors().keySet()));
  }

  /**
   * Returns whether the family is known to have no lower bound. A class of the user's is asked
   * later.
   */
  public boolean hasNoBound() {
    return registered().filter(provider -> !provider.hasBound()).isPresent();
  }

  /**
   * Refuses a table whose label is not what the family needs.
   *
   * @param kind what the label is
   * @param column its name
   * @throws UserException (usage) that names both
   */
  public void requireLabel(LabelKind kind, String column) {
    if (kind != labelNeeded()) {
      throw UserException.usage(
          "model.family is "
              + family.name()
              + ", which needs a label of the kind "
              + ConfigText.of(labelNeeded())
              + ", and the label '"
              + column
              + "' of the prepared table is "
              + ConfigText.of(kind)
              + "; prepare the table again for this family.");
    }
  }

  /**
   * Returns the model for a table.
   *
   * @param classes the names of the label's classes
   * @param columns the names of the table's columns
   * @param scale the columns' scale
   * @throws UserException (usage) if the two do not go together
   */
  public ModelOfTable on(List<String> classes, List<String> columns, CoefficientScale scale) {
    // The two classes of a binary label are −1 and +1; a family has no use for their names.
    List<String> named = labelNeeded() == LabelKind.CLASSES ? classes : List.of();
    ModelOfTable model = ModelOfTable.of(family.of(named), columns, priors);
    return priors.scale() == PriorConfig.Scale.INPUT ? model.withPriorsOnInputScale(scale) : model;
  }
}
