package org.lampyris.bounds;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Reads reference values that lie beside a test class: comma-separated, # begins a comment. */
public final class Fixture {

  private Fixture() {}

  /** Returns the fields of every line. */
  public static List<String[]> read(Class<?> test, String name) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(test.getResourceAsStream(name), name),
                StandardCharsets.UTF_8))) {
      return reader.lines().filter(l -> !l.startsWith("#")).map(l -> l.split(",", -1)).toList();
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /** Returns the numbers of every line. */
  public static List<double[]> numbers(Class<?> test, String name) {
    return read(test, name).stream()
        .map(line -> Arrays.stream(line).mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  /** Returns |actual − expected| in units in the last place of {@code expected}. */
  public static double ulps(double expected, double actual) {
    if (Double.compare(expected, actual) == 0 || expected == actual) {
      return 0;
    }
    return Math.abs(actual - expected) / Math.ulp(expected);
  }
}
