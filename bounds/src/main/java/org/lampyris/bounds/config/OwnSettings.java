package org.lampyris.bounds.config;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings from the sections of registered choices.
 *
 * @param sections the settings by the keys of their sections, in order
 */
public record OwnSettings(@Inline Map<String, Record> sections) implements Serializable {
  /** Copies the map. */
  public OwnSettings {
    sections = Collections.unmodifiableMap(new LinkedHashMap<>(sections));
  }

  /**
   * Reads sections.
   *
   * @param own which they are, each once
   * @throws UserException (usage) if a key is unknown or a value wrong
   */
  public static OwnSettings read(
      Section parent, List<OwnSection<?>> own, OwnSection.Defaults defaults) {
    Map<String, Record> settings = new LinkedHashMap<>();
    own.forEach(section -> settings.put(section.key(), section.read(parent, defaults)));
    return new OwnSettings(settings);
  }

  /**
   * Returns the settings of a type.
   *
   * @throws IllegalArgumentException if no section has such
   */
  public <S extends Record> S of(Class<S> type) {
    return sections.values().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("no section has settings of type " + type.getName()));
  }
}
