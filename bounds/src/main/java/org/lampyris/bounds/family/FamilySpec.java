package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.prior.ConfiguredPrior;

/**
 * A family of likelihoods as the configuration names it, with its fixed parameters.
 *
 * @param name the family's name, or the name of a class that implements {@link ModelProvider}
 * @param parameters its parameters, by their keys in the section {@code model} or in {@code
 *     model.options}: as {@link ModelProvider#read} gives them, or as text
 * @param classes the labels of the response's classes in the order of their indices; empty where
 *     the response is a number
 */
public record FamilySpec(String name, Map<String, Object> parameters, List<String> classes)
    implements Serializable {
  /** Copies the collections. */
  public FamilySpec {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    classes = List.copyOf(classes);
  }

  /** Returns a family without parameters. */
  public static FamilySpec of(String name) {
    return new FamilySpec(name, Map.of(), List.of());
  }

  /** Returns the same family with one parameter added or replaced. */
  public FamilySpec with(String key, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    all.put(key, value);
    return new FamilySpec(name, all, classes);
  }

  /** Returns the same family for a response of these classes. */
  FamilySpec of(List<String> labels) {
    return new FamilySpec(name, parameters, labels);
  }

  /** Returns a parameter's text, if it is given. */
  public Optional<String> text(String key) {
    return Optional.ofNullable(parameters.get(key)).map(value -> value.toString().strip());
  }

  /**
   * Returns a parameter that is a prior.
   *
   * @param byDefault the prior where none is given
   * @throws IllegalArgumentException if a text is given that is no prior
   */
  public ConfiguredPrior prior(String key, String byDefault) {
    return parameters.get(key) instanceof ConfiguredPrior prior
        ? prior
        : ConfiguredPrior.of(text(key).orElse(byDefault));
  }

  /** Returns the same family with all parameters as text, as stored. */
  FamilySpec asText() {
    Map<String, Object> texts = new TreeMap<>();
    parameters.forEach((key, value) -> texts.put(key, value.toString()));
    return new FamilySpec(name, texts, classes);
  }

  /**
   * Returns a parameter that must be a number above 0.
   *
   * @throws UserException (usage) if it is missing or is none
   */
  public double positive(String key) {
    String text =
        text(key)
            .orElseThrow(
                () ->
                    UserException.usage(
                        "model.%s is missing. The family %s needs it. Set it to a number above 0."
                            .formatted(key, name)));
    try {
      return Parameters.requirePositive(key, Double.parseDouble(text));
    } catch (IllegalArgumentException e) {
      throw UserException.usage("model." + key + " must be a number above 0, not " + text, e);
    }
  }

  /**
   * Refuses parameters that the family does not have.
   *
   * @throws UserException (usage) if there is another one
   */
  public void requireOnly(Collection<String> known) {
    for (String key : parameters.keySet()) {
      if (!known.contains(key)) {
        throw UserException.usage(
            "model.%s is no parameter of the family %s, which has %s. Remove it."
                .formatted(key, name, known.isEmpty() ? "none" : String.join(", ", known)));
      }
    }
  }

  /** Returns the spec with a parameter, if it is a number or a prior, written in one way. */
  public FamilySpec canonical(String key) {
    return text(key).map(text -> with(key, canonicalText(key, text))).orElse(this);
  }

  private String canonicalText(String key, String text) {
    try {
      return Double.toString(Double.parseDouble(text));
    } catch (NumberFormatException notANumber) {
      try {
        ConfiguredPrior prior = prior(key, text);
        return prior.isAuto() ? text : prior.density().toString();
      } catch (IllegalArgumentException notAPrior) {
        return text;
      }
    }
  }

  /** Returns for instance {@code robust(df: 4, scale: 14.5)}. */
  @Override
  public String toString() {
    Map<String, Object> all = new TreeMap<>(parameters);
    if (!classes.isEmpty()) {
      all.put("classes", String.join(", ", classes));
    }
    return all.isEmpty()
        ? name
        : all.entrySet().stream()
            .map(parameter -> parameter.getKey() + ": " + parameter.getValue())
            .collect(Collectors.joining(", ", name + "(", ")"));
  }
}
