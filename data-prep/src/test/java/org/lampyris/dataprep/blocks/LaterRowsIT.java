package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.config.UserException.Kind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Storage;

/** Later rows that are put after those of a table, against all of them prepared at once. */
class LaterRowsIT extends PrepareContract {
  private static final int BLOCK_ROWS = 50;

  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void makeRows() {
    Random random = new Random(5);
    for (int n = 0; n < 700; n++) {
      lines.add(
          "%d,%d,l%d,%d,%d"
              .formatted(
                  random.nextInt(2),
                  n < 8 ? n % 4 : random.nextInt(3) * random.nextInt(4),
                  n < 8 ? n % 4 : random.nextInt(4),
                  random.nextInt(100),
                  1 + random.nextInt(3)));
    }
  }

  private Path csv(String name, int from, int to) throws IOException {
    List<String> part = new ArrayList<>(List.of("y,x,level,z,w"));
    part.addAll(lines.subList(from, to));
    Files.createDirectories(folder.resolve(name).getParent());
    return Files.write(folder.resolve(name), part);
  }

  /** How tables are prepared. */
  private interface Form {
    void set(Wish wish);
  }

  private Wish wish(Object input, String name, Form form) {
    Wish wish = new Wish(input, folder.resolve(name));
    wish.blockRows = BLOCK_ROWS;
    wish.features = List.of("x", "level", "z");
    wish.standardize = Standardize.UNIT;
    form.set(wish);
    return wish;
  }

  /** The half of a fingerprint that is of the blocks. */
  private static String blocks(TableSchema schema) {
    return schema.fingerprint().substring(0, 16);
  }

  private void sameAsAtOnce(String name, int[] ends, Form form) throws IOException {
    Wish first = wish(csv(name + "/part-0.csv", 0, ends[0]), name + "-0", form);
    first.prepare();
    Wish last = first;
    for (int k = 1; k < ends.length; k++) {
      Wish next =
          wish(csv(name + "/part-" + k + ".csv", ends[k - 1], ends[k]), name + "-" + k, form);
      next.after = last.output;
      next.prepare();
      last = next;
    }
    Wish once = wish(folder.resolve(name), name + "-at-once", form);
    once.like = first.output;
    TableSchema expected = once.prepare();
    TableSchema schema = TableSchema.read(last.output, SPARK.sparkContext().hadoopConfiguration());
    assertEquals(expected.packing(), schema.packing(), name);
    assertEquals(expected.columns(), schema.columns(), name);
    assertEquals(blocks(expected), blocks(schema), name);
    assertEquals(expected.fingerprint(), schema.fingerprint(), name);
    assertEquals(text(once.blocks()), text(last.blocks()), name);
    later(last.output, schema, once.blocks(), ends[ends.length - 2]);
  }

  private static List<String> text(List<DataBlock> blocks) {
    List<String> rows = new ArrayList<>();
    for (DataBlock block : blocks) {
      for (int n = 0; n < block.rows(); n++) {
        rows.add(block.id() + " " + text(block, n));
      }
    }
    return rows;
  }

  private static String text(DataBlock block, int n) {
    StringBuilder row = new StringBuilder();
    row.append(block.response(n)).append(' ').append(block.weight(n)).append(block.offset(n));
    for (int j = 0; j < block.columns(); j++) {
      row.append(' ').append(block.feature(n, j));
    }
    for (int g = 0; g < block.groupings(); g++) {
      row.append(' ').append(block.group(g, n));
    }
    return row.toString();
  }

  /** The later rows alone, on several numbers of partitions. */
  private static void later(String output, TableSchema schema, List<DataBlock> all, int from) {
    List<String> expected = new ArrayList<>();
    long row = 0;
    for (DataBlock block : all) {
      for (int n = 0; n < block.rows(); n++) {
        if (row++ >= from) {
          expected.add(block.id() + " " + text(block, n));
        }
      }
    }
    for (int partitions : new int[] {1, 3}) {
      try (BlockTable table = BlockTable.load(SPARK, output, partitions)) {
        assertEquals(expected, text(table.later().blocks().collect()));
        assertEquals(from, schema.firstLater());
      }
    }
  }

  @Test
  void tableIsThatOfAllRowsAtOnce() throws IOException {
    sameAsAtOnce("dense", new int[] {320, 700}, wish -> {});
    sameAsAtOnce("full-blocks", new int[] {300, 700}, wish -> {});
    sameAsAtOnce("few", new int[] {320, 323}, wish -> {});
    sameAsAtOnce("three-times", new int[] {320, 331, 345, 477, 700}, wish -> {});
    sameAsAtOnce(
        "sparse",
        new int[] {333, 512, 700},
        wish -> {
          wish.layout = Packing.Layout.SPARSE;
          wish.storage = Storage.FLOAT;
        });
    sameAsAtOnce(
        "weights",
        new int[] {333, 700},
        wish -> {
          wish.weight = "w";
          wish.offset = "z";
          wish.features = List.of("x", "level");
        });
  }

  @Test
  void levelsOfGroupsAreThoseOfAllRows() throws IOException {
    for (int n = 400; n < 700; n++) {
      lines.set(n, lines.get(n).replaceAll(",[0-9]*,([0-9])$", "," + (n % 30 + 90) + ",$1"));
    }
    Form groups =
        wish -> {
          wish.groups = List.of("z", "w");
          wish.features = List.of("x", "level");
        };
    sameAsAtOnce("groups", new int[] {320, 512, 700}, groups);
    for (int k = 0; k < 2; k++) {
      assertEquals(levels("groups-at-once", k), levels("groups-2", k));
    }
    assertTrue(levels("groups-2", 0).size() > levels("groups-0", 0).size(), "new levels");
    sameAsAtOnce(
        "sparse-groups",
        new int[] {333, 700},
        wish -> {
          groups.set(wish);
          wish.layout = Packing.Layout.SPARSE;
        });
  }

  private List<String> levels(String table, int grouping) {
    return LevelTable.read(SPARK, folder.resolve(table).toString(), grouping)
        .orderBy(LevelTable.KEY)
        .collectAsList()
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void tablesByContentAndWithMergedRowsGoOn() throws IOException {
    for (Packing.Aggregate aggregate : List.of(Packing.Aggregate.NEVER, Packing.Aggregate.ALWAYS)) {
      Form form =
          wish -> {
            wish.order = Packing.Order.CONTENT;
            wish.aggregate = aggregate;
            wish.features = List.of("x", "level");
          };
      Wish first = wish(csv("a.csv", 0, 320), "first-" + aggregate, form);
      first.prepare();
      Wish next = wish(csv("b.csv", 320, 700), "next-" + aggregate, form);
      next.after = first.output;
      TableSchema schema = next.prepare();
      assertEquals(700, schema.inputRows());
      Wish once = wish(csv("c.csv", 0, 700), "once-" + aggregate, form);
      once.like = first.output;
      once.prepare();
      assertEquals(counts(once.blocks()), counts(next.blocks()));
    }
  }

  /** How many rows there are of each kind, by their weights. */
  private static List<String> counts(List<DataBlock> blocks) {
    TreeMap<String, Double> counts = new TreeMap<>();
    for (DataBlock block : blocks) {
      for (int n = 0; n < block.rows(); n++) {
        StringBuilder row = new StringBuilder().append(block.response(n));
        for (int j = 0; j < block.columns(); j++) {
          row.append(' ').append(block.feature(n, j));
        }
        counts.merge(row.toString(), block.weight(n), Double::sum);
      }
    }
    return counts.entrySet().stream().map(Object::toString).toList();
  }

  private String refusedAfter(Wish first, Wish next, Kind kind) {
    next.after = first.output;
    UserException refused = assertThrows(UserException.class, next::prepare);
    assertEquals(kind, refused.kind(), refused.getMessage());
    assertTrue(Files.notExists(Path.of(next.output)));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws IOException {
    Wish first = wish(csv("in/a.csv", 0, 320), "first", wish -> {});
    first.prepare();
    assertSays(
        refusedAfter(first, wish(folder.resolve("in"), "same", wish -> {}), Kind.USAGE),
        "data.input: ",
        "a.csv, whose rows are in ",
        "Name the later rows alone");
    Wish weighted = wish(csv("b.csv", 320, 700), "weighted", wish -> wish.weight = "w");
    assertSays(
        refusedAfter(first, weighted, Kind.USAGE), "data.weight: 'w', but the rows of ", "none");
    lines.add("1,2,l9,3,1");
    Wish level = wish(csv("c.csv", 690, 701), "level", wish -> {});
    assertSays(refusedAfter(first, level, Kind.DATA), "'level'", "l9");
    Wish grouped = wish(csv("d.csv", 0, 320), "grouped", wish -> wish.groupBy = "w");
    grouped.prepare();
    assertSays(
        refusedAfter(grouped, wish(csv("e.csv", 320, 700), "g", wish -> {}), Kind.DATA),
        "keeps the rows of each 'w' together",
        "Prepare all rows as one table");
    Wish random = wish(csv("h.csv", 320, 700), "random", wish -> wish.groups = List.of("w"));
    assertSays(
        refusedAfter(first, random, Kind.USAGE), "model.random: 'w', but the rows of ", "none");
    Wish itself = wish(csv("f.csv", 320, 700), "itself", wish -> {});
    itself.after = itself.output;
    itself.overwrite = true;
    Wish whole = wish(csv("g.csv", 0, 320), "itself", wish -> {});
    whole.prepare();
    UserException refused = assertThrows(UserException.class, itself::prepare);
    assertSays(String.valueOf(refused.getMessage()), "lies in the output folder");
  }

  @Test
  void anEarlierTableThatIsAnotherOneIsTold() throws IOException {
    Wish first = wish(csv("a.csv", 0, 320), "first", wish -> {});
    first.prepare();
    Wish next = wish(csv("b.csv", 320, 700), "next", wish -> {});
    next.after = first.output;
    next.prepare();
    Wish other = wish(csv("c.csv", 1, 321), "first", wish -> {});
    other.prepareAgain();
    UserException refused = assertThrows(UserException.class, next::blocks);
    assertSays(
        String.valueOf(refused.getMessage()),
        "the first 320 rows of ",
        "that table has changed",
        "Restore it, or prepare all rows again");
  }
}
