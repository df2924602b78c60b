package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;

class ParquetNumbersTest {
  @TempDir private Path folder;
  private final Configuration conf = new Configuration();

  /** Two files of two rows, whose third column has a hole and whose fourth is text. */
  @BeforeEach
  void write() throws IOException {
    for (int file = 1; file <= 2; file++) {
      var rows =
          new ParquetRows(conf, hadoop(file + ".parquet"))
              .open(
                  Types.buildMessage()
                      .required(PrimitiveTypeName.INT32)
                      .named(".chain")
                      .required(PrimitiveTypeName.DOUBLE)
                      .named("c[v.1]")
                      .optional(PrimitiveTypeName.INT64)
                      .named("hole")
                      .required(PrimitiveTypeName.BINARY)
                      .named("text")
                      .required(PrimitiveTypeName.BOOLEAN)
                      .named("even")
                      .named("table"));
      try (rows) {
        for (int i = 0; i < 2; i++) {
          rows.row().add(0, file);
          rows.row().add(1, 0.1 * file + i);
          if (file == 1 || i == 0) {
            rows.row().add(2, 1L << 40);
          }
          rows.row().add(3, Binary.fromString("a"));
          rows.row().add(4, i == 0);
          rows.write();
        }
      }
    }
    Files.writeString(folder.resolve("_SUCCESS"), "");
  }

  private org.apache.hadoop.fs.Path hadoop(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toString());
  }

  private List<double[]> read(String... columns) throws IOException {
    List<double[]> rows = new ArrayList<>();
    table().read(List.of(columns), rows::add);
    return rows;
  }

  private ParquetNumbers table() throws IOException {
    return ParquetNumbers.open(conf, hadoop("."));
  }

  @Test
  void columnsComeInTheOrderAskedForAndFilesInThatOfTheirNames() throws IOException {
    assertEquals(List.of(".chain", "c[v.1]", "hole", "text", "even"), table().columns());
    assertArrayEquals(
        new double[][] {{0.1, 1}, {1.1, 1}, {0.2, 2}, {1.2, 2}},
        read("c[v.1]", ".chain").toArray());
    List<double[]> second = new ArrayList<>();
    table().read(table().files().get(0), List.of("hole"), second::add);
    assertArrayEquals(new double[][] {{1L << 40}, {1L << 40}}, second.toArray());
  }

  @Test
  void yesAndNoAreNumbersAndGapsAreNaN() throws IOException {
    List<double[]> rows = new ArrayList<>();
    table().readWithGaps(table().files().get(1), List.of("hole", "even", ".chain"), rows::add);
    assertArrayEquals(new double[][] {{1L << 40, 1, 2}, {Double.NaN, 0, 2}}, rows.toArray());
  }

  @Test
  void whatIsNoNumberIsRefusedWithItsColumn() {
    for (String column : List.of("hole", "text")) {
      UserException refused = assertThrows(UserException.class, () -> read(".chain", column));
      assertTrue(
          String.valueOf(refused.getMessage())
              .endsWith("the column \"" + column + "\" holds a value that is not a number."),
          refused::getMessage);
    }
    UserException refused = assertThrows(UserException.class, () -> read("none"));
    assertTrue(
        String.valueOf(refused.getMessage()).endsWith("has no column \"none\"."),
        refused::getMessage);
  }
}
