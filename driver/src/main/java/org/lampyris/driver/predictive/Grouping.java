package org.lampyris.driver.predictive;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which group each row is of.
 *
 * @param output of what is expected, which number is meant: 0, or the class
 * @param names of the groups; empty where they are tenths
 * @param of the group of each row
 * @param value what each row is grouped by
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Grouping(
    String what, Panel.Kind kind, int output, List<String> names, int[] of, double[] value) {
  private static final int TENTHS = 10;

  /** Returns tenths of rows by a number; rows of the same number are of the same group. */
  static Grouping tenths(String what, Panel.Kind kind, int output, double[] value) {
    double[] sorted = value.clone();
    Arrays.sort(sorted);
    double[] ends =
        IntStream.range(1, TENTHS)
            .mapToDouble(k -> sorted[(int) ((long) k * sorted.length / TENTHS)])
            .distinct()
            .toArray();
    int[] of = new int[value.length];
    for (int i = 0; i < of.length; i++) {
      int at = Arrays.binarySearch(ends, value[i]);
      of[i] = at >= 0 ? at + 1 : -at - 1;
    }
    return new Grouping(what, kind, output, List.of(), of, value);
  }

  int groups() {
    return names.isEmpty() ? TENTHS : names.size();
  }
}
