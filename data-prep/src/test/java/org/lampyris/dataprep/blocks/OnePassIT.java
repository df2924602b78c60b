package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.dataprep.blocks.PrepareJob.Prepared;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Storage;

/** Tables that are stored while they are read, against the same ones whose rows are kept first. */
class OnePassIT extends OnePassContract {
  private static final String[] COLUMNS = {
    "sin(id * 0.37) AS x",
    "cast(id % 19 AS int) AS whole",
    "CASE WHEN id % 997 = 996 THEN 'rare' WHEN id % 3 = 0 THEN 'a' ELSE 'b' END AS level",
    "IF(id % 4 = 0, 0.0D, cos(id) * 5 + 100) AS far",
    "1.0D + id % 3 AS w",
    "sqrt(id + 1) / 50 AS o",
    "IF(hash(id) % 2 = 0, 'yes', 'no') AS y"
  };

  private static double exposure(long row) {
    return Math.exp(Math.sqrt((double) row) / 50);
  }

  @Test
  void theTableIsThatOfKeptRows() {
    String input = table(20_000, 3, COLUMNS);
    for (Storage storage : Storage.values()) {
      for (Layout layout : Layout.values()) {
        Wish wish = wish(input, "x", "whole", "level", "far");
        wish.weight = "w";
        wish.offset = "o";
        wish.storage = storage;
        wish.standardize = storage == Storage.FLOAT ? Standardize.NONE : Standardize.GELMAN;
        wish.layout = layout;
        wish.blockRows = 256;
        TableSchema expected = kept(wish);
        double mean =
            LongStream.rangeClosed(1, 20_000).mapToDouble(OnePassIT::exposure).sum() / 20_000;
        Double exposure = expected.scaling().exposure();
        assertEquals(mean, exposure == null ? Double.NaN : exposure, 1e-12 * mean);
        for (int partitions : new int[] {1, 2, 7}) {
          SPARK.sparkContext().conf().set(SPLIT, partitions == 7 ? "30000" : "1g");
          wish.partitions = partitions;
          wish.progress.clear();
          assertSame(expected, wish.prepareAgain());
          assertEquals(1, passes(wish), wish.progress.toString());
        }
      }
    }
  }

  /** The first rows have one class of two, then two of three. */
  @Test
  void classesMayComeLate() {
    Wish second = wish(table(9_000, 2, "sin(id) AS x", "cast(id < 7000 AS int) AS y"), "x");
    assertSame(kept(second), second.prepareAgain());
    assertEquals(1, passes(second));
    assertEquals(1, second.progress.stream().filter(line -> line.startsWith("block")).count());
    Wish third = wish(table(9_000, 2, "sin(id) AS x", "IF(id < 7000, id % 2, id % 3) AS y"), "x");
    String message = String.valueOf(assertThrows(UserException.class, third::prepare).getMessage());
    assertTrue(message.contains("3 different values (0, 1, 2)"), message);
    assertEquals(1, passes(third));
  }

  @Test
  void labelsOfEveryKind() {
    String input =
        table(
            6_000,
            2,
            "sin(id) AS x",
            "array(cos(id), id % 2 * 1.0D, id * 0.5D) AS v",
            "cast(id % 4 AS int) AS classes",
            "id * 0.25D - 7 AS number",
            "cast(id % 11 AS long) AS count");
    for (LabelKind kind : List.of(LabelKind.CLASSES, LabelKind.REAL, LabelKind.COUNT)) {
      Wish wish = wish(input, "x", "v");
      wish.labelKind = kind;
      wish.label =
          switch (kind) {
            case CLASSES -> "classes";
            case REAL -> "number";
            default -> "count";
          };
      TableSchema expected = kept(wish);
      assertSame(expected, wish.prepareAgain());
      assertEquals(1, passes(wish), kind + " " + wish.progress);
    }
  }

  @Test
  void rowsAreFilteredOnTheWay() {
    Wish wish = wish(table(9_000, 3, COLUMNS), "x", "level");
    wish.query = "SELECT x, level, y FROM input WHERE whole < 5 AND x > -0.5";
    TableSchema found = wish.prepare();
    assertEquals(1, passes(wish));
    wish.query =
        "SELECT x, level, y FROM input LATERAL VIEW explode(array(1)) e AS one"
            + " WHERE whole < 5 AND x > -0.5";
    wish.progress.clear();
    assertSame(wish.prepareAgain(), found);
    assertEquals(0, passes(wish));
  }

  /**
   * The first block is far from the mean of a column that grows: 3 sds; and the layout is other.
   */
  @Test
  void rowsAreReadOnceMoreWhereTheFirstOnesMisled() {
    String far = table(30_000, 2, "IF(id < 4096, 1e6D + id + 0.5D, sin(id)) AS x", COLUMNS[6]);
    Wish wish = wish(far, "x");
    TableSchema expected = kept(wish);
    assertSame(expected, wish.prepareAgain());
    assertEquals(2, passes(wish), wish.progress.toString());
    assertEquals(expected.columns().get(1).moments().mean(), expected.columns().get(1).center());
    List<String> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int k = 0; k < 12; k++) {
      names.add("x" + k);
      columns.add("IF(id < 4096 OR id %% 12 = %d, sin(id), 0.0D) AS x%<d".formatted(k));
    }
    columns.add(COLUMNS[6]);
    Wish sparse =
        wish(table(30_000, 2, columns.toArray(String[]::new)), names.toArray(String[]::new));
    sparse.layout = Layout.AUTO;
    TableSchema sparseExpected = kept(sparse);
    assertEquals(TableSchema.Layout.SPARSE, sparseExpected.packing().layout());
    assertSame(sparseExpected, sparse.prepareAgain());
    assertEquals(2, passes(sparse), sparse.progress.toString());
  }

  @Test
  void whatCannotBeStoredAsItComesIsKept() {
    String input = table(20_000, 2, "cast(id % 3 AS int) AS x", "sin(id) AS s", COLUMNS[6]);
    Wish repeats = wish(input, "x");
    assertEquals(6, repeats.prepare().rows());
    Wish unit = wish(input, "s");
    unit.standardize = Standardize.UNIT;
    unit.prepare();
    assertEquals(1, passes(unit), unit.progress.toString());
    Wish later = wish(input, "s");
    later.like = unit.output;
    later.prepare();
    for (Wish wish : List.of(repeats, later)) {
      assertEquals(0, passes(wish), wish.progress.toString());
    }
  }

  @Test
  void missingCellsAreToldOrLevels() throws IOException {
    String input =
        table(
            9_000,
            2,
            "IF(id = 8500, NULL, sin(id)) AS x",
            "IF(id > 8000, NULL, concat('l', id % 3)) AS level",
            "cos(id) AS c",
            "IF(id >= 4000 AND id % 1000 = 0, NULL, cast(id AS int)) AS whole",
            "IF(id = 7, double('-inf'), id * 0.5D) AS end",
            COLUMNS[6]);
    Wish whole = wish(input, "c", "whole");
    String rows = String.valueOf(assertThrows(UserException.class, whole::prepare).getMessage());
    assertTrue(rows.contains("column 'whole'") && rows.contains("in 5 rows"), rows);
    Wish end = wish(input, "c", "end");
    String first = String.valueOf(assertThrows(UserException.class, end::prepare).getMessage());
    assertTrue(first.contains("column 'end'") && first.contains("row 8"), first);
    Wish wish = wish(input, "x");
    String message = String.valueOf(assertThrows(UserException.class, wish::prepare).getMessage());
    assertTrue(message.contains("column 'x'") && message.contains("in 1 row"), message);
    assertEquals(1, passes(wish));
    assertFalse(Files.exists(Path.of(wish.output)));
    try (Stream<Path> left = Files.list(folder)) {
      assertFalse(left.anyMatch(path -> path.toString().contains(".tmp")));
    }
    Wish level = wish(input, "level", "c");
    level.rules = new Columns.Rules(Columns.Missing.LEVEL, Columns.Dates.REFUSE);
    TableSchema expected = kept(level);
    assertSame(expected, level.prepareAgain());
    assertEquals(1, passes(level));
    Wish drop = wish(input, "x", "level");
    drop.rules = new Columns.Rules(Columns.Missing.DROP, Columns.Dates.REFUSE);
    assertEquals(8_001, drop.prepare().rows());
    assertEquals(0, passes(drop));
  }

  @Test
  void keptBlocksAreTheStoredOnes() throws IOException {
    for (Storage storage : Storage.values()) {
      Wish wish = wish(table(9_000, 2, COLUMNS), "x", "level", "far");
      wish.storage = storage;
      wish.blockRows = 128;
      wish.partitions = 3;
      Prepared prepared =
          PrepareJob.runKeeping(SPARK, wish.request(), true, names -> {}, wish.progress::add);
      JavaRDD<DataBlock> blocks = prepared.blocks();
      assertNotNull(blocks);
      BlockTable table = BlockTable.loadMade(SPARK, wish.output, 3, blocks);
      try (BlockTable read = BlockTable.load(SPARK, wish.output, 3)) {
        assertTrue(table.isKept());
        assertTrue(table.isOf(read.schema(), 3));
        assertEquals(3, table.blocks().getNumPartitions());
        for (int p = 0; p < 3; p++) {
          List<DataBlock> expected = read.blocks().collectPartitions(new int[] {p})[0];
          List<DataBlock> found = table.blocks().collectPartitions(new int[] {p})[0];
          assertEquals(expected.size(), found.size());
          for (int b = 0; b < expected.size(); b++) {
            assertSame(expected.get(b), found.get(b));
          }
        }
        assertTrue(blocks.rdd().isCheckpointed(), "jobs do not carry how the input is read");
        long count = table.blocks().count();
        table.close();
        assertFalse(table.isKept());
        assertEquals(count, table.blocks().count(), "read from the folder again");
      }
      assertNull(PrepareJob.runKeeping(SPARK, keptRequest(wish), true, n -> {}, l -> {}).blocks());
    }
  }

  private static PrepareJob.Request keptRequest(Wish wish) {
    wish.query = "SELECT * FROM input LATERAL VIEW explode(array(1)) e AS one";
    wish.overwrite = true;
    return wish.request();
  }

  private static void assertSame(DataBlock expected, DataBlock found) {
    assertEquals(expected.id(), found.id());
    assertEquals(expected.rows(), found.rows());
    assertEquals(expected.packedBytes(), found.packedBytes());
    for (int n = 0; n < expected.rows(); n++) {
      assertEquals(expected.response(n), found.response(n));
      for (int j = 0; j < expected.columns(); j++) {
        assertEquals(expected.feature(n, j), found.feature(n, j));
      }
    }
  }
}
