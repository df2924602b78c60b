package org.lampyris.experiments.bench;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A product of figures and numbers, divided by others: {@code bytes / 8 / rows}. A figure of
 * another sampler than the one that is spoken of is named with it: {@code ess_min of full data,
 * hmc}.
 *
 * @param text the names and numbers, between {@code *} and {@code /}
 */
record Quantity(String text) {
  private static final String OF = " of ";

  /** From text in YAML. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  Quantity {}

  /** A figure's name, and its sampler; empty for the claim's. */
  record Name(String figure, Optional<String> sampler) {
    private static Name parse(String text) {
      int of = text.indexOf(OF);
      return of < 0
          ? new Name(text, Optional.empty())
          : new Name(text.substring(0, of), Optional.of(text.substring(of + OF.length())));
    }
  }

  /**
   * Returns the value: the part before the first {@code /}, divided by the product of the others.
   */
  double value(ToDoubleFunction<Name> figures) {
    String[] parts = text.split("/", 2);
    return product(parts[0], figures) / (parts.length == 1 ? 1 : product(parts[1], figures));
  }

  private static double product(String text, ToDoubleFunction<Name> figures) {
    return factors(text)
        .mapToDouble(
            f -> isNumber(f) ? Double.parseDouble(f) : figures.applyAsDouble(Name.parse(f)))
        .reduce(1, (a, b) -> a * b);
  }

  /** Returns the samplers that are named. */
  Stream<String> samplers() {
    return factors(text).filter(f -> !isNumber(f)).flatMap(f -> Name.parse(f).sampler().stream());
  }

  private static Stream<String> factors(String text) {
    return Arrays.stream(text.split("[*/]", -1)).map(String::strip);
  }

  private static boolean isNumber(String factor) {
    return !factor.isEmpty() && Character.isDigit(factor.charAt(0));
  }
}
