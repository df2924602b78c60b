package org.lampyris.bounds.family;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The name of a family and its parameters, as text: what the configuration says, and what is stored
 * with everything that was computed for it.
 *
 * @param name logistic, softmax, robust, gaussian, gamma, poisson, or the name of a class that
 *     implements {@link FamilyFactory}
 * @param parameters by name; numbers with every digit
 */
public record FamilySpec(String name, Map<String, String> parameters) {

  /** Copies the map, in the order of the names. */
  public FamilySpec {
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
  }

  /** Returns a family without parameters. */
  public static FamilySpec of(String name) {
    return new FamilySpec(name, Map.of());
  }

  /** Returns the family and its parameters as a message shows them. */
  @Override
  public String toString() {
    return parameters.isEmpty() ? name : name + " " + parameters;
  }
}
