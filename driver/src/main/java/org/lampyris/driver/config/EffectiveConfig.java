package org.lampyris.driver.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.prior.ConfiguredPrior;

/** Configuration with its defaults, as stored with a run and shown to the user. */
public final class EffectiveConfig {
  private EffectiveConfig() {}

  /** Returns every key and its value, nested as in the file; keys without a value hold null. */
  public static Map<String, @Nullable Object> asMap(JobConfig config) {
    return recordAsMap(config);
  }

  /** Returns the configuration as YAML, which reads back as the same configuration. */
  public static String asYaml(JobConfig config) {
    YAMLFactory factory =
        YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();
    try {
      return new ObjectMapper(factory).writeValueAsString(asMap(config));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts and numbers can be written", e);
    }
  }

  private static Map<String, @Nullable Object> recordAsMap(Record record) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        Object value = plain(component.getAccessor().invoke(record));
        if (component.isAnnotationPresent(Inline.class) && value instanceof Map<?, ?> inner) {
          inner.forEach((key, item) -> map.put(String.valueOf(key), item));
        } else {
          map.put(ConfigText.key(component.getName()), value);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a public record's accessor can be called", e);
      }
    }
    return map;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Record record) {
      return recordAsMap(record);
    }
    if (value instanceof ConfiguredPrior prior) {
      return prior.toString();
    }
    if (value instanceof Enum<?> constant) {
      return ConfigText.of(constant);
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((key, item) -> copy.put(String.valueOf(key), plain(item)));
      return copy;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(EffectiveConfig::plain).toList();
    }
    return value;
  }
}
