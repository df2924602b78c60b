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
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.dataprep.formula.Formula;
import org.lampyris.dataprep.formula.Formula.RandomTerm;

/**
 * Keys implied by {@code model.formula}, written into the configuration: the label, the intercept,
 * the offset, and the effects that vary by groups. They are then read and checked like all others.
 * A key that stands there as well has to say the same.
 */
final class FormulaKeys {
  private static final String MODEL = "model";
  private static final String DATA = "data";
  private static final String RANDOM = "random";
  private static final String EFFECTS = "effects";
  private static final String GROUP = "group";

  private final Mapping root;
  private final Origin origin;
  private final Formula formula;

  private FormulaKeys(Mapping root, Origin origin, Formula formula) {
    this.root = root;
    this.origin = origin;
    this.formula = formula;
  }

  /**
   * Writes the implied keys, if there is a formula. The tree is modified.
   *
   * @throws UserException (usage) if the formula is none, or another key says something else
   */
  static void apply(Mapping root) {
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

  /** Writes the offset, for a family that has one. */
  private void offset(Mapping model, String name) {
    Families families = Families.find();
    String family = child(model, "family") == null ? "" : text(child(model, "family"));
    Optional<ModelProvider> known =
        families.registered(family.isEmpty() ? ModelConfig.DEFAULT_FAMILY : family);
    if (known.filter(one -> !one.keys().contains("offset")).isPresent()) {
      boolean linear = known.get().isInLabelUnit(FamilySpec.of(known.get().name()));
      throw UserException.usage(
          "%s: model.formula has offset(%s), but model.family: %s takes no offset (%s do); %s."
              .formatted(
                  origin,
                  name,
                  known.get().name(),
                  families.having("offset"),
                  linear
                      ? "compute %s - (%s) AS label in data.query and use it as the label"
                          .formatted(formula.label(), name)
                      : "remove it, or change model.family"));
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
    Map<String, Mapping> there = new LinkedHashMap<>();
    if (child(model, RANDOM) instanceof Sequence list) {
      for (ConfigNode item : list.items()) {
        if (item instanceof Mapping entry) {
          there.put(text(child(entry, GROUP)), entry);
        }
      }
    }
    List<ConfigNode> entries = new ArrayList<>();
    for (RandomTerm term : formula.random()) {
      Mapping entry = there.remove(term.group());
      Mapping merged = Mapping.empty(entry == null ? origin : entry.origin());
      if (entry != null) {
        merged.entries().putAll(entry.entries());
        if (child(entry, EFFECTS) instanceof Sequence named
            && !named.items().stream().map(FormulaKeys::text).toList().equals(term.effects())) {
          throw UserException.usage(
              "%s: model.random names other effects of %s than model.formula, which has %s. Remove effects there."
                  .formatted(named.origin(), term.group(), String.join(", ", term.effects())));
        }
      }
      put(merged, GROUP, new Scalar(origin, term.group()));
      List<ConfigNode> effects = new ArrayList<>();
      term.effects().forEach(effect -> effects.add(new Scalar(origin, effect)));
      put(merged, EFFECTS, new Sequence(origin, effects));
      entries.add(merged);
    }
    for (Map.Entry<String, Mapping> other : there.entrySet()) {
      throw UserException.usage(
          "%s: model.random names the group '%s', which model.formula does not. Add (1 | %2$s) to the formula."
              .formatted(other.getValue().origin(), other.getKey()));
    }
    return entries;
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
