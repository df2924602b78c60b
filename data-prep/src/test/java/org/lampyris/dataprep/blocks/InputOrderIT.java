package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
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
