package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.formula.LinearColumn;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;

/** Penalised smooths as columns of a prepared table. */
class SmoothsIT extends PrepareContract {
  private static final String FORMULA = "y ~ x + f + s(z) + s(x, k = 6, by = f) + t2(x, z, k = 4)";

  private static List<String> lines(int rows, double largest) {
    Random random = new Random(9);
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < rows; n++) {
      lines.add(
          "%d,%s,%s,%s"
              .formatted(
                  n % 2,
                  largest * random.nextDouble(),
                  Math.rint(50 * random.nextGaussian()),
                  List.of("a", "b", "c").get(random.nextInt(3))));
    }
    return lines;
  }

  private Wish wish(List<String> lines, int files, String name) throws IOException {
    Path input = Files.createDirectory(folder.resolve(name + ".csv"));
    for (int f = 0; f < files; f++) {
      List<String> part = new ArrayList<>(List.of("y,x,z,f"));
      part.addAll(lines.subList(f * lines.size() / files, (f + 1) * lines.size() / files));
      Files.write(input.resolve("part" + f + ".csv"), part);
    }
    Wish wish = new Wish(input, folder.resolve(name));
    wish.formula = FORMULA;
    return wish;
  }

  private static String schemaOf(Wish wish) throws IOException {
    return Files.readString(Path.of(wish.output, TableSchema.FILE));
  }

  @Test
  void theSchemaListsScalesAndSmooths() throws IOException {
    Wish wish = wish(lines(400, 10), 1, "t");
    wish.standardize = Standardize.UNIT;
    wish.prepare();
    TableSchema schema = TableSchema.read(wish.output, SPARK.sparkContext().hadoopConfiguration());
    List<SharedScale> scales = schema.sharedScales();
    assertEquals(
        List.of(
            "sds_sz_1",
            "sds_sxfa_1",
            "sds_sxfb_1",
            "sds_sxfc_1",
            "sds_t2xz_1",
            "sds_t2xz_2",
            "sds_t2xz_3"),
        scales.stream().map(SharedScale::sd).toList());
    assertEquals(
        List.of(8, 4, 4, 4, 4, 4, 4), scales.stream().map(one -> one.columns().size()).toList());
    assertEquals(
        List.of("s(z)", "s(x):fa", "s(x):fb", "s(x):fc", "t2(x, z)"),
        schema.smooths().stream().map(TableSchema.Smooth::label).toList());
    assertEquals(
        List.of("(Intercept)", "x", "f[b]", "f[c]", "sz_1", "s_sz_1[1]", "s_sz_1[2]", "s_sz_1[3]"),
        schema.columnNames().subList(0, 8));
    List<String> ofSmooths =
        schema.smooths().stream().flatMap(one -> one.columns().stream()).toList();
    assertEquals(ofSmooths, schema.columnNames().subList(4, schema.columns().size()));
    List<String> shared = scales.stream().flatMap(one -> one.columns().stream()).toList();
    for (Column column : schema.columns()) {
      assertEquals(
          shared.contains(column.name()), column.kind() == ColumnKind.PENALIZED, column.name());
      // What shares a standard deviation keeps its scale, whatever priors are explicit about.
      if (column.kind() == ColumnKind.PENALIZED) {
        assertEquals(1, column.scale(), column.name());
      } else if (column.kind() == ColumnKind.NUMERIC) {
        assertEquals(column.moments().sd(), column.scale(), column.name());
      }
    }
    // The columns of a smooth sum to 0 over the rows; x and s(x)'s linear columns are collinear.
    Column first = schema.columns().get(5);
    assertEquals(0, first.moments().mean(), 1e-10 * first.moments().sd());
    assertTrue(
        schema.source().doubts().stream().anyMatch(text -> text.contains("collinear")),
        schema.source().doubts().toString());
    assertFalse(schema.source().doubts().toString().contains("s_s"));
  }

  @Test
  void otherTablesSayNothingOfSmooths() throws IOException {
    Wish wish = wish(lines(100, 10), 1, "t");
    wish.formula = "y ~ f + bs(x, df = 5)";
    TableSchema schema = wish.prepare();
    assertEquals(List.of(), schema.smooths());
    assertEquals(List.of(), schema.sharedScales());
    assertFalse(schemaOf(wish).contains("smooths"));
  }

  @Test
  void storedAreTheColumnsThatNewRowsGet() throws IOException {
    Wish wish = wish(lines(300, 10), 3, "t");
    TableSchema schema = wish.prepare();
    Map<Double, double[]> byRow = new HashMap<>();
    for (Row row : appended(wish, schema).collectAsList()) {
      double[] smooth =
          row.<Double>getList(row.fieldIndex(".feature0")).stream().mapToDouble(v -> v).toArray();
      byRow.put(row.getDouble(row.fieldIndex("x")), smooth);
    }
    int rows = 0;
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        double x = block.feature(n, 1) + schema.columns().get(1).center();
        double[] found =
            byRow.entrySet().stream()
                .filter(one -> Math.abs(one.getKey() - x) < 1e-9)
                .findFirst()
                .orElseThrow()
                .getValue();
        for (int j = 0; j < found.length; j++) {
          double stored = block.feature(n, 4 + j) + schema.columns().get(4 + j).center();
          assertEquals(found[j], stored, 1e-12 * (1 + Math.abs(stored)));
        }
        rows++;
      }
    }
    assertEquals(300, rows);
  }

  /** So it can vary by group. */
  @Test
  void aNumberIsALineOfItsTermsLinearColumn() throws IOException {
    Wish wish = wish(lines(100, 10), 1, "t");
    requireLines(wish, "s(z) + poly(x, 3) + scale(log(1 + x))", "z", "x", "log(1 + x)");
    requireLines(wish, "t2(x, z, k = 4)", "x", "z");
    requireLines(wish, "poly(z, 2, raw = TRUE)", "z");
    TableSchema schema = TableSchema.read(wish.output, SPARK.sparkContext().hadoopConfiguration());
    assertNull(LinearColumn.of(schema, "x"));
  }

  private static void requireLines(Wish wish, String terms, String... numbers) throws IOException {
    wish.formula = "y ~ x + z + " + terms;
    TableSchema schema = wish.prepareAgain();
    List<String> names = schema.columnNames();
    for (String number : numbers) {
      LinearColumn of = Objects.requireNonNull(LinearColumn.of(schema, number));
      for (DataBlock block : wish.blocks()) {
        for (int n = 0; n < block.rows(); n++) {
          double x = schema.centers().input(block, n, names.indexOf("x"));
          double z = schema.centers().input(block, n, names.indexOf("z"));
          double column = schema.centers().input(block, n, names.indexOf(of.name()));
          double expected = number.equals("z") ? z : number.equals("x") ? x : Math.log(1 + x);
          assertEquals(expected, of.line().of(column), 1e-12 * (1 + Math.abs(x)), number);
        }
      }
    }
  }

  @Test
  void aNumberThatStandsForItsColumnsGivesTheBitsOfTheColumns() throws IOException {
    Wish narrow = wish(lines(700, 10), 1, "narrow");
    narrow.formula = "y ~ x + s(z) + f + s(log(1 + x), k = 6)";
    narrow.blockRows = 128;
    TableSchema schema = narrow.prepare();
    Path columns = folder.resolve("columns.parquet");
    appended(narrow, schema)
        .selectExpr("y", "x", "`.feature0` AS a", "f", "`.feature1` AS b")
        .coalesce(1)
        .write()
        .parquet(columns.toString());
    Wish wide = new Wish(columns, folder.resolve("wide"));
    wide.features = List.of("x", "a", "f", "b");
    wide.blockRows = 128;
    for (TableSchema.Storage storage : TableSchema.Storage.values()) {
      narrow.storage = storage;
      wide.storage = storage;
      assertSameColumns(wide.prepareAgain().columns(), narrow.prepareAgain().columns());
      assertSameBlocks(wide.blocks(), narrow.blocks());
    }
    String stored = schemaOf(narrow);
    assertTrue(stored.contains("\"version\" : 6") && stored.contains("\"curves\""), stored);
    assertTrue(schemaOf(wide).contains("\"version\" : 5"));
    Wish later = wish(lines(333, 15), 1, "later");
    later.formula = narrow.formula;
    later.after = narrow.output;
    later.prepare();
    List<DataBlock> both = later.blocks();
    assertSameBlocks(narrow.blocks().subList(0, 5), both.subList(0, 5));
    Wish alone = wish(lines(333, 15), 1, "alone");
    alone.formula = narrow.formula;
    alone.like = narrow.output;
    alone.prepare();
    assertSameBlocks(
        List.of(alone.blocks().get(0).select(IntStream.range(0, 68).toArray())),
        List.of(both.get(5).select(IntStream.range(60, 128).toArray())));
  }

  private static void assertSameColumns(List<Column> expected, List<Column> found) {
    assertEquals(expected.size(), found.size());
    for (int j = 0; j < expected.size(); j++) {
      assertEquals(expected.get(j).center(), found.get(j).center(), found.get(j).name());
      assertEquals(expected.get(j).range(), found.get(j).range(), found.get(j).name());
    }
  }

  private static void assertSameBlocks(List<DataBlock> expected, List<DataBlock> found) {
    assertEquals(expected.size(), found.size());
    for (int b = 0; b < expected.size(); b++) {
      DataBlock block = found.get(b);
      assertArrayEquals(expected.get(b).responses(), block.responses());
      for (int n = 0; n < block.rows(); n++) {
        for (int j = 0; j < block.columns(); j++) {
          assertEquals(expected.get(b).feature(n, j), block.feature(n, j));
        }
      }
    }
  }

  @Test
  void smoothsOfColumnsOfParquetAreMadeBlockByBlock() {
    String table =
        parquet(
            3000,
            3,
            "IF(sin(17.0 * id) > 0, 1, 0) AS y",
            "sin(id) AS x",
            "CAST(id % 97 AS INT) AS z");
    Wish kept = new Wish(table, folder.resolve("kept"));
    kept.formula = "y ~ s(x) + s(z, k = 5)";
    kept.query = "SELECT y, x, z FROM input LATERAL VIEW explode(array(1)) e AS one";
    Wish onePass = new Wish(table, folder.resolve("pass"));
    onePass.formula = kept.formula;
    assertSameColumns(kept.prepare().columns(), onePass.prepare().columns());
    assertSameBlocks(kept.blocks(), onePass.blocks());
    assertTrue(onePass.progress.stream().anyMatch(line -> line.startsWith("one pass")));
    assertFalse(kept.progress.stream().anyMatch(line -> line.startsWith("one pass")));
    Wish byContent = new Wish(table, folder.resolve("content"));
    byContent.formula = kept.formula;
    byContent.order = Packing.Order.CONTENT;
    byContent.prepare();
    assertEquals(
        onePass.rows().stream().sorted().toList(), byContent.rows().stream().sorted().toList());
  }

  /** Returns the rows of a table's input with the columns of its formula, as new rows get them. */
  private static Dataset<Row> appended(Wish wish, TableSchema schema) {
    Dataset<Row> input =
        SPARK
            .read()
            .option("header", "true")
            .schema("y int, x double, z double, f string")
            .csv(wish.input);
    return FormulaTable.append(
        input,
        wish.request().data().columns(),
        Objects.requireNonNull(schema.source().formula()),
        List.of(),
        "the new table");
  }

  @Test
  void preparedTwiceIsTheSameTable() throws IOException {
    List<String> lines = lines(500, 10);
    Wish one = wish(lines, 1, "one");
    one.order = Packing.Order.CONTENT;
    one.prepare();
    List<byte[]> bytes = files(one);
    one.prepareAgain();
    List<byte[]> again = files(one);
    assertEquals(bytes.size(), again.size());
    for (int k = 0; k < bytes.size(); k++) {
      assertArrayEquals(bytes.get(k), again.get(k));
    }
    Collections.shuffle(lines, new Random(2));
    Wish other = wish(lines, 5, "other");
    other.order = Packing.Order.CONTENT;
    TableSchema shuffled = other.prepare();
    TableSchema first = TableSchema.read(one.output, SPARK.sparkContext().hadoopConfiguration());
    assertEquals(first.columns(), shuffled.columns());
    assertEquals(first.source().formula(), shuffled.source().formula());
    assertEquals(first.fingerprint(), shuffled.fingerprint());
  }

  private static List<byte[]> files(Wish wish) throws IOException {
    List<byte[]> bytes = new ArrayList<>();
    try (Stream<Path> all = Files.walk(Path.of(wish.output))) {
      for (Path file :
          all.filter(Files::isRegularFile)
              .filter(path -> !path.getFileName().toString().startsWith("."))
              .sorted()
              .toList()) {
        bytes.add(Files.readAllBytes(file));
      }
    }
    return bytes;
  }

  @Test
  void laterRowsAreExpandedByTheEarlierTablesKnots() throws IOException {
    Wish earlier = wish(lines(300, 10), 1, "earlier");
    TableSchema first = earlier.prepare();
    Wish later = wish(lines(200, 25), 1, "later");
    later.like = earlier.output;
    TableSchema second = later.prepare();
    assertEquals(first.source().formula(), second.source().formula());
    assertEquals(first.sharedScales(), second.sharedScales());
    assertEquals(first.columnNames(), second.columnNames());
    assertEquals(
        first.columns().stream().map(Column::kind).toList(),
        second.columns().stream().map(Column::kind).toList());
    Wish alone = wish(lines(200, 25), 1, "alone");
    assertNotEquals(second.source().formula(), alone.prepare().source().formula());
    later.formula = "y ~ s(x)";
    later.overwrite = true;
    UserException refused = assertThrows(UserException.class, later::prepare);
    assertSays(String.valueOf(refused.getMessage()), "Set the same formula");
  }

  @Test
  void levelsWithSmoothsOfTheirOwnArePackedSparse() throws IOException {
    Wish wish = wish(lines(400, 10), 1, "t");
    wish.formula = "y ~ s(x, by = f)";
    wish.layout = Packing.Layout.SPARSE;
    TableSchema schema = wish.prepare();
    assertEquals(1 + 3 * 9, schema.columns().size());
    assertEquals("sx:fb_1", schema.columnNames().get(10));
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        int levels = 0;
        for (int level = 0; level < 3; level++) {
          levels += block.feature(n, 1 + 9 * level) != 0 ? 1 : 0;
        }
        assertEquals(1, levels);
      }
    }
  }

  @Test
  void whatNoSmoothIsOfIsRefused() throws IOException {
    String[] lines = new String[41];
    lines[0] = "y,x,z,f";
    for (int n = 0; n < 40; n++) {
      lines[n + 1] = n % 2 + "," + n % 7 + "," + n + "," + (n % 3 == 0 ? "a" : "b");
    }
    Wish few = wish(file("few.csv", lines));
    few.formula = "y ~ s(x)";
    assertSays(refusedData(few), "x has 7 different numbers", "write k = 7, or factor(x)");
    few.formula = "y ~ s(f)";
    assertSays(refused(few, UserException.Kind.USAGE), "holds categories");
    few.formula = "y ~ s(z, by = g)";
    assertSays(refusedData(few), "'g'", "not a column");
    few.formula = "y ~ s(log(z), k = 5)";
    assertSays(refusedData(few), "log(z)", "infinite");
  }

  @Test
  void aNumberMultipliesASmooth() throws IOException {
    Wish wish = wish(lines(200, 10), 1, "t");
    wish.formula = "y ~ s(x, k = 5, by = z, bs = \"ps\")";
    TableSchema schema = wish.prepare();
    assertEquals(
        List.of("(Intercept)", "sx:z_1", "sx:z_2", "s_sxz_1[1]", "s_sxz_1[2]", "s_sxz_1[3]"),
        schema.columnNames());
  }
}
