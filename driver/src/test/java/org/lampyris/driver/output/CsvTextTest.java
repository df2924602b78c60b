package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers that are written are read as the same bits, under the same names. */
class CsvTextTest {
  private static final double[] ODD = {
    0.0,
    -0.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MAX_VALUE,
    2e-3,
    Double.parseDouble("1e23"),
    0x1p-44
  };

  @TempDir java.nio.file.Path folder;

  @Test
  void numbersAreReadAsTheSameBits() throws IOException {
    int columns = ODD.length;
    int rows = 3_000; // more than a buffer
    long[][] bits = new long[rows][columns];
    SplittableRandom random = new SplittableRandom(4);
    Path file = new Path(folder.resolve("numbers.csv").toString());
    List<String> names = List.of("a", "b,c", "d\"e", "", " f", "#g", "h\ni", "ü", "j", "k");
    double[] before = ODD;
    try (CsvText.Numbers csv = CsvText.numbers(new Configuration(), file, header(names))) {
      for (int i = 0; i < rows; i++) {
        double[] row = before.clone();
        if (i == 2) {
          row[0] = -row[0]; // another zero is another row
        } else if (i % 3 != 1) { // which is the row before again
          row = i == 0 ? ODD.clone() : random.doubles(columns, -1, 1).toArray();
        }
        before = row;
        bits[i] = bitsOf(row);
        csv.writeRow(new long[] {Long.MIN_VALUE + i}, row);
      }
    }
    List<String[]> read = CsvText.read(new Configuration(), file);
    assertArrayEquals(header(names).toArray(), read.get(0));
    assertEquals(1 + rows, read.size());
    for (int i = 0; i < rows; i++) {
      String[] cells = read.get(1 + i);
      assertEquals(Long.toString(Long.MIN_VALUE + i), cells[0]);
      double[] row = new double[columns];
      for (int j = 0; j < columns; j++) {
        row[j] = Double.parseDouble(cells[1 + j]);
      }
      assertArrayEquals(bits[i], bitsOf(row), "row " + i);
    }
  }

  private static List<String> header(List<String> names) {
    List<String> header = new ArrayList<>(List.of(".row"));
    header.addAll(names);
    return header;
  }

  private static long[] bitsOf(double[] row) {
    long[] bits = new long[row.length];
    for (int j = 0; j < row.length; j++) {
      bits[j] = Double.doubleToLongBits(row[j]);
    }
    return bits;
  }
}
