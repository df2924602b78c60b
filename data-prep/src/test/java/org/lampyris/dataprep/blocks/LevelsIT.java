package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Levels;

/** Rows keep the keys of the levels that groups have effects by, beside a table of levels. */
class LevelsIT extends PrepareContract {
  private static final List<String> COLUMNS = List.of("city", "code");

  /** x tells the row's levels: 3 cities, 4 codes. */
  private static List<String> lines() {
    List<String> lines = new ArrayList<>(List.of("y,x,city,code"));
    for (int n = 0; n < 60; n++) {
      lines.add("%s,%s,%s,%s".formatted(n % 2, n, "c" + city(n), code(n) / 2.0));
    }
    return lines;
  }

  private static int city(int n) {
    return n % 10 == 0 ? 2 : n % 10 < 4 ? 1 : 0;
  }

  private static int code(int n) {
    return n / 5 % 4;
  }

  private Wish keyed(Object input, String name) {
    Wish wish = new Wish(input, folder.resolve(name));
    wish.features = List.of("x");
    wish.groups = COLUMNS;
    wish.blockRows = 16;
    return wish;
  }

  /** Returns the levels of a column by their keys, each with its rows. */
  private static Map<Long, String> levels(Wish wish, int k) {
    Map<Long, String> levels = new TreeMap<>();
    for (Row row : LevelTable.read(SPARK, wish.output, k).collectAsList()) {
      assertNull(levels.put(row.getLong(0), row.getString(1) + " " + row.getLong(2)));
    }
    return levels;
  }

  private static List<Levels> unhashed(TableSchema schema) {
    return schema.levels().stream()
        .map(of -> new Levels(of.column(), of.levels(), of.mostRows(), of.together(), null))
        .toList();
  }

  @Test
  void keysAreThoseOfTheLevelsInEveryFormatAndOnAnyPartitions() throws IOException {
    Path csv = file("t.csv", lines().toArray(String[]::new));
    String parquet = folder.resolve("t.parquet").toString();
    SPARK
        .range(0, 60, 1, 3)
        .selectExpr(
            "CAST(id % 2 AS INT) AS y",
            "CAST(id AS DOUBLE) AS x",
            "CASE WHEN id % 10 = 0 THEN 'c2' WHEN id % 10 < 4 THEN 'c1' ELSE 'c0' END AS city",
            "CAST(INT(id / 5) % 4 AS DECIMAL(20, 4)) / 2 AS code")
        .write()
        .parquet(parquet);
    Set<String> prints = new TreeSet<>();
    for (Wish wish : List.of(keyed(csv, "a"), keyed(parquet, "b"))) {
      TableSchema schema = wish.prepare();
      prints.add(schema.fingerprint());
      assertEquals(
          List.of(new Levels("city", 3, 36, false, null), new Levels("code", 4, 15, false, null)),
          unhashed(schema));
      assertEquals(
          schema, TableSchema.read(wish.output, SPARK.sparkContext().hadoopConfiguration()));
      assertNull(schema.grouping());
      assertEquals(Set.of("c0 36", "c1 18", "c2 6"), Set.copyOf(levels(wish, 0).values()));
      assertEquals(
          Set.of("0 15", "0.5 15", "1 15", "1.5 15"), Set.copyOf(levels(wish, 1).values()));
      int seen = 0;
      for (DataBlock block : wish.blocks()) {
        assertEquals(2, block.groupings());
        for (int n = 0; n < block.rows(); n++, seen++) {
          int id = (int) wish.input(block, n, 1);
          assertEquals("c" + city(id), level(wish, 0, block.group(0, n)));
          assertEquals(code(id) / 2.0, Double.parseDouble(level(wish, 1, block.group(1, n))));
        }
      }
      assertEquals(60, seen);
    }
    assertEquals(1, prints.size(), prints.toString());
    Wish without = keyed(csv, "c");
    without.groups = List.of();
    assertFalse(prints.contains(without.prepare().fingerprint()));
    assertEquals(
        List.of(),
        TableSchema.read(without.output, SPARK.sparkContext().hadoopConfiguration()).levels());
    assertEquals(0, without.blocks().get(0).groupings());
    assertFalse(Files.exists(Path.of(without.output, "levels")));
  }

  private static String level(Wish wish, int k, long key) {
    String level = Objects.requireNonNull(levels(wish, k).get(key));
    return level.substring(0, level.indexOf(' '));
  }

  @Test
  void aGroupIsNoFeatureUnlessItIsNamedAndSparseRowsHaveKeysToo() throws IOException {
    Path csv = file("t.csv", lines().toArray(String[]::new));
    Wish wish = keyed(csv, "a");
    wish.features = List.of();
    assertEquals(List.of("(Intercept)", "x"), wish.prepare().columnNames());
    Wish both = keyed(csv, "b");
    both.features = List.of("x", "city");
    both.layout = org.lampyris.dataprep.blocks.Packing.Layout.SPARSE;
    assertEquals(List.of("(Intercept)", "x", "city[c1]", "city[c2]"), both.prepare().columnNames());
    for (DataBlock block : both.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        String city = block.feature(n, 2) > 0 ? "c1" : block.feature(n, 3) > 0 ? "c2" : "c0";
        assertEquals(city, level(both, 0, block.group(0, n)));
      }
    }
  }

  @Test
  void rowsLieTogetherByGroupByAndTheSchemaTellsSo() throws IOException {
    Wish wish = keyed(file("t.csv", lines().toArray(String[]::new)), "a");
    wish.groupBy = "code";
    wish.orderBy = "x";
    TableSchema schema = wish.prepare();
    assertEquals(
        List.of(new Levels("city", 3, 36, false, null), new Levels("code", 4, 15, true, null)),
        unhashed(schema));
    assertEquals(new TableSchema.Grouping("code", "x", 4), schema.grouping());
    assertTogether(wish, 1);
    Wish later = keyed(wish.input, "b");
    later.like = wish.output;
    assertEquals(List.of(3L, 4L), later.prepare().levels().stream().map(Levels::levels).toList());
  }

  /** Every level's rows are one run of one block. */
  private static void assertTogether(Wish wish, int grouping) {
    Map<Long, Long> blockOf = new HashMap<>();
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        long key = block.group(grouping, n);
        if (n == 0 || block.group(grouping, n - 1) != key) {
          assertNull(blockOf.put(key, block.id()), "a level in two places");
        }
      }
    }
  }

  @Test
  void missingCellsAreRefusedDroppedOrALevel() throws IOException {
    Path csv =
        file("t.csv", "y,x,city,code", "1,1,a,1", "0,2,,1", "1,3,b,NA", "0,4,a,2", "1,5,b,2");
    assertSays(
        refusedData(keyed(csv, "prepared")), "column 'city'", "has no value in 1 row", "line 3");
    Wish drop = keyed(csv, "a");
    drop.rules = new Columns.Rules(Columns.Missing.DROP, Columns.Dates.REFUSE);
    assertEquals(3, drop.prepare().rows());
    assertEquals(Set.of("a 2", "b 1"), Set.copyOf(levels(drop, 0).values()));
    Wish level = keyed(csv, "b");
    level.rules = new Columns.Rules(Columns.Missing.LEVEL, Columns.Dates.REFUSE);
    assertEquals(5, level.prepare().rows());
    assertEquals(Set.of("a 2", "b 2", "(missing) 1"), Set.copyOf(levels(level, 0).values()));
    assertEquals(Set.of("1 2", "2 2", "(missing) 1"), Set.copyOf(levels(level, 1).values()));
  }

  @Test
  void rowsArePutTogetherByTheColumnWithManyLevels() {
    String path =
        parquet(
            40_100,
            3,
            "id % 2 AS y",
            "id AS x",
            "CASE WHEN id = 7 THEN NULL ELSE id % 20001 END AS code",
            "id % 20000 AS city");
    Wish wish = keyed(path, "a");
    wish.rules = new Columns.Rules(Columns.Missing.LEVEL, Columns.Dates.REFUSE);
    wish.blockRows = 0;
    TableSchema schema = wish.prepare();
    assertEquals(
        List.of(
            new Levels("city", 20_000, 3, false, null), new Levels("code", 20_002, 3, true, null)),
        unhashed(schema));
    assertEquals(new TableSchema.Grouping("code", null, 20_002), schema.grouping());
    assertTrue(
        wish.progress.contains(
            "rows are grouped by 'code', which has 20,002 levels, as with data.group_by"),
        wish.progress.toString());
    assertTogether(wish, 1);
    Wish few = keyed(path, "b");
    few.groups = List.of("city");
    assertNull(few.prepare().grouping());
  }

  @Test
  void whatCannotBeAGroupIsRefused() throws IOException {
    Wish absent = wish(file("t.csv", "y,x,city", "1,1,a", "0,2,b"));
    absent.groups = List.of("town");
    assertSays(refusedData(absent), "no column 'town' for the groups of model.random");
    Wish label = wish(absent.input);
    label.groups = List.of("y");
    assertSays(refused(label, UserException.Kind.USAGE), "names the label 'y' as a group");
  }

  /** How many of them a chain can hold is asked where chains are. */
  @Test
  void twoColumnsMayHaveManyLevels() throws IOException {
    String path =
        parquet(400_200, 2, "id % 2 AS y", "id AS x", "id % 200001 AS city", "id % 200100 AS code");
    Wish two = wish(path);
    two.features = List.of("x");
    two.groups = COLUMNS;
    assertEquals(
        List.of(
            new Levels("city", 200_001, 3, false, null),
            new Levels("code", 200_100, 2, true, null)),
        unhashed(two.prepare()));
  }

  /** Flips bits of the parts with the levels: they are refused, or are the same. */
  @Test
  void aFlippedByteOfTheLevelsIsToldOrChangesNothing() throws IOException {
    SPARK
        .sparkContext()
        .hadoopConfiguration()
        .set("parquet.page.verify-checksum.enabled", "true"); // as Session has it
    Wish wish = keyed(file("t.csv", lines().toArray(String[]::new)), "flipped");
    TableSchema schema = wish.prepare();
    LevelTable.require(SPARK, wish.output, schema);
    Map<Long, String> expected = levels(wish, 0);
    Path levels = Path.of(LevelTable.path(wish.output, 0));
    List<Path> parts;
    try (Stream<Path> files = Files.list(levels)) {
      parts = files.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
    int stride = "all".equals(System.getProperty("lampyris.validation")) ? 1 : 37;
    int all = 0;
    int told = 0;
    for (Path part : parts) {
      Files.deleteIfExists(part.resolveSibling("." + part.getFileName() + ".crc"));
      byte[] whole = Files.readAllBytes(part);
      for (int at = 0; at < whole.length; at += stride) {
        byte[] bytes = whole.clone();
        bytes[at] ^= 0x55;
        Files.write(part, bytes);
        all++;
        Map<Long, String> read;
        try {
          LevelTable.require(SPARK, wish.output, schema);
          read = levels(wish, 0);
        } catch (Exception e) {
          told++;
          continue;
        }
        assertEquals(expected, read, "byte " + at);
      }
      Files.write(part, whole);
    }
    assertTrue(told > all / 5, told + " of " + all);
  }
}
