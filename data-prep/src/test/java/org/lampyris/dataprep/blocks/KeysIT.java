package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException.Kind;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Source;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;

/** What groups, levels and classes are called is what stands in the table, on every way to it. */
class KeysIT extends PrepareContract {
  /** Six customers, whose numbers are four doubles. */
  private static final String[] BIG = {
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "9007199254740995",
    "9007199254740996",
    "9007199254740997"
  };

  private static final Categorical ALL = Categorical.DEFAULT;

  /** Returns rows with a class, a number, and each of some keys in turn. */
  private static String[] lines(int rows, String... keys) {
    List<String> lines = new ArrayList<>(List.of("y,x,c"));
    for (int n = 0; n < rows; n++) {
      lines.add("%s,%s,%s".formatted(n / 7 % 2, n % 11 + 0.5, keys[n % keys.length]));
    }
    return lines.toArray(String[]::new);
  }

  private Wish made(String name, String... lines) throws IOException {
    Wish wish = new Wish(file(name, lines), folder.resolve("out-" + name));
    wish.overwrite = true;
    return wish;
  }

  private static Wish grouped(Wish wish) {
    wish.groups = List.of("c");
    return wish;
  }

  /** Returns the levels of groups. */
  private static Set<String> levels(Wish wish) {
    Set<String> levels = new TreeSet<>();
    LevelTable.read(SPARK, wish.output, 0)
        .collectAsList()
        .forEach(row -> levels.add(row.getString(1)));
    return levels;
  }

  @Test
  void keysKeepEveryDigitAndEveryZero() throws IOException {
    Wish all =
        grouped(
            made(
                "t.csv", lines(90, "7", "07", "007", "+8", "8.0", "8e0", "-0.50", BIG[0], BIG[1])));
    all.prepare();
    assertEquals(Set.of("7", "07", "007", "8", "-0.5", BIG[0], BIG[1]), levels(all));

    Wish big = made("big.csv", lines(60, BIG));
    big.formula = "y ~ x + factor(c)";
    List<String> names = big.prepare().columnNames();
    assertEquals(7, names.size());
    assertTrue(names.contains("factor(c)[" + BIG[1] + "]"), names.toString());
    big.formula = null;
    big.groupBy = "c";
    assertEquals(6, Objects.requireNonNull(big.prepare().grouping()).groups());
    big.groupBy = null;
    big.categorical = Map.of("c", ALL);
    assertEquals(7, big.prepare().columnNames().size());
    big.categorical = Map.of();
    // Of a column that is a number as well.
    big.features = List.of("x", "c");
    grouped(big).prepare();
    assertEquals(Set.of(BIG), levels(big));

    Wish classes = made("k.csv", lines(60, "007", "07", BIG[1], BIG[0]));
    classes.label = "c";
    classes.labelKind = LabelKind.CLASSES;
    assertEquals(List.of("007", "07", BIG[0], BIG[1]), classes.prepare().label().classes());
  }

  @Test
  void rowsAreOrderedByAllDigits() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,x,g,t"));
    for (int n = 0; n < 40; n++) {
      lines.add("%s,%s,%s,%s".formatted(n / 2 % 2, n, n % 2, 1_700_000_000_000_000_100L - n));
    }
    Wish wish = made("o.csv", lines.toArray(String[]::new));
    wish.features = List.of("x");
    wish.groupBy = "g";
    wish.orderBy = "t";
    wish.prepare();
    for (DataBlock block : wish.blocks()) {
      for (int n = 1; n < block.rows(); n++) {
        double before = wish.input(block, n - 1, 1);
        double x = wish.input(block, n, 1);
        assertTrue(before == x + 2 || (x >= 38 && before <= 1), before + " before " + x);
      }
    }
  }

  @Test
  void aQuerySeesTheDigitsOrTheTableIsRefused() throws IOException {
    Wish big = grouped(made("q.csv", lines(60, BIG)));
    big.query = "SELECT *, c % 2 AS odd FROM input WHERE x > -100";
    big.features = List.of("x", "odd");
    big.prepare();
    assertEquals(Set.of(BIG), levels(big));
    Wish padded = grouped(made("p.csv", lines(60, "7", "07", "007")));
    padded.query = "SELECT * FROM input WHERE c < 100";
    padded.prepare();
    assertEquals(Set.of("7", "07", "007"), levels(padded));
    Wish renamed = grouped(made("r.csv", lines(60, "7", "08", "009")));
    renamed.query = "SELECT y, x, c AS c FROM (SELECT y, x, c AS k, c FROM input)";
    renamed.prepare();
    assertEquals(Set.of("7", "08", "009"), levels(renamed));
    renamed.groups = List.of("k");
    renamed.query = "SELECT y, x, c AS k FROM input";
    renamed.prepare();
    assertEquals(Set.of("7", "8", "9"), levels(renamed));
    assertSays(renamed.progress.toString(), "'c' has numbers with leading zeros", "{c: text}");

    // What the first 10,000 rows do not show is found where it is.
    for (String late : List.of(BIG[1], "007")) {
      String[] rows = lines(10_001, "1", "2");
      rows[10_001] = "1,0.5," + late;
      Wish refused = grouped(wish(file("late.csv", rows)));
      refused.query = "SELECT * FROM input";
      assertSays(
          refusedData(refused),
          "late.csv, line 10002: column 'c' holds '" + late + "'",
          "data.csv.types: {c: text}");
      refused.query = null;
      refused.features = List.of("x", "c");
      if (late.equals(BIG[1])) {
        assertSays(refusedData(refused), "line 10002", "more digits", "{c: text}");
      }
    }
  }

  @Test
  void aNewTableHasTheKeysOfTheEarlierOne() throws IOException {
    // Text in training; the new table has digits alone.
    Wish text = made("old.csv", lines(60, "007", "1.10", "1.1", "A12", "B9", "C3"));
    text.prepare();
    Wish digits = made("new.csv", lines(60, "1.1", "007", "1.10"));
    digits.like = text.output;
    assertEquals(
        List.of("(Intercept)", "x", "c[1.10]", "c[007]", "c[A12]", "c[B9]", "c[C3]"),
        digits.prepare().columnNames());
    double[] rows = new double[5];
    for (DataBlock block : digits.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        for (int j = 2; j < 5; j++) {
          rows[j] += digits.input(block, n, j);
        }
      }
    }
    assertEquals(20, rows[2], 1e-6);
    assertEquals(20, rows[3], 1e-6);
    assertEquals(0, rows[4], 1e-6);

    // Numbers in training; the new table spells them otherwise, as CSV and in Parquet.
    Wish numbers = grouped(made("n.csv", lines(60, "1", "2", BIG[1])));
    numbers.prepare();
    Wish spelled = grouped(made("s.csv", lines(60, "1.0", "2e0", BIG[1])));
    spelled.like = numbers.output;
    spelled.prepare();
    assertEquals(levels(numbers), levels(spelled));
    String parquet = folder.resolve("s.parquet").toString();
    SPARK
        .range(60)
        .selectExpr("INT(id / 7) % 2 AS y", "id % 11 + 0.5D AS x", "DOUBLE(id % 2 + 1) AS c")
        .write()
        .parquet(parquet);
    Wish retyped = grouped(new Wish(parquet, folder.resolve("out-retyped")));
    retyped.like = numbers.output;
    retyped.prepare();
    assertEquals(Set.of("1", "2"), levels(retyped));

    // A category, and the label, of later rows.
    Wish declared = made("d.csv", lines(60, "1", "2", "3"));
    declared.categorical = Map.of("c", ALL);
    declared.prepare();
    List<String> later = new ArrayList<>();
    for (String line : lines(60, "1.0", "2.0", "3.00")) {
      later.add(later.isEmpty() ? line : line.replaceFirst("^([01]),", "$1.0,"));
    }
    Wish after = made("later.csv", later.toArray(String[]::new));
    after.categorical = declared.categorical;
    after.after = declared.output;
    assertEquals(List.of("0", "1"), after.prepare().label().classes());
    assertEquals(120, TableSchema.read(after.output, conf()).rows());
    after.after = null;
    after.like = declared.output;
    Wish unknown = wish(file("u.csv", lines(60, "1", "2.5")));
    unknown.categorical = declared.categorical;
    unknown.like = declared.output;
    assertSays(refusedData(unknown), "category '2.5'", "u.csv, line 3");
  }

  private static Configuration conf() {
    return SPARK.sparkContext().hadoopConfiguration();
  }

  @Test
  void foldersAreColumnsWithTheValuesThatTheyHave() throws IOException {
    String parquet = folder.resolve("stores").toString();
    for (String store : List.of("01", "1", "02")) {
      SPARK
          .range(20)
          .selectExpr("id % 2 AS y", "DOUBLE(id * id) AS x")
          .write()
          .parquet(parquet + "/store=" + store);
      Files.createDirectories(folder.resolve("csv/store=" + store));
      String[] rows = lines(20, "a", "b");
      Files.write(folder.resolve("csv/store=" + store + "/part.csv"), List.of(rows));
    }
    for (Object input : List.of(parquet, folder.resolve("csv"))) {
      Wish wish = new Wish(input, folder.resolve("out"));
      wish.overwrite = true;
      wish.format = input.equals(parquet) ? "parquet" : "csv";
      wish.features = List.of("x", "store");
      wish.categorical = Map.of("store", ALL);
      assertEquals(
          List.of("(Intercept)", "x", "store[1]", "store[02]"), wish.prepare().columnNames());
      wish.categorical = Map.of();
      wish.features = List.of("x");
      wish.groups = List.of("store");
      wish.prepare();
      assertEquals(Set.of("01", "1", "02"), levels(wish));
      // As a number it is one.
      wish.groups = List.of();
      wish.features = List.of("x", "store");
      assertEquals(List.of("(Intercept)", "x", "store"), wish.prepare().columnNames());
    }
  }

  @Test
  void typesComeFromAllFilesThatHaveRows() throws IOException {
    Path parts = Files.createDirectories(folder.resolve("parts"));
    Files.writeString(parts.resolve("part-0.csv"), "");
    Files.writeString(parts.resolve("part-1.csv"), "y,x,c\n");
    Files.write(parts.resolve("part-2.csv"), List.of(lines(30, "a", "b", "1")));
    Files.write(parts.resolve("part-3.csv"), List.of(lines(30, "2", "b", "a")));
    Wish wish = new Wish(parts, folder.resolve("out"));
    wish.format = "csv";
    assertEquals(List.of("(Intercept)", "x", "c[2]", "c[a]", "c[b]"), wish.prepare().columnNames());
    Files.write(parts.resolve("part-4.csv"), List.of(lines(200, "3")));
    Wish codes = wish(parts);
    codes.format = "csv";
    assertSays(
        refusedData(codes),
        "part-",
        ".csv, line ",
        ": column 'c' holds '",
        "data.csv.types: {c: text}");
    codes.csv = csv(Map.of("c", Source.Csv.Type.TEXT));
    assertEquals(6, codes.prepare().columnNames().size());
  }

  private static Source.Csv csv(Map<String, Source.Csv.Type> types) {
    return new Source.Csv(",", ".", null, List.of(), types);
  }

  @Test
  void aCsvIsReadAsItIsWritten() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y;x;c;k"));
    for (int n = 0; n < 40; n++) {
      lines.add(
          "%s;%s;%s;%s".formatted(n / 7 % 2, n % 9 == 0 ? "-" : n + ".037,5", n % 3, "0" + n % 4));
    }
    Wish wish = made("w.csv", lines.toArray(String[]::new));
    wish.csv =
        new Source.Csv(
            ";",
            ",",
            ".",
            List.of("-"),
            Map.of("c", Source.Csv.Type.TEXT, "k", Source.Csv.Type.NUMBER));
    wish.groups = List.of("k");
    wish.rules = new Columns.Rules(Columns.Missing.DROP, Columns.Dates.REFUSE);
    TableSchema schema = wish.prepare();
    assertEquals(List.of("(Intercept)", "x", "c[1]", "c[2]"), schema.columnNames());
    assertEquals(5, schema.source().leftOut());
    assertEquals(1037.5, schema.columns().get(1).min());
    assertEquals(39_037.5, schema.columns().get(1).max());
    assertEquals(Set.of("0", "1", "2", "3"), levels(wish));
    lines.set(3, "1;1.03,5;1;2");
    Wish wrong = wish(file("v.csv", lines.toArray(String[]::new)));
    wrong.csv = wish.csv;
    assertSays(refusedData(wrong), "v.csv, line 4: column 'x' holds '1.03,5'");
    wrong.csv = new Source.Csv(";", ",", ".", List.of("-"), Map.of("d", Source.Csv.Type.TEXT));
    assertSays(refused(wrong, Kind.USAGE), "data.csv.types names 'd'", "v.csv");
  }

  @Test
  void commasAreToldByTheColumn() throws IOException {
    assertSays(
        refusedData(wish(file("t.csv", numbers("\"1,037\"", "999", "\"12,000\"")))),
        "a comma between thousands",
        "such as 1,037",
        "data.csv.thousands: \",\"");
    assertSays(
        refusedData(wish(file("d.csv", numbers("\"1,03\"", "\"999,5\"")))),
        "before the decimals",
        "data.csv.decimal: \",\"");
    assertSays(
        refusedData(wish(file("e.csv", numbers("\"1.037,5\"", "\"999,25\"")))),
        "data.csv.decimal: \",\" and data.csv.thousands: \".\"");
    // Numbers that have no comma are more: the cell says it.
    assertSays(
        refusedData(wish(file("m.csv", numbers("\"1,037\"", "999", "998")))),
        "m.csv, line 2: column 'x' holds '1,037'",
        "data.csv.thousands: \",\"");
    Wish query = wish(file("q.csv", numbers("\"1,037\"", "999", "\"12,000\"")));
    query.query = "SELECT * FROM input";
    assertSays(refusedData(query), "CAST(REPLACE(x, ',', '') AS DOUBLE) AS x");
  }

  private static String[] numbers(String... cells) {
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < 30; n++) {
      lines.add(n / 4 % 2 + "," + cells[n % cells.length]);
    }
    return lines.toArray(String[]::new);
  }
}
