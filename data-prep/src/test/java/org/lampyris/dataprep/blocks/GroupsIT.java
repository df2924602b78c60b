package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LevelRuns;
import org.lampyris.executors.table.TableSchema;

/** Rows of a group lie together, in order, in one block. */
class GroupsIT extends PrepareContract {
  private static final int BLOCK_ROWS = 4;

  /** Groups of 1 to 5 rows, one of 30; rows of a group repeat, and times tie. */
  private static List<String> lines(Random random) {
    List<String> lines = new ArrayList<>();
    for (int user = 0; user < 120; user++) {
      int rows = user == 7 ? 30 : 1 + random.nextInt(5);
      for (int n = 0; n < rows; n++) {
        lines.add("u" + user + "," + random.nextInt(20) + "," + random.nextInt(2) + "," + user);
      }
    }
    return lines;
  }

  private Wish wish(List<String> lines, int files, String name) throws IOException {
    Path input = Files.createDirectory(folder.resolve(name + ".csv"));
    for (int f = 0; f < files; f++) {
      List<String> part = new ArrayList<>(List.of("user,time,y,number"));
      part.addAll(lines.subList(f * lines.size() / files, (f + 1) * lines.size() / files));
      Files.write(input.resolve("part" + f + ".csv"), part);
    }
    Wish wish = new Wish(input, folder.resolve(name));
    wish.blockRows = BLOCK_ROWS;
    wish.groupBy = "user";
    wish.orderBy = "time";
    wish.features = List.of("number", "time");
    return wish;
  }

  @Test
  void aGroupLiesInOneBlockInOrder() throws IOException {
    Random random = new Random(3);
    List<String> lines = lines(random);
    Set<String> prints = new TreeSet<>();
    TableSchema schema = null;
    for (int files : new int[] {1, 2, 8}) {
      schema = wish(lines, files, "t" + files).prepare();
      prints.add(schema.fingerprint());
      Collections.shuffle(lines, random);
    }
    assertEquals(1, prints.size(), prints.toString());
    assertEquals(
        new TableSchema.Grouping("user", "time", 120),
        TableSchema.read(
                folder.resolve("t8").toString(), SPARK.sparkContext().hadoopConfiguration())
            .grouping());
    assertTrue(schema != null && schema.blockRows() == 30);
    Map<Double, Integer> sizes = new HashMap<>();
    lines.forEach(line -> sizes.merge(number(line), 1, Integer::sum));
    try (BlockTable table = BlockTable.load(SPARK, folder.resolve("t8").toString(), 2)) {
      List<DataBlock> blocks = table.blocks().collect();
      List<LevelRuns> groups = table.groups().collect();
      assertEquals(blocks.size(), groups.size());
      Set<Double> seen = new HashSet<>();
      long next = 0;
      for (int b = 0; b < blocks.size(); b++) {
        DataBlock block = blocks.get(b);
        LevelRuns runs = groups.get(b);
        assertEquals(block.rows(), runs.start(runs.count()));
        assertTrue(block.rows() <= BLOCK_ROWS || runs.count() == 1);
        for (int k = 0; k < runs.count(); k++) {
          assertEquals(next++, runs.group(k));
          double stored = block.feature(runs.start(k), 1);
          double user = Math.rint(stored + table.schema().columns().get(1).center());
          assertTrue(seen.add(user), "group " + user + " is split");
          assertEquals(sizes.get(user), runs.start(k + 1) - runs.start(k));
          for (int n = runs.start(k) + 1; n < runs.start(k + 1); n++) {
            assertEquals(stored, block.feature(n, 1));
            assertTrue(block.feature(n, 2) >= block.feature(n - 1, 2));
          }
        }
      }
      assertEquals(120, next);
    }
  }

  private static double number(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(',') + 1));
  }

  @Test
  void orderOfGroupsIsThatOfSeedAndGroupAlone() throws IOException {
    List<String> lines = lines(new Random(5));
    List<Double> groups = groups(wish(lines, 2, "a"));
    Wish unordered = wish(lines, 1, "b");
    unordered.orderBy = null;
    unordered.blockRows = 1_000;
    assertEquals(groups, groups(unordered));
    Wish other = wish(lines, 1, "c");
    other.seed = 4;
    assertNotEquals(groups, groups(other));
    Wish none = wish(lines, 1, "d");
    none.groupBy = null;
    none.orderBy = null;
    assertEquals(null, none.prepare().grouping());
  }

  private static List<Double> groups(Wish wish) {
    wish.prepare();
    List<Double> groups = new ArrayList<>();
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        groups.add(wish.input(block, n, 1));
      }
    }
    return groups.stream().distinct().toList();
  }

  @Test
  void rowsAreOrderedByNumbersTextAndTimes() throws IOException {
    String path =
        parquet(
            40,
            4,
            "id % 2 AS y",
            "id % 4 AS g",
            "(id * 7) % 40 AS x",
            "(id * 7) % 40 - 20 AS number",
            "1700000000000000000 + (id * 7) % 40 AS nanoseconds",
            "CAST((id * 7) % 40 AS DECIMAL(30, 20)) / 3 AS decimal",
            "FORMAT_NUMBER((id * 7) % 40 + 100, 0) AS text",
            "TIMESTAMP_SECONDS(1603580400 + 900 * ((id * 7) % 40)) AS time",
            "DATE_ADD(DATE'1999-12-15', CAST((id * 7) % 40 AS INT)) AS date");
    for (String by : List.of("number", "nanoseconds", "decimal", "text", "time", "date")) {
      Wish wish = new Wish(path, folder.resolve(by));
      wish.features = List.of("x");
      wish.groupBy = "g";
      wish.orderBy = by;
      wish.prepare();
      try (BlockTable table = BlockTable.load(SPARK, wish.output, 1)) {
        DataBlock block = table.blocks().first();
        LevelRuns runs = table.groups().first();
        assertEquals(4, runs.count());
        for (int k = 0; k < 4; k++) {
          for (int n = runs.start(k) + 1; n < runs.start(k + 1); n++) {
            assertTrue(block.feature(n, 1) > block.feature(n - 1, 1), by);
          }
        }
      }
    }
  }

  @Test
  void columnsThatCannotGroupAreRefused() throws IOException {
    Path file = file("t.csv", "y,user,a", "1,u,1", "0,,2", "1,v,3", "0,,4");
    Wish wish = wish(file);
    wish.groupBy = "user";
    assertSays(refusedData(wish), "column 'user'", "has no value in 2 rows", "t.csv, line 3");
    wish.groupBy = "usr";
    assertSays(refusedData(wish), "no column 'usr' for the groups", "did you mean 'user'?");
    wish.groupBy = "y";
    wish.orderBy = "b";
    assertSays(refusedData(wish), "no column 'b' for the order", "there are: y, user, a");
    String path = folder.resolve("v.parquet").toString();
    SPARK.range(6).selectExpr("id % 2 AS y", "id AS a", "ARRAY(id) AS v").write().parquet(path);
    Wish vectors = wish(path);
    vectors.groupBy = "v";
    assertSays(refusedData(vectors), "column 'v'", "array<bigint>", "cannot be grouped");
  }
}
