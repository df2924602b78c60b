package org.lampyris.bounds.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Spelling of the program's names and numbers in the configuration. */
public final class ConfigText {
  private ConfigText() {}

  /** Returns the configuration's word for a constant: {@code MAP_TUNED} is "map-tuned". */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the configuration's word for a record's component: {@code zKernel} is "z_kernel". */
  public static String key(String component) {
    return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the configuration's words for the components of a record, replacing {@link Inline}
   * records by their own components.
   */
  public static List<String> keys(Class<? extends Record> settings) {
    return Arrays.stream(settings.getRecordComponents())
        .flatMap(
            component ->
                component.isAnnotationPresent(Inline.class) && component.getType().isRecord()
                    ? keys(component.getType().asSubclass(Record.class)).stream()
                    : Stream.of(key(component.getName())))
        .toList();
  }

  /** Returns names for a sentence: "a, b and c", with {@code last} for "and". */
  public static String listed(List<String> names, String last) {
    int n = names.size();
    return n < 2
        ? String.join("", names)
        : String.join(", ", names.subList(0, n - 1)) + " " + last + " " + names.get(n - 1);
  }

  /** Returns a number without a needless fraction. */
  public static String of(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
