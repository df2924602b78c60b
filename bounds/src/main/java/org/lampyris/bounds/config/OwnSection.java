package org.lampyris.bounds.config;

import java.io.Serializable;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Section of the configuration with the settings of a {@link Registered} choice.
 *
 * @param key the section's key
 * @param settings a public record whose components are the keys of the section, in {@link
 *     ConfigText#key the configuration's words}; it is sent to executors
 * @param reader makes the settings of the section and what other sections say of defaults; throws
 *     {@link UserException} (usage) if a value is wrong
 */
public record OwnSection<S extends Record & Serializable>(
    String key, Class<S> settings, BiFunction<Section, Defaults, S> reader) {
  /**
   * Facts that defaults depend on, in addition to the section's own keys.
   *
   * @param anchor ξ of the untuned bounds that are computed beforehand
   * @param effects whether the model has effects of groups
   */
  public record Defaults(double anchor, boolean effects) {}

  /** Returns the section's keys. */
  public List<String> keys() {
    return ConfigText.keys(settings);
  }

  /**
   * Reads the settings.
   *
   * @throws UserException (usage) if a key is unknown or a value wrong
   */
  S read(Section parent, Defaults defaults) {
    return reader.apply(parent.section(key, keys().toArray(String[]::new)), defaults);
  }
}
