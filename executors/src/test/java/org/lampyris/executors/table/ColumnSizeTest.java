package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;
import org.lampyris.executors.table.TableSchema.Range;

/** The size of a column, for default priors. */
class ColumnSizeTest {
  private static double size(double... x) {
    double mean = Arrays.stream(x).average().orElseThrow();
    double squares = Arrays.stream(x).map(value -> (value - mean) * (value - mean)).sum();
    double sd = x.length == 1 ? 0 : Math.sqrt(squares / (x.length - 1));
    double[] sorted = Arrays.stream(x).sorted().toArray();
    Range range = new Range(sorted[0], sorted[x.length - 1], new Moments(mean, sd));
    return new Column("x", "x", ColumnKind.NUMERIC, null, null, 0, 1, range).size();
  }

  /** Other rows may have other values: priors are those of the first rows. */
  @Test
  void itStaysForOtherRows() {
    Range range = new Range(0, 1, new Moments(0.1, 0.3));
    Column column = new Column("x", "x", ColumnKind.NUMERIC, null, null, 0, 1, range);
    assertEquals(0.5, column.size());
    assertEquals(0.5, column.over(0, 9).size());
    assertEquals(0.5, column.over(0, 9).over(0, 0).size());
    assertEquals(9, column.over(0, 9).max());
    assertEquals(column.moments(), column.over(0, 9).moments());
  }

  @Test
  void twoValuesCountByTheirDistance() {
    double[] rare = new double[100_000];
    rare[7] = 1;
    assertEquals(0.5, size(rare));
    assertEquals(0.5, size(0, 1, 1, 0));
    assertEquals(3, size(-1, 5, 5, 5));
    double[] far = new double[1000];
    Arrays.setAll(far, i -> 2024 + (i % 10 == 0 ? 0.1 : 0));
    assertEquals(0.05, size(far), 1e-9);
  }

  @Test
  void otherColumnsCountByTheirStandardDeviation() {
    double[] x = new double[1000];
    Arrays.setAll(x, i -> i % 100 == 0 ? 1 : 0);
    x[500] = 0.5;
    double mean = 9.5 / 1000;
    double variance = (9.25 - 1000 * mean * mean) / 999;
    assertEquals(Math.sqrt(variance), size(x), 1e-12);
    assertEquals(1, size(0, 1, 2));
    assertEquals(0, size(4));
    assertEquals(0, size(4, 4, 4));
  }
}
