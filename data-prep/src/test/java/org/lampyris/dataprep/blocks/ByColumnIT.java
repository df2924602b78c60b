package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Columns.Categorical.Order;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.SelectedRows;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.TableSchema;

/** Tables read by Spark's batches of columns, against the same ones read row by row. */
class ByColumnIT extends OnePassContract {
  private static final String X = "sin(id * 0.37) AS x";
  private static final String YES = "IF(hash(id) % 2 = 0, 'yes', 'no') AS y";
  private static final String DICTIONARY = "parquet.enable.dictionary";
  private static final String BY_ROW = "SELECT * FROM input WHERE x > -2";

  /** Requires the table that kept rows give. */
  private static void assertAsKept(Wish wish) {
    wish.partitions = 2;
    wish.progress.clear();
    assertSame(kept(wish), wish.prepareAgain());
    assertEquals(1, passes(wish), wish.progress.toString());
  }

  /** Requires the table that a filter gives, whose rows come one by one. */
  private static void assertAsRows(Wish wish) {
    wish.query = BY_ROW;
    TableSchema expected = wish.prepareAgain();
    wish.query = null;
    assertSame(expected, wish.prepareAgain());
    assertEquals(2, passes(wish), wish.progress.toString());
  }

  private InputColumns columns(Dataset<Row> rows, Wish wish) {
    PrepareJob.Request request = wish.request();
    return InputColumns.resolve(
        rows.schema(), request.data().columns(), request.model(), true, wish.input);
  }

  @Test
  void columnsAreReadAsRowsAre() {
    String input =
        table(
            20_000,
            3,
            "IF(id % 5 = 0, -0.0D, sin(id * 0.37)) AS x",
            "cast(cos(id) AS float) AS single",
            "id % 7 * 0.1D AS few",
            "id * 100000000000L AS long",
            "cast(id % 19 AS short) AS short",
            "cast(id % 3 AS byte) AS byte",
            "id % 11 = 3 AS flag",
            "cast(sin(id) AS decimal(12, 4)) AS exact",
            "IF(id % 3 = 0, 'a', 'b') AS level",
            YES);
    String[] features = {"x", "single", "few", "long", "short", "byte", "flag", "exact", "level"};
    for (boolean intercept : new boolean[] {true, false}) {
      Wish wish = wish(input, features);
      wish.intercept = intercept;
      wish.standardize = Standardize.GELMAN;
      wish.blockRows = 100;
      wish.partitions = 2;
      TableSchema expected = kept(wish);
      assertSame(expected, wish.prepareAgain());
      assertEquals(1, passes(wish), wish.progress.toString());
    }
    assertTrue(haveBatches("SELECT * FROM t", input, features));
    assertTrue(haveBatches("SELECT y, few AS x FROM t", input, "x"));
    assertFalse(haveBatches("SELECT y, 2 * few AS x FROM t", input, "x"));
    assertFalse(haveBatches("SELECT y, x FROM t WHERE few > 0", input, "x"));
  }

  private boolean haveBatches(String query, String input, String... features) {
    SPARK.read().parquet(input).createOrReplaceTempView("t");
    Dataset<Row> rows = SPARK.sql(query);
    InputColumns columns = columns(rows, wish(input, features));
    return InputPieces.of(columns.select(rows)).orElseThrow().haveBatches(columns);
  }

  /** A dictionary has its texts in the order of a row group, and each group has another one. */
  @ParameterizedTest
  @CsvSource({"true,DENSE,20", "false,SPARSE,20", "short,DENSE,20", "true,SPARSE,600"})
  void textsHaveTheLevelsOfRows(String dictionary, Layout layout, int top) {
    options =
        dictionary.equals("short")
            ? Map.of("parquet.dictionary.page.size", "200")
            : Map.of(DICTIONARY, dictionary);
    Wish wish =
        wish(
            table(
                20_000,
                3,
                X,
                "concat('level ', (id div 900 + id) % 11) AS turning",
                "concat('l', pmod(hash(id), 700)) AS many",
                "IF(id < 9000, 'early', IF(id % 2 = 0, 'even', 'odd')) AS late",
                "IF(id % 7 = 0, NULL, id % 5 - 2) AS number",
                "IF(id < 300, NULL, IF(id % 6 = 0, 'NA', IF(id % 5 = 0, NULL, IF(id % 4 = 0,"
                    + " '(missing)', 'a')))) AS holes",
                "date_add(DATE'2024-02-28', cast(id % 3 AS int)) AS day",
                "cast(id % 3 AS decimal(9, 2)) / 4 AS exact",
                "id % 13 * 0.1F AS single",
                YES),
            "x",
            "turning",
            "many",
            "late",
            "number",
            "holes",
            "exact",
            "single",
            "day");
    Categorical appearance = new Categorical(List.of(), null, null, null, Order.APPEARANCE);
    wish.categorical =
        Map.of(
            "number",
            appearance,
            "day",
            Categorical.DEFAULT,
            "exact",
            Categorical.DEFAULT,
            "single",
            Categorical.DEFAULT,
            "turning",
            appearance,
            "late",
            appearance,
            "holes",
            appearance,
            "many",
            new Categorical(List.of(), null, top, "rest", Order.VALUE));
    wish.rules = new Columns.Rules(Columns.Missing.LEVEL, Columns.Dates.REFUSE);
    wish.layout = layout;
    wish.blockRows = 700;
    assertAsRows(wish);
  }

  @Test
  void labelsOfEveryTypeAreRead() {
    String input =
        table(
            9_000,
            3,
            X,
            "id % 7 AS big",
            "cast(id % 7 - 3 AS int) AS whole",
            "cast(id % 7 AS short) AS short",
            "cast(id % 7 AS byte) AS byte",
            "id % 7 - 3.0D AS real",
            "cast(id % 7 AS float) AS single",
            "cast(id % 7 AS decimal(9, 2)) AS exact",
            "id % 3 = 1 AS flag",
            "concat('class ', id % 7) AS text",
            "9007199254740992 + id % 3 AS huge");
    for (String label :
        List.of(
            "big", "whole", "short", "byte", "real", "single", "exact", "flag", "text", "huge")) {
      for (LabelKind kind : LabelKind.values()) {
        boolean read =
            switch (kind) {
              case BINARY -> label.equals("flag");
              case CLASSES -> !label.equals("flag");
              case REAL -> !List.of("flag", "text").contains(label);
              default -> false;
            };
        if (read) {
          Wish wish = wish(input, "x");
          wish.label = label;
          wish.labelKind = kind;
          wish.blockRows = 700;
          assertAsKept(wish);
        }
      }
    }
  }

  @Test
  void weightsOffsetsTrialsAndEventsAreRead() {
    String input =
        table(
            9_000,
            3,
            X,
            "IF(id % 5 = 0, 'a', IF(id % 9 = 0, NULL, 'b')) AS level",
            "cast(1 + id % 3 AS int) AS w",
            "cast(id % 10 AS float) / 4 AS o",
            "id % 6 AS k",
            "cast(5 + id % 4 AS short) AS n",
            "1.5D + id % 8 AS t",
            "2.5D + id % 8 AS u",
            "id % 4 AS interval",
            "cast(id % 3 AS byte) AS event");
    for (LabelKind kind : List.of(LabelKind.SUCCESSES, LabelKind.TIME, LabelKind.INTERVAL)) {
      Wish wish = wish(input, "x", "level");
      wish.labelKind = kind;
      wish.label = kind.isTime() ? "t" : "k";
      wish.trials =
          kind == LabelKind.SUCCESSES ? "n" : kind == LabelKind.TIME ? "event" : "interval";
      wish.weight = "w";
      wish.offset = kind == LabelKind.INTERVAL ? "u" : "o";
      wish.rules = new Columns.Rules(Columns.Missing.LEVEL, Columns.Dates.REFUSE);
      wish.blockRows = 700;
      assertAsKept(wish);
    }
  }

  /** Levels come in the order of their first rows, which may be in the second file. */
  @Test
  void levelsComeInTheOrderOfTheirFirstRows() {
    String input =
        table(
            12_000,
            2,
            X,
            "concat('l', IF(id < 6000, id % 3, (id * 17) % 23)) AS level",
            "IF(id % 12000 > 11990, NULL, concat('m', (id * 7919) % 101)) AS many",
            "IF(id < 7000, id % 2, 12 - id % 3) AS y");
    Wish wish = wish(input, "level", "many");
    wish.rules = new Columns.Rules(Columns.Missing.LEVEL, Columns.Dates.REFUSE);
    Dataset<Row> rows = SPARK.read().parquet(input);
    InputColumns columns = columns(rows, wish);
    Dataset<Row> selected = columns.select(rows);
    InputPieces pieces = InputPieces.of(selected).orElseThrow();
    assertTrue(pieces.haveBatches(columns));
    TableScan found = TableScan.of(columns, pieces.scans(columns).collect());
    TableScan expected =
        TableScan.of(
            columns,
            SelectedRows.of(selected)
                .mapPartitions(
                    cells -> {
                      TableScan scan = TableScan.begin(columns);
                      cells.forEachRemaining(scan::add);
                      return List.of(scan).iterator();
                    })
                .collect());
    for (int f = 0; f < 2; f++) {
      assertEquals(
          new ArrayList<>(expected.levels(f).counts().entrySet()),
          new ArrayList<>(found.levels(f).counts().entrySet()));
    }
    assertEquals(List.copyOf(expected.classes()), List.copyOf(found.classes()));
    assertEquals(Set.of("0", "1", "10", "11", "12"), found.classes());
    assertEquals("(missing)", List.copyOf(found.levels(1).counts().keySet()).get(101));
  }

  /** The bad cell comes after the first rows, in the second file. */
  @Test
  void badCellsAreToldAsOfRows() {
    String input =
        table(
            6_000,
            2,
            X,
            "IF(id = 5990, NULL, IF(id % 2 = 0, 'a', 'b')) AS level",
            "IF(id = 5995, 'third', IF(id % 2 = 0, 'yes', 'no')) AS y",
            "IF(id = 5000, 'NA', IF(id % 2 = 0, 'yes', 'no')) AS text",
            "IF(id = 5000, double('inf'), id % 2) AS end",
            "IF(id >= 5000, -1.0D, 1.0D) AS w",
            "cast(id % 4 AS int) AS k",
            "IF(id > 5500, 2, 3) AS few");
    for (String fault : List.of("y", "text", "end", "level", "w", "few")) {
      Wish wish = wish(input, fault.equals("level") ? "level" : "x");
      wish.labelKind = fault.equals("few") ? LabelKind.SUCCESSES : LabelKind.BINARY;
      wish.trials = fault.equals("few") ? fault : null;
      wish.weight = fault.equals("w") ? fault : null;
      wish.label =
          switch (fault) {
            case "y", "text", "end" -> fault;
            case "few" -> "k";
            default -> "few";
          };
      wish.query = "SELECT * FROM input";
      String found = message(wish);
      wish.query = BY_ROW;
      assertEquals(message(wish), found);
      assertTrue(found.contains("'" + fault + "'"), found);
    }
  }

  private static String message(Wish wish) {
    return String.valueOf(assertThrows(UserException.class, wish::prepareAgain).getMessage());
  }
}
