package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.SparkConf;
import org.apache.spark.io.ZStdCompressionCodec;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.executors.table.TableSchema;

/** Tables of other programs: types that Spark does not read, types that differ, compressed text. */
class ParquetTypesIT extends PrepareContract {
  private static final String ODD =
      """
      message m {
        required double y;
        required double x;
        required int64 when (TIMESTAMP(NANOS,true));
        required int64 local (TIMESTAMP(NANOS,false));
        required fixed_len_byte_array(2) half (FLOAT16);
        required int32 u32 (INTEGER(32,false));
        required int64 u64 (INTEGER(64,false));
        required int32 i8 (INTEGER(8,true));
        required boolean flag;
        required int64 clock (TIME(NANOS,true));
        required fixed_len_byte_array(16) id (UUID);
      }
      """;

  /** Halves: 0.5, −2, 0.333251953125, 2⁻²⁴, 65504, 1. */
  private static final int[] HALVES = {0x3800, 0xC000, 0x3555, 0x0001, 0x7BFF, 0x3C00};

  private static final double[] HALF = {0.5, -2, 0.333251953125, 0x1p-24, 65504, 1};

  private Path write(String name, String type, BiConsumer<Group, Integer> fill) throws IOException {
    MessageType message = MessageTypeParser.parseMessageType(type);
    Path file = folder.resolve(name);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
            .withConf(new Configuration())
            .withType(message)
            .build()) {
      SimpleGroupFactory groups = new SimpleGroupFactory(message);
      for (int n = 0; n < HALVES.length; n++) {
        Group row = groups.newGroup();
        fill.accept(row, n);
        writer.write(row);
      }
    }
    return file;
  }

  private Path odd() throws IOException {
    return write(
        "odd.parquet",
        ODD,
        (row, n) -> {
          byte[] half = {(byte) HALVES[n], (byte) (HALVES[n] >> 8)};
          long nanos = 86_400_000_000_000L * n * n + 43_200_000_000_000L;
          row.append("y", n * n + 0.5).append("x", n % 4 + 0.25);
          row.append("when", nanos).append("local", nanos);
          row.append("half", Binary.fromConstantByteArray(half));
          row.append("u32", (int) (3_000_000_000L + n * n * n));
          row.append("u64", Long.MIN_VALUE + (1L << 40) * n * n * n).append("i8", -n * (n % 3));
          row.append("flag", n % 3 == 0).append("clock", 5L * n);
          row.append("id", Binary.fromConstantByteArray(new byte[16]));
        });
  }

  private Wish wish(Object input, List<String> features) {
    Wish wish = wish(input);
    wish.labelKind = LabelKind.REAL;
    wish.features = features;
    return wish;
  }

  private static Map<Double, Double> byLabel(Wish wish, int column) {
    Map<Double, Double> cells = new TreeMap<>();
    TableSchema.Column of = wish.prepareAgain().columns().get(column);
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        cells.put(block.response(n), of.center() + block.feature(n, column));
      }
    }
    return cells;
  }

  private static Map<Double, Double> expected(IntToDoubleFunction cell) {
    Map<Double, Double> cells = new TreeMap<>();
    for (int n = 0; n < HALVES.length; n++) {
      cells.put(n * n + 0.5, cell.applyAsDouble(n));
    }
    return cells;
  }

  @Test
  void everyTypeIsReadAsWhatItIsOrNamed() throws IOException {
    Path table = odd();
    assertEquals(expected(n -> n % 4 + 0.25), byLabel(wish(table, List.of("x")), 1));
    Wish halves = wish(table, List.of("half"));
    halves.intercept = false;
    assertEquals(expected(n -> HALF[n]), byLabel(halves, 0));
    for (String time : List.of("when", "local")) {
      Wish days = wish(table, List.of(time));
      days.intercept = false;
      days.rules = new Columns.Rules(Columns.Missing.REFUSE, Columns.Dates.DAYS);
      assertEquals(expected(n -> n * n + 0.5), byLabel(days, 0));
    }
    Wish numbers = wish(table, List.of("u32", "u64", "i8", "flag"));
    numbers.intercept = false;
    assertEquals(expected(n -> 3e9 + n * n * n), byLabel(numbers, 0));
    assertEquals(expected(n -> 0x1p63 + 0x1p40 * n * n * n), byLabel(numbers, 1));
    assertEquals(expected(n -> -n * (n % 3) + 0.0), byLabel(numbers, 2));
    assertEquals(expected(n -> n % 3 == 0 ? 1 : 0), byLabel(numbers, 3));
    for (List<String> used : List.of(List.of("x", "clock"), List.<String>of())) {
      Wish wish = wish(table, used);
      wish.rules = new Columns.Rules(Columns.Missing.REFUSE, Columns.Dates.DAYS);
      assertSays(
          message(wish),
          "column 'clock' of " + table + " has the Parquet type int64",
          "(TIME(NANOS,true)), which Spark cannot read",
          "data.features");
    }
    Wish shaped = wish(table, List.of());
    shaped.query = "SELECT y, x, hour(local) + half AS h FROM input";
    assertEquals(expected(n -> n % 4 + 0.25), byLabel(shaped, 1));
    shaped.query = "SELECT y, x, id FROM input";
    assertSays(message(shaped), "column 'id'", "UUID");
  }

  private static String message(Wish wish) {
    UserException refused = assertThrows(UserException.class, wish::prepareAgain);
    assertEquals(UserException.Kind.DATA, refused.kind());
    return String.valueOf(refused.getMessage());
  }

  @Test
  void aColumnOfTwoTypesIsRefusedWithTheFile() throws IOException {
    Files.createDirectory(folder.resolve("parts"));
    write(
        "parts/a.parquet",
        "message m { required double y; required double x; }",
        (row, n) -> row.append("y", n + 0.5).append("x", n * n + 0.5));
    write(
        "parts/b.parquet",
        "message m { required double y; required int64 x; }",
        (row, n) -> row.append("y", n + 0.5).append("x", (long) n));
    assertSays(
        refusedData(wish(folder.resolve("parts"), List.of("x"))),
        ".parquet: the column 'x' has the Parquet type",
        "in other files of the input. Write all files with one type");
  }

  @Test
  void compressedTextAndOddNamesAreRead() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < 9; n++) {
      lines.add(n * n + 0.5 + "," + n);
    }
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    Path odd = Files.createDirectories(folder.resolve("d [1]"));
    Path plain = Files.write(odd.resolve("in {a} #%20ä.csv"), text);
    Path zstd = folder.resolve("t.csv.zst");
    try (OutputStream out =
        new ZStdCompressionCodec(new SparkConf(false))
            .compressedOutputStream(Files.newOutputStream(zstd))) {
      out.write(text);
    }
    Map<Double, Double> expected =
        byLabel(wish(file("plain.csv", lines.toArray(String[]::new)), List.of()), 1);
    assertEquals(9, expected.size());
    assertEquals(expected, byLabel(wish(plain, List.of()), 1));
    assertEquals(expected, byLabel(wish(zstd, List.of()), 1));
  }
}
