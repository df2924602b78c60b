package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.testdata.Serialised;

class DoubleRowsTest {
  /** More than twice what is in memory at once. */
  private static final int ROWS = 3 * DoubleRows.IN_MEMORY / 4 + 11;

  private static double[] row(int i) {
    return new double[] {i, -0.0, Double.NaN, 1.0 / (i + 1)};
  }

  private static DoubleRows filled(boolean overflows, int from, int to) {
    DoubleRows rows = new DoubleRows(overflows);
    IntStream.range(from, to).forEach(i -> rows.add(row(i)));
    return rows;
  }

  private static void assertAll(DoubleRows rows) {
    assertEquals(ROWS, rows.size());
    // Several threads at once, as when a table is written.
    IntStream.range(0, ROWS).parallel().forEach(i -> assertSame(row(i), rows.get(i)));
    for (int first : new int[] {0, 1, ROWS / 2, ROWS - 1, ROWS}) {
      int next = first;
      for (var all = rows.iterator(first, row -> row); all.hasNext(); next++) {
        assertSame(row(next), all.next());
      }
      assertEquals(ROWS, next);
    }
    assertThrows(IndexOutOfBoundsException.class, () -> rows.get(ROWS));
    assertThrows(IndexOutOfBoundsException.class, () -> rows.get(-1));
  }

  private static void assertSame(double[] expected, double[] actual) {
    for (int k = 0; k < expected.length; k++) {
      assertEquals(Double.doubleToRawLongBits(expected[k]), Double.doubleToRawLongBits(actual[k]));
    }
  }

  @Test
  void rowsThatOverflowAreThoseThatWereAdded() {
    assertAll(filled(true, 0, ROWS));
    assertAll(filled(false, 0, ROWS));
  }

  @Test
  void rowsOfOthersAreAddedWhereverTheyAre() {
    for (boolean overflows : new boolean[] {true, false}) {
      for (boolean others : new boolean[] {true, false}) {
        DoubleRows rows = new DoubleRows(overflows);
        int[] ends = {0, 1, 1, 1000, ROWS - 5, ROWS};
        for (int k = 0; k + 1 < ends.length; k++) {
          rows.addAll(filled(others, ends[k], ends[k + 1]));
        }
        assertAll(rows);
      }
    }
  }

  @Test
  void rowsThatOverflowedTravelAsOthers() {
    assertAll(Serialised.copy(filled(true, 0, ROWS)));
    assertEquals(0, Serialised.copy(new DoubleRows(true)).size());
  }

  @Test
  void noFileIsLeft() throws IOException {
    long before = files();
    DoubleRows rows = filled(true, 0, ROWS);
    assertEquals(before, files(), "it has no name");
    assertArrayEquals(row(1), rows.get(1));
  }

  private static long files() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith("lampyris-draws-"))
          .count();
    }
  }

  @Test
  void rowsOfAnotherLengthAreRefused() {
    DoubleRows rows = filled(false, 0, 3);
    assertThrows(IllegalArgumentException.class, () -> rows.add(1, 2));
  }
}
