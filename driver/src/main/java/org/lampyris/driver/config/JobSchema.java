package org.lampyris.driver.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.KeyTree;
import org.lampyris.bounds.config.KeyTree.Values;

/**
 * JSON schema (draft 2020-12) of a job file, which editors use to complete and check it. It has the
 * keys, types, choices, ranges and defaults of what reads them, and the words of the {@link
 * KeyPage}. It accepts whatever the program accepts, except numbers in quotes. It checks which keys
 * belong to a family; all other relations between keys are left to the program.
 */
public final class JobSchema {
  private static final String TYPE = "type";
  private static final String NULL = "null";
  private static final String MODEL = "model";
  private static final String FAMILY = "family";
  private static final List<String> TEXT = List.of("string", "number", "boolean", NULL);

  private final KnownKeys keys;
  private final KeyPage page;

  private JobSchema(KnownKeys keys, KeyPage page) {
    this.keys = keys;
    this.page = page;
  }

  /** Returns the schema as JSON, with the families, kernels and algorithms of the class path. */
  public static String asJson() {
    try {
      return new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(new JobSchema(KnownKeys.find(), KeyPage.shipped()).schema())
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts and numbers can be written", e);
    }
  }

  private Map<String, Object> schema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "A Lampyris job file");
    schema.putAll(section(keys.all(), "", keys.defaults()));
    return schema;
  }

  private Map<String, Object> section(
      KeyTree section, String path, @Nullable Object sectionDefaults) {
    Map<String, Object> properties = new LinkedHashMap<>();
    section
        .keys()
        .forEach(
            (key, below) -> {
              Object byDefault = sectionDefaults instanceof Map<?, ?> map ? map.get(key) : null;
              if (path.equals(MODEL + ".") && key.equals(FAMILY)) {
                byDefault = keys.family();
              }
              properties.put(key, key(below, path + key, byDefault));
            });
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put(TYPE, List.of("object", NULL));
    schema.put("properties", properties);
    if (path.equals(MODEL + ".")) {
      schema.put("allOf", families());
    }
    schema.put("additionalProperties", false);
    return schema;
  }

  private Map<String, Object> key(KeyTree key, String path, @Nullable Object byDefault) {
    Map<String, Object> schema = new LinkedHashMap<>();
    String meaning = page.plainMeaning(path);
    if (!meaning.isEmpty()) {
      schema.put("description", meaning);
    }
    List<Map<String, Object>> either = new ArrayList<>();
    for (Values values : key.values()) {
      either.add(values(key, values, path, byDefault));
    }
    if (either.size() == 1) {
      schema.putAll(either.get(0));
    } else if (either.size() > 1) {
      schema.put("anyOf", either);
    }
    if (byDefault != null && !(byDefault instanceof Map<?, ?>)) {
      schema.put("default", byDefault);
    }
    return schema;
  }

  private Map<String, Object> values(
      KeyTree key, Values values, String path, @Nullable Object byDefault) {
    if (values instanceof Values.Keys) {
      return section(key, path + ".", byDefault);
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    if (values instanceof Values.ByName) {
      schema.put(TYPE, List.of("object", NULL));
      schema.put("additionalProperties", item(key, path + ".<name>"));
    } else if (values instanceof Values.Sections) {
      schema.put(TYPE, List.of("array", NULL));
      schema.put("items", item(key, path + "[]"));
    } else if (values instanceof Values.Texts) {
      schema.put(TYPE, List.of("array", NULL));
      schema.put("items", object(TYPE, TEXT.subList(0, 3)));
    } else if (values instanceof Values.Flag) {
      schema.put(TYPE, List.of("boolean", NULL));
    } else if (values instanceof Values.Whole whole) {
      schema.put(TYPE, List.of("integer", NULL));
      limit(schema, "minimum", whole.least(), whole.least() != Long.MIN_VALUE);
      limit(schema, "maximum", whole.most(), whole.most() < Integer.MAX_VALUE);
    } else if (values instanceof Values.Real real) {
      schema.put(TYPE, List.of("number", NULL));
      Interval interval = real.interval();
      limit(
          schema,
          interval.lowIn() ? "minimum" : "exclusiveMinimum",
          interval.low(),
          interval.low() > -Double.MAX_VALUE);
      limit(
          schema,
          interval.highIn() ? "maximum" : "exclusiveMaximum",
          interval.high(),
          interval.high() < Double.MAX_VALUE);
    } else if (values instanceof Values.Choice choice) {
      List<@Nullable String> names = new ArrayList<>(choice.names());
      names.add(null);
      if (choice.form() == null) {
        schema.put("enum", names);
      } else {
        schema.put(
            "anyOf",
            List.of(object("enum", names), object(TYPE, "string", "pattern", choice.form())));
      }
    } else {
      schema.put(TYPE, TEXT);
    }
    return schema;
  }

  private Map<String, Object> item(KeyTree key, String path) {
    return key(key.keys().getOrDefault(KeyTree.ANY, new KeyTree()), path, null);
  }

  private static void limit(
      Map<String, Object> schema, String word, Number value, boolean isLimit) {
    if (isLimit) {
      schema.put(word, value);
    }
  }

  /** Returns the keys of section {@code model} for each family, with their allowed values. */
  private List<Map<String, Object>> families() {
    List<String> all =
        keys.ofFamilies().values().stream()
            .flatMap(own -> own.keySet().stream())
            .distinct()
            .toList();
    List<Map<String, Object>> cases = new ArrayList<>();
    keys.ofFamilies()
        .forEach(
            (family, own) -> {
              Map<String, Object> properties = new LinkedHashMap<>();
              for (String key : all) {
                KeyTree values = own.get(key);
                properties.put(key, values == null ? object(TYPE, NULL) : key(values, "", null));
              }
              Map<String, Object> named =
                  object("properties", object(FAMILY, object("const", family)));
              if (!family.equals(keys.family())) {
                named.put("required", List.of(FAMILY));
              }
              cases.add(object("if", named, "then", object("properties", properties)));
            });
    return cases;
  }

  private static Map<String, Object> object(String key, Object value) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put(key, value);
    return object;
  }

  private static Map<String, Object> object(String a, Object of, String b, Object and) {
    Map<String, Object> object = object(a, of);
    object.put(b, and);
    return object;
  }
}
