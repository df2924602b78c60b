package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.executors.table.TableSchema;

/** Rows lie as they do in the input, whatever it is cut into on the way. */
class InputOrderIT extends PrepareContract {
  private static final String SPLIT = "spark.sql.files.maxPartitionBytes";
  private static final String OPEN = "spark.sql.files.openCostInBytes";
  private static final int ROWS = 1_003;
  private static final int BLOCK_ROWS = 50;

  private final List<String> lines = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  /** Levels come in an order of their own in each piece, and the label is sorted. */
  @BeforeEach
  void makeRows() {
    Random random = new Random(5);
    for (int n = 0; n < ROWS; n++) {
      int y = n < 700 ? 0 : 1;
      int x = random.nextInt(1_000);
      int level = random.nextInt(4);
      lines.add(y + "," + x + ",l" + level + "," + n);
      expected.add(
          "%d 1.0 %.1f %.1f %.1f %.1f %.1f"
              .formatted(
                  2 * y - 1,
                  (double) x,
                  level == 1 ? 1.0 : 0.0,
                  level == 2 ? 1.0 : 0.0,
                  level == 3 ? 1.0 : 0.0,
                  (double) n));
    }
    split(1 << 27, 4 << 20);
  }

  @AfterEach
  void splitAsUsual() {
    SPARK.sparkContext().conf().remove(SPLIT);
    SPARK.sparkContext().conf().remove(OPEN);
  }

  /** The job's session takes its configuration from the context. */
  private static void split(long bytes, long open) {
    SPARK.sparkContext().conf().set(SPLIT, Long.toString(bytes));
    SPARK.sparkContext().conf().set(OPEN, Long.toString(open));
  }

  private Path csv(String name, int from, int to) throws IOException {
    List<String> part = new ArrayList<>(List.of("y,x,level,n"));
    part.addAll(lines.subList(from, to));
    return Files.write(folder.resolve(name), part);
  }

  /** Files of different sizes, the largest in the middle, one without a row. */
  private Path files() throws IOException {
    Path several = Files.createDirectory(folder.resolve("several.csv"));
    int[] ends = {0, 20, 20, 600, 601, 900, ROWS};
    for (int f = 0; f + 1 < ends.length; f++) {
      csv("several.csv/part-" + f + ".csv", ends[f], ends[f + 1]);
    }
    return several;
  }

  private TableSchema prepared(Object input, String name) {
    Wish wish = wishOf(input, name);
    TableSchema schema = wish.prepare();
    assertEquals(expected, wish.rows(), name);
    return schema;
  }

  private Wish wishOf(Object input, String name) {
    Wish wish = new Wish(input, folder.resolve("out-" + name));
    wish.blockRows = BLOCK_ROWS;
    return wish;
  }

  @Test
  void theSameHoweverFilesAreCut() throws IOException {
    Path one = csv("one.csv", 0, ROWS);
    String print = prepared(one, "one").fingerprint();
    Path several = files();
    assertEquals(print, prepared(several, "several").fingerprint());
    Path packed = folder.resolve("one.csv.gz");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(packed)), StandardCharsets.UTF_8)) {
      out.write(Files.readString(one));
    }
    assertEquals(print, prepared(packed, "packed").fingerprint());
    for (long bytes : new long[] {300, 7_000}) {
      split(bytes, 0);
      assertEquals(print, prepared(one, "one-" + bytes).fingerprint(), bytes + " bytes");
      assertEquals(print, prepared(several, "several-" + bytes).fingerprint(), bytes + " bytes");
    }
  }

  /**
   * Each level begins in a place of its own, and the file of the first ones is the smallest, which
   * Spark reads last. The first row is left out.
   */
  @Test
  void levelsAsTheyAppearHoweverFilesAreCut() throws IOException {
    List<String> appear = List.of("q", "7", "b", "z", "10", "a");
    List<String> rows = new ArrayList<>(List.of(",a"));
    for (int n = 0; n < 600; n++) {
      rows.add(n % 2 + "," + appear.get(n % (1 + n / 100)));
    }
    Path text = Files.createDirectory(folder.resolve("levels.csv"));
    int[] ends = {0, 30, 401, 601};
    for (int f = 0; f + 1 < ends.length; f++) {
      List<String> part = new ArrayList<>(List.of("y,level"));
      part.addAll(rows.subList(ends[f], ends[f + 1]));
      Path file = Files.write(text.resolve("part-" + f + ".csv"), part);
      SPARK
          .read()
          .option("header", true)
          .schema("y INT, level STRING")
          .csv(file.toString())
          .where("y IS NOT NULL")
          .coalesce(1)
          .write()
          .parquet(folder.resolve("levels.parquet/part=" + f).toString());
    }
    for (long bytes : new long[] {1 << 20, 300}) {
      split(bytes, 0);
      for (String input : List.of("levels.csv", "levels.parquet")) {
        for (String formula : new String[] {"", "y ~ level", "y ~ relevel(level, \"b\")"}) {
          Wish wish = levels(input, "levels");
          if (input.equals("levels.csv")) {
            wish.rules = new Columns.Rules(Columns.Missing.DROP, Columns.Dates.REFUSE);
          }
          wish.formula = formula.isEmpty() ? null : formula;
          wish.features = formula.isEmpty() ? List.of("level") : List.of();
          TableSchema schema = wish.prepareAgain();
          List<String> expected =
              formula.contains("relevel") ? List.of("b", "q", "7", "z", "10", "a") : appear;
          TableSchema.Feature found =
              formula.contains("relevel")
                  ? Objects.requireNonNull(schema.source().formula()).factors().get(0)
                  : schema.features().get(0);
          assertEquals(expected, found.levels(), input + " " + bytes + " " + formula);
        }
      }
    }
    Wish sorted = levels("levels.csv", "sorted");
    sorted.query = "SELECT * FROM input ORDER BY level";
    UserException refused = assertThrows(UserException.class, sorted::prepare);
    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("order: appearance"), refused.toString());
  }

  @Test
  void levelsAppearInTheOrderOfFilesHoweverLargeTheseAre() throws IOException {
    split(1 << 20, 0);
    Path files = Files.createDirectory(folder.resolve("sizes"));
    Files.writeString(files.resolve("a.csv"), "y,level\n1,c\n0,b\n");
    Files.writeString(files.resolve("b.csv"), "y,level\n" + "0,a\n1,b\n1,c\n".repeat(500));
    assertEquals(
        List.of("c", "b", "a"), levels("sizes", "by-size").prepare().features().get(0).levels());
  }

  private Wish levels(String input, String output) {
    Wish wish = wishOf(folder.resolve(input), output);
    wish.features = List.of("level");
    wish.categorical =
        Map.of("level", new Categorical(List.of(), null, null, null, Categorical.Order.APPEARANCE));
    return wish;
  }

  @Test
  void theSameFromParquetWithManyRowGroups() throws IOException {
    Path one = csv("one.csv", 0, ROWS);
    String print = prepared(one, "one").fingerprint();
    Path several = files();
    for (Path input : List.of(one, several)) {
      Path parquet = folder.resolve(input.getFileName() + ".parquet");
      // One file for each that Spark reads, in that order; row groups of some hundred rows.
      SPARK
          .read()
          .option("header", true)
          .schema("y INT, x INT, level STRING, n DOUBLE")
          .csv(input.toString())
          .coalesce(1)
          .sort("n")
          .write()
          .option("parquet.block.size", 2_000)
          .option("parquet.page.row.count.limit", 20)
          .option("parquet.block.size.row.check.min", 100)
          .parquet(parquet.toString());
      for (long bytes : new long[] {1 << 20, 1_500}) {
        split(bytes, 0);
        String name = parquet.getFileName() + "-" + bytes;
        assertEquals(print, prepared(parquet, name).fingerprint(), name);
      }
    }
  }

  @Test
  void queriesThatKeepRowsApartKeepTheirOrder() throws IOException {
    split(2_000, 0);
    Wish filtered = wishOf(files(), "filtered");
    filtered.query = "SELECT y, x, level, n FROM input WHERE n % 3 <> 1";
    filtered.prepare();
    List<String> left = new ArrayList<>();
    for (int n = 0; n < ROWS; n++) {
      if (n % 3 != 1) {
        left.add(expected.get(n));
      }
    }
    assertEquals(left, filtered.rows());
  }

  @Test
  void rowsWithoutAnOrderAreOrderedByContent() throws IOException {
    Path several = files();
    Wish joined = wishOf(several, "joined");
    joined.query = "SELECT y, x, level, n FROM input ORDER BY n";
    String print = joined.prepare().fingerprint();
    Wish content = wishOf(csv("one.csv", 0, ROWS), "content");
    content.order = Packing.Order.CONTENT;
    assertEquals(print, content.prepare().fingerprint());
    assertNotEquals(expected, content.rows());
    assertEquals(expected.stream().sorted().toList(), content.rows().stream().sorted().toList());
    joined.order = Packing.Order.INPUT;
    Wish refused = new Wish(several, folder.resolve("prepared"));
    refused.query = joined.query;
    refused.order = Packing.Order.INPUT;
    assertSays(
        refused(refused, UserException.Kind.USAGE), "data.order: input", "data.order: content");
  }

  @Test
  void rowsThatAreLeftOutLeaveNoGap() throws IOException {
    lines.set(3, "0,,l1,3");
    lines.set(600, "0,5,NA,600");
    Wish wish = wishOf(files(), "left");
    wish.rules =
        new org.lampyris.dataprep.read.Columns.Rules(
            org.lampyris.dataprep.read.Columns.Missing.DROP, wish.rules.dates());
    split(700, 0);
    assertEquals(ROWS - 2, wish.prepare().rows());
    expected.remove(600);
    expected.remove(3);
    assertEquals(expected, wish.rows());
  }
}
