package org.lampyris.driver.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.ConfigNode.Mapping;
import org.lampyris.bounds.config.ConfigNode.Scalar;
import org.lampyris.bounds.config.ConfigNode.Sequence;
import org.lampyris.bounds.config.Origin;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.dataprep.formula.Formula;
import org.lampyris.dataprep.formula.Formula.RandomTerm;

/**
 * Keys implied by {@code model.formula}, or by {@code mu} in {@code model.formulas}, written into
 * the configuration: the label, the intercept, the offset, and the effects that vary by groups.
 * They are then read and checked like all others. A key that stands there as well has to say the
 * same.
 */
record FormulaKeys(Mapping root, Origin origin, Formula formula) {
  private static final String MODEL = "model";
  private static final String DATA = "data";
  private static final String FAMILY = "family";
  private static final String RANDOM = "random";
  private static final String EFFECTS = "effects";
  private static final String GROUP = "group";
  private static final String PRIOR = "prior";
  private static final String CORRELATION = "correlation";

  /**
   * Writes the implied keys, if there is a formula. The tree is modified.
   *
   * @throws UserException (usage) if the formula is none, or another key says something else
   */
  static void apply(Mapping root) {
    if (child(root, MODEL) instanceof Mapping model
        && child(model, "formulas") instanceof Mapping formulas) {
      ConfigNode mu = child(formulas, "mu");
      if (mu != null && child(model, "formula") != null) {
        throw UserException.usage(
            "%s: model.formula is set, and model.formulas has mu, which is the same. Remove one of the two."
                .formatted(mu.origin()));
      }
      if (mu != null) {
        model.entries().put("formula", new ConfigNode.Entry(mu.origin(), mu));
        formulas.entries().remove("mu");
      }
    }
    if (child(root, MODEL) instanceof Mapping model
        && child(model, "formula") instanceof Scalar scalar
        && scalar.text() != null) {
      Formula formula = Formula.parse(scalar.text());
      new FormulaKeys(root, scalar.origin(), formula).write(model);
    }
  }

  private void write(Mapping model) {
    Mapping data = section(root, DATA);
    require(data, DATA, "label", formula.label());
    formula.weightsName().ifPresent(name -> require(data, DATA, "weight", name));
    formula.trialsName().ifPresent(name -> trials(model, name));
    requireIntercept(data);
    ConfigNode features = child(data, "features");
    if (features instanceof Sequence list && !list.items().isEmpty()) {
      throw UserException.usage(
          "%s: data.features is set, but model.formula already names the features. Remove one of the two."
              .formatted(features.origin()));
    }
    formula.offsetName().ifPresent(name -> offset(model, name));
    if (!formula.random().isEmpty() || child(model, RANDOM) instanceof Sequence) {
      put(model, RANDOM, new Sequence(origin, random(model)));
    }
  }

  /** Writes the number of trials, and the family that has one unless a family is named. */
  private void trials(Mapping model, String name) {
    String family = child(model, FAMILY) == null ? "" : text(child(model, FAMILY));
    if (family.isEmpty()) {
      put(model, FAMILY, new Scalar(origin, "binomial"));
    } else if (Families.find()
        .registered(family)
        .filter(one -> !one.keys().contains("trials"))
        .isPresent()) {
      throw UserException.usage(
          "%s: model.formula has successes in trials (%s), but model.family: %s takes no trials. Set model.family: binomial."
              .formatted(origin, name, family));
    }
    require(model, MODEL, "trials", name);
  }

  /** Writes the offset, for a family that has one. */
  private void offset(Mapping model, String name) {
    Families families = Families.find();
    String family = child(model, FAMILY) == null ? "" : text(child(model, FAMILY));
    Optional<ModelProvider> known =
        families.registered(family.isEmpty() ? ModelConfig.DEFAULT_FAMILY : family);
    if (known.filter(one -> !one.keys().contains("offset")).isPresent()) {
      throw UserException.usage(
          "%s: model.formula has offset(%s), but model.family: %s takes no offset (%s do); remove it, or change model.family."
              .formatted(origin, name, known.get().name(), families.having("offset")));
    }
    require(model, MODEL, "offset", name);
  }

  private void requireIntercept(Mapping data) {
    if (child(data, "intercept") instanceof Scalar) {
      require(data, DATA, "intercept", String.valueOf(formula.intercept()));
    } else if (!formula.intercept()) {
      put(data, "intercept", new Scalar(origin, "false"));
    }
  }

  /** Returns the entries of {@code model.random}, with the priors of the existing entries. */
  private List<ConfigNode> random(Mapping model) {
    Map<String, List<Mapping>> there = new LinkedHashMap<>();
    if (child(model, RANDOM) instanceof Sequence list) {
      for (ConfigNode item : list.items()) {
        if (item instanceof Mapping entry) {
          there.computeIfAbsent(text(child(entry, GROUP)), group -> new ArrayList<>()).add(entry);
        }
      }
    }
    List<ConfigNode> entries = new ArrayList<>();
    for (RandomTerm term : formula.random()) {
      entries.add(entry(term, there.getOrDefault(term.group(), List.of())));
    }
    formula.random().forEach(term -> there.remove(term.group()));
    for (Map.Entry<String, List<Mapping>> other : there.entrySet()) {
      throw UserException.usage(
          "%s: model.random names the group '%s', which model.formula does not. Add (1 | %2$s) to the formula."
              .formatted(other.getValue().get(0).origin(), other.getKey()));
    }
    return entries;
  }

  /**
   * Returns the entry of a term.
   *
   * @param there the entries with its group: with its effects, or with none for all of its terms
   */
  private Mapping entry(RandomTerm term, List<Mapping> there) {
    Mapping own = null;
    for (Mapping one : there) {
      List<String> named =
          child(one, EFFECTS) instanceof Sequence effects
              ? effects.items().stream().map(FormulaKeys::text).toList()
              : null;
      if (named == null || named.equals(term.effects())) {
        own = one;
      } else if (formula.random().stream()
          .noneMatch(of -> of.group().equals(term.group()) && of.effects().equals(named))) {
        throw UserException.usage(
            "%s: model.random names other effects of %s than model.formula, which has %s. Remove effects there."
                .formatted(one.origin(), term.group(), String.join(", ", term.effects())));
      }
    }
    Mapping merged = Mapping.empty(own == null ? origin : own.origin());
    if (own != null) {
      merged.entries().putAll(own.entries());
    }
    put(merged, GROUP, new Scalar(origin, term.group()));
    List<ConfigNode> effects = new ArrayList<>();
    term.effects().forEach(effect -> effects.add(new Scalar(origin, effect)));
    put(merged, EFFECTS, new Sequence(origin, effects));
    if (!term.correlated()) {
      Mapping prior = Mapping.empty(origin);
      if (child(merged, PRIOR) instanceof Mapping given) {
        prior.entries().putAll(given.entries());
      }
      ConfigNode given = child(prior, CORRELATION);
      if (given != null && !text(given).equals(EffectsConfig.NONE)) {
        throw UserException.usage(
            "%s: model.formula has (… || %s), effects without correlations, but this is a prior of correlations. Remove it."
                .formatted(given.origin(), term.group()));
      }
      put(prior, CORRELATION, new Scalar(origin, EffectsConfig.NONE));
      put(merged, PRIOR, prior);
    }
    return merged;
  }

  private void require(Mapping section, String name, String key, String value) {
    ConfigNode node = child(section, key);
    if (node instanceof Scalar scalar && scalar.text() != null) {
      if (!scalar.text().equals(value)) {
        throw UserException.usage(
            "%s: %s.%s is \"%s\", but model.formula (%s) implies \"%s\". Remove one of the two."
                .formatted(scalar.origin(), name, key, scalar.text(), origin, value));
      }
    } else if (!(node instanceof Mapping) && !(node instanceof Sequence)) {
      put(section, key, new Scalar(origin, value));
    }
  }

  private Mapping section(Mapping parent, String key) {
    if (child(parent, key) instanceof Mapping there) {
      return there;
    }
    Mapping made = Mapping.empty(origin);
    put(parent, key, made);
    return made;
  }

  private void put(Mapping section, String key, ConfigNode value) {
    section.entries().put(key, new ConfigNode.Entry(origin, value));
  }

  private static @Nullable ConfigNode child(Mapping section, String key) {
    ConfigNode.Entry entry = section.entries().get(key);
    return entry == null ? null : entry.value();
  }

  private static String text(@Nullable ConfigNode node) {
    return node instanceof Scalar scalar ? String.valueOf(scalar.text()) : "";
  }
}
