package org.lampyris.driver.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.KeyTree;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Families;

/**
 * All keys that a job file can have, including keys of families, kernels and algorithms registered
 * by other jars. They are found by reading a configuration that is empty, except for one entry
 * wherever users choose names.
 *
 * @param all the keys
 * @param ofFamilies the keys of the section {@code model} that are a family's own, by the family
 * @param defaults the values of keys that are left out, nested as in the file; what depends on the
 *     family has none
 * @param family the family where none is named
 */
record KnownKeys(
    KeyTree all,
    Map<String, Map<String, KeyTree>> ofFamilies,
    Map<String, @Nullable Object> defaults,
    String family) {
  private static final String OPEN =
      """
      data: {categorical: {any: {}}, csv: {types: {any: text}}}
      model: {priors: {any: flat}, random: [{group: group, effects: [any]}]}
      """;
  private static final String FORMULA_OF_A_PARAMETER =
      "model: {family: any.Any, formulas: {any: ~ x}}";
  private static final String CLASS_OF_A_USER = "model: {family: any.Any, options: {any: any}}";
  private static final String FAMILY = "model: {family: \"%s\"}";

  /** Finds them, by the thread's context class loader. */
  static KnownKeys find() {
    KeyTree all = new KeyTree();
    ConfigReader reader = new ConfigReader();
    reader.interpret(tree(OPEN), all);
    reader.interpret(tree(CLASS_OF_A_USER), all);
    try {
      reader.interpret(tree(FORMULA_OF_A_PARAMETER), all);
    } catch (UserException e) {
      // A class has no parameter with a formula, but the key has been asked for by now.
    }
    Families families = Families.find();
    List<String> own = families.keys();
    Map<String, Map<String, KeyTree>> ofFamilies = new LinkedHashMap<>();
    List<Map<String, @Nullable Object>> defaults = new ArrayList<>();
    for (String family : families.names()) {
      KeyTree read = new KeyTree();
      try {
        defaults.add(EffectiveConfig.asMap(reader.interpret(tree(FAMILY.formatted(family)), read)));
      } catch (UserException e) {
        // It needs a key, which has been asked for by now.
      }
      Map<String, KeyTree> keys = new LinkedHashMap<>();
      read.keys()
          .getOrDefault("model", new KeyTree())
          .keys()
          .forEach(
              (key, values) -> {
                if (own.contains(key) && !values.values().isEmpty()) {
                  keys.put(key, values);
                }
              });
      ofFamilies.put(family, keys);
    }
    String family = reader.interpret(tree("{}"), new KeyTree()).model().family();
    return new KnownKeys(all, ofFamilies, common(defaults), family);
  }

  /** Returns the full names of all keys, such as "sampler.draws". */
  List<String> names() {
    List<String> names = new ArrayList<>();
    addNames(all, "", names);
    return names;
  }

  /** Adds the names of the keys below one; {@code names} is modified. */
  private static void addNames(KeyTree parent, String path, List<String> names) {
    parent
        .keys()
        .forEach(
            (key, below) -> {
              if (below.values().contains(new KeyTree.Values.Keys())) {
                addNames(below, path + key + ".", names);
              } else {
                names.add(path + key);
              }
            });
  }

  private static ConfigNode.Mapping tree(String yaml) {
    return YamlTree.file(yaml, "a job file");
  }

  /** Returns the entries shared by all maps, without the keys of single families. */
  private static Map<String, @Nullable Object> common(List<Map<String, @Nullable Object>> all) {
    Map<String, @Nullable Object> common = new LinkedHashMap<>(all.get(0));
    for (Map<String, @Nullable Object> other : all) {
      common.replaceAll((key, value) -> common(value, other.get(key)));
    }
    return common;
  }

  private static @Nullable Object common(@Nullable Object value, @Nullable Object other) {
    if (value instanceof Map<?, ?> map && other instanceof Map<?, ?> there) {
      Map<String, @Nullable Object> common = new LinkedHashMap<>();
      map.forEach((key, item) -> common.put(String.valueOf(key), common(item, there.get(key))));
      return common;
    }
    return Objects.equals(value, other) ? value : null;
  }
}
