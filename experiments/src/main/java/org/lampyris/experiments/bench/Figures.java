package org.lampyris.experiments.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Figures by name.
 *
 * @param byName the figures, in the order in which they were given
 */
public record Figures(Map<String, Number> byName) {

  /** Copies the map. */
  public Figures {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /**
   * Returns a figure.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public double get(String name) {
    return number(name).doubleValue();
  }

  /**
   * Returns a figure unchanged, a count or a measure.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public Number number(String name) {
    Number number = byName.get(name);
    if (number == null) {
      throw new IllegalArgumentException("no figure " + name + "; known: " + byName.keySet());
    }
    return number;
  }

  /** Returns these figures with others, which replace those with the same name. */
  public Figures with(Map<String, ? extends Number> others) {
    Map<String, Number> all = new LinkedHashMap<>(byName);
    all.putAll(others);
    return new Figures(all);
  }
}
