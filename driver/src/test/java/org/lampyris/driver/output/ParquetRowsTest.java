package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read by the library as the same values. */
class ParquetRowsTest {
  private static final double[] ODD = {
    -0.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MAX_VALUE
  };

  private static final MessageType SCHEMA =
      Types.buildMessage()
          .required(PrimitiveTypeName.INT32)
          .named("whole")
          .required(PrimitiveTypeName.DOUBLE)
          .named("number")
          .optional(PrimitiveTypeName.INT64)
          .named("count")
          .optional(PrimitiveTypeName.DOUBLE)
          .named("share")
          .required(PrimitiveTypeName.BOOLEAN)
          .named("yes")
          .required(PrimitiveTypeName.BINARY)
          .named("bytes")
          .required(PrimitiveTypeName.DOUBLE)
          .named("other")
          .named("table");

  @TempDir private Path folder;
  private final Configuration conf = new Configuration();

  private org.apache.hadoop.fs.Path file() {
    return new org.apache.hadoop.fs.Path(folder.resolve("table.parquet").toString());
  }

  @Test
  void cellsOfAllTypesAreReadAsTheSameBits() throws IOException {
    int rows = 20_001; // more than two pages
    double[] numbers = new SplittableRandom(5).doubles(rows, -1, 1).toArray();
    System.arraycopy(ODD, 0, numbers, 0, ODD.length);
    new ParquetRows(conf, file())
        .write(
            SCHEMA,
            rows,
            (row, i) -> {
              row.add(6, -i - 0.5);
              row.add(0, i);
              row.add(1, numbers[i]);
              if (i % 3 == 0) {
                row.add(2, (1L << 40) + i);
              }
              if (i % 2 == 0) {
                row.add(3, numbers[i]);
              }
              row.add(4, i % 5 == 0);
              row.add(5, Binary.fromString("row " + i));
            });
    List<Group> read = read();
    assertEquals(rows, read.size());
    for (int i = 0; i < rows; i++) {
      Group row = read.get(i);
      String what = "row " + i;
      assertEquals(i, row.getInteger("whole", 0), what);
      assertBits(numbers[i], row.getDouble("number", 0), what);
      assertEquals(i % 3 == 0 ? 1 : 0, row.getFieldRepetitionCount("count"), what);
      if (i % 3 == 0) {
        assertEquals((1L << 40) + i, row.getLong("count", 0), what);
      }
      assertEquals(i % 2 == 0 ? 1 : 0, row.getFieldRepetitionCount("share"), what);
      if (i % 2 == 0) {
        assertBits(numbers[i], row.getDouble("share", 0), what);
      }
      assertEquals(i % 5 == 0, row.getBoolean("yes", 0), what);
      assertEquals(what, row.getString("bytes", 0), what);
      assertEquals(-i - 0.5, row.getDouble("other", 0), what);
    }
  }

  private static void assertBits(double expected, double actual, String what) {
    assertEquals(Double.doubleToRawLongBits(expected), Double.doubleToRawLongBits(actual), what);
  }

  private List<Group> read() throws IOException {
    List<Group> rows = new ArrayList<>();
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), file()).withConf(conf).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** Pages of fewer rows than others have, and more than a row group of them. */
  @Test
  void wideRowsAreInGroupsThatTellTheirLeastAndGreatest() throws IOException {
    int columns = 500;
    int rows = 5_000;
    List<String> names = IntStream.range(0, columns).mapToObj(j -> "x" + j).toList();
    SplittableRandom random = new SplittableRandom(6);
    double[][] numbers = new double[rows][];
    for (int i = 0; i < rows; i++) {
      numbers[i] = random.doubles(columns, i, i + 1).toArray();
    }
    new ParquetRows(conf, file())
        .write(
            "table",
            List.of("whole"),
            names,
            rows,
            (row, i) -> {
              row.add(0, i);
              for (int j = 0; j < columns; j++) {
                row.add(1 + j, numbers[i][j]);
              }
            });
    int[] next = {0};
    ParquetNumbers.open(conf, new org.apache.hadoop.fs.Path(folder.toString()))
        .read(
            List.of("x0", "x250", "x499"),
            row -> {
              double[] expected = numbers[next[0]++];
              assertArrayEquals(new double[] {expected[0], expected[250], expected[499]}, row);
            });
    assertEquals(rows, next[0]);
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(file(), conf))) {
      List<BlockMetaData> groups = reader.getRowGroups();
      assertTrue(groups.size() > 1, () -> groups.size() + " groups");
      int first = 0;
      for (BlockMetaData group : groups) {
        assertTrue(group.getTotalByteSize() <= RowGroups.SIZE, group::toString);
        int last = first + (int) group.getRowCount() - 1;
        var statistics = group.getColumns().get(1).getStatistics();
        assertEquals(numbers[first][0], statistics.genericGetMin());
        assertEquals(numbers[last][0], statistics.genericGetMax());
        first = last + 1;
      }
      assertEquals(rows, first);
    }
  }

  @Test
  void dictionariesAreMadeOfCountsAlone() throws IOException {
    MessageType schema =
        Types.buildMessage()
            .required(PrimitiveTypeName.BINARY)
            .named(".theta")
            .required(PrimitiveTypeName.INT64)
            .named("count")
            .named("table");
    new ParquetRows(conf, file())
        .write(
            schema,
            1000,
            (row, i) -> {
              row.add(0, Binary.fromString("a"));
              row.add(1, 7L);
            });
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(file(), conf))) {
      List<Boolean> dictionaries =
          reader.getFooter().getBlocks().get(0).getColumns().stream()
              .map(column -> column.getEncodings().stream().anyMatch(Encoding::usesDictionary))
              .toList();
      assertEquals(List.of(false, true), dictionaries);
    }
  }

  @Test
  void noRowsAreAFileWithoutRows() throws IOException {
    new ParquetRows(conf, file()).write(SCHEMA, 0, (row, i) -> {});
    assertEquals(List.of(), read());
  }

  @Test
  void aRowWithoutACellThatAllHaveIsRefused() {
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () ->
                new ParquetRows(conf, file())
                    .write("table", List.of("a"), List.of("b"), 1, (row, i) -> row.add(0, 1)));
    assertEquals("no b", refused.getMessage());
  }
}
