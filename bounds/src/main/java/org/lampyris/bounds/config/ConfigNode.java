package org.lampyris.bounds.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Node of the configuration as written, before its meaning is known. */
public sealed interface ConfigNode {
  /** Returns its position in the source. */
  Origin origin();

  /** Returns its kind, for messages such as "… must be a number, but is a list". */
  String kind();

  /** A value: its text is kept as written, so that the key decides how it is read. */
  record Scalar(Origin origin, @Nullable String text) implements ConfigNode {
    @Override
    public String kind() {
      return text == null ? "empty" : "\"" + text + "\"";
    }
  }

  /** A list. */
  record Sequence(Origin origin, List<ConfigNode> items) implements ConfigNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys and their values, in order. Mutable: overrides are written into it. */
  record Mapping(Origin origin, Map<String, Entry> entries) implements ConfigNode {
    /** Returns a mapping without entries. */
    public static Mapping empty(Origin origin) {
      return new Mapping(origin, new LinkedHashMap<>());
    }

    @Override
    public String kind() {
      return "a section with keys";
    }
  }

  /** A value, and the position of its key. */
  record Entry(Origin keyOrigin, ConfigNode value) {}
}
