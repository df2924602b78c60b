package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.testdata.LocalSpark;
import org.lampyris.executors.testdata.LogisticTable;
import org.lampyris.samplers.run.BlockTerm;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** A prepared table on executors against the same in memory: equal to the bit, however spread. */
class TableContextIT {
  private static final int BLOCKS = 11;
  private static final int BLOCK_ROWS = 8;
  private static final int ROWS = BLOCK_ROWS * (BLOCKS - 1) + 3;
  private static final int[] PARTITIONS = {1, 2, 8};
  private static final SamplingContext.ShardRule THIRDS =
      (block, shard) ->
          IntStream.range(0, block.rows())
              .filter(row -> (7 * block.id() + row) % 3 == shard)
              .toArray();

  private static final String SCHEMA =
      """
      {"version": %d, "libraryVersion": "", "fingerprint": "00000000000000003258dd9104d5f334",
       "rows": %d, "blockRows": %d, "blocks": %d, "layout": "dense", "storage": "double",
       "label": {"column": "y", "kind": "binary", "classes": ["no", "yes"]},
       "weight": null, "offset": null,
       "intercept": false, "standardize": "none", "centered": false, "seed": 1,
       "source": {"input": "somewhere.csv", "format": "csv", "query": null},
       "features": [],
       "columns": [%s]}
      """;
  private static final String COLUMN =
      """
      {"name": "%s", "source": "%s", "kind": "numeric", "level": null, "reference": null,
       "center": 0, "scale": 1, "min": -2, "max": 2}
      """;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static SparkSession spark;

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private static Path folder;

  private final List<DataBlock> blocks = blocks();
  private final InMemoryContext memory = new InMemoryContext(LogisticTable.inputs(), blocks);

  private static List<DataBlock> blocks() {
    return LogisticTable.blocks(BLOCKS, BLOCK_ROWS, 3);
  }

  @BeforeAll
  static void start() throws IOException {
    spark = SparkSession.builder().config(LocalSpark.conf("local[2]")).getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    for (boolean inOrder : new boolean[] {true, false}) {
      write(inOrder);
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Writes the table with its blocks in the order of their ids, or in another one. */
  private static void write(boolean inOrder) throws IOException {
    Path name = Files.createDirectories(Path.of(name(inOrder)));
    String columns =
        String.join(",", List.of("a", "b", "c").stream().map(c -> COLUMN.formatted(c, c)).toList());
    Path draft = Files.createDirectories(folder.resolve("draft"));
    Files.writeString(
        draft.resolve("schema.json"),
        SCHEMA.formatted(TableSchema.VERSION, ROWS, BLOCK_ROWS, BLOCKS, columns));
    TableSchema schema =
        TableSchema.read(draft.toString(), spark.sparkContext().hadoopConfiguration());
    List<PackedBlock> packed = new ArrayList<>(blocks().stream().map(PackedBlock::of).toList());
    if (!inOrder) {
      Collections.shuffle(packed, new Random(1));
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    BlockTable.write(spark, context.parallelize(packed, 4), schema, name.toString());
  }

  private static String name(boolean inOrder) {
    return folder.resolve(inOrder ? "ordered" : "mixed").toString();
  }

  /** What a test does with a table. */
  private interface Check {
    void of(TableContext context, String what);
  }

  /**
   * Does a check on tables whose blocks lie in order and out of it, on any number of partitions.
   */
  private void everywhere(Check check) {
    for (boolean inOrder : new boolean[] {true, false}) {
      for (int partitions : PARTITIONS) {
        try (BlockTable table = BlockTable.load(spark, name(inOrder), partitions)) {
          check.of(
              new TableContext(LogisticTable.inputs(), table),
              (inOrder ? "in order, " : "out of order, ") + partitions + " partitions");
        }
      }
    }
  }

  /** Everything that there is of some rows, and which task has them. */
  private static double[] contents(int task, List<DataBlock> rows) {
    DoubleStream.Builder all = DoubleStream.builder().add(task).add(rows.size());
    for (DataBlock block : rows) {
      all.add((double) block.id()).add(block.rows());
      for (int row = 0; row < block.rows(); row++) {
        all.add(block.response(row)).add(block.weight(row));
        for (int j = 0; j < LogisticTable.D; j++) {
          all.add(block.feature(row, j));
        }
      }
    }
    return all.build().toArray();
  }

  /** Terms of very different size, whose sum depends on the order unless the order is fixed. */
  private static void term(DataBlock block, double[] out) {
    out[0] = block.rows();
    out[1] = Math.exp((double) (block.id() * 5 % 13)) * (block.id() % 2 == 0 ? 1 : -1) / 3;
    for (int row = 0; row < block.rows(); row++) {
      out[2] += block.feature(row, 1);
    }
  }

  private static void assertSame(List<double[]> expected, List<double[]> actual, String what) {
    assertEquals(expected.size(), actual.size(), what);
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i), what + ", task " + i);
    }
  }

  @Test
  void theTableIsAsLargeAsInMemory() {
    everywhere((context, what) -> assertEquals(memory.table(), context.table(), what));
  }

  @Test
  void residentSumsAreThoseInMemory() {
    BlockTerm<PlainBlock> term = (block, out) -> term(block.data(), out);
    double[] expected;
    try (ResidentRows<PlainBlock> rows = memory.resident(PlainBlock::new)) {
      expected = rows.sum(3, term);
    }
    assertEquals(ROWS, expected[0]);
    everywhere(
        (context, what) -> {
          try (ResidentRows<PlainBlock> rows = context.resident(PlainBlock::new)) {
            assertArrayEquals(expected, rows.sum(3, term), what);
            assertArrayEquals(expected, rows.sum(3, term), what + ", again");
            assertTrue(context.residentBytes() > 0, what);
          }
          assertEquals(Set.of(), persistent(), what);
        });
  }

  @Test
  void keptBlocksBecomeResidentWithoutBeingReadAgain(@TempDir Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(name(true)))) {
      for (Path file : files.sorted().toList()) {
        Files.copy(file, copy.resolve("t").resolve(Path.of(name(true)).relativize(file)));
      }
    }
    BlockTerm<PlainBlock> term = (block, out) -> term(block.data(), out);
    double[] expected;
    try (ResidentRows<PlainBlock> rows = memory.resident(PlainBlock::new)) {
      expected = rows.sum(3, term);
    }
    try (BlockTable table = BlockTable.load(spark, copy.resolve("t").toString(), 2)) {
      assertTrue(table.isOf(table.schema(), 2));
      assertFalse(table.isOf(table.schema(), 3));
      assertEquals(BLOCKS, table.keep().count());
      assertTrue(ResidentMemory.hasRoomForMore(spark.sparkContext()));
      try (Stream<Path> files = Files.walk(copy)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.delete(file);
        }
      }
      SamplingContext context = new TableContext(LogisticTable.inputs(), table);
      try (ResidentRows<PlainBlock> rows = context.resident(PlainBlock::new)) {
        assertFalse(table.isKept());
        assertEquals(1, persistent().size());
        assertArrayEquals(expected, rows.sum(3, term));
      }
    }
  }

  private static Set<Integer> persistent() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext()).getPersistentRDDs().keySet();
  }

  @Test
  void sampledSumsAreThoseInMemory() {
    everywhere(
        (context, what) -> {
          for (long first : new long[] {0, 1, 4, BLOCKS - 1, BLOCKS, 100}) {
            double[] expected = memory.sampledSum(first, 3, TableContextIT::term);
            double inOrder = BLOCK_ROWS * Math.min(first, BLOCKS);
            // The last block is shorter, and is always one of them.
            assertEquals(first == 0 ? 0 : inOrder - (BLOCK_ROWS * BLOCKS - ROWS), expected[0]);
            assertArrayEquals(
                expected,
                context.sampledSum(first, 3, TableContextIT::term),
                what + ", " + first + " blocks");
          }
        });
  }

  @Test
  void everyTaskSeesTheWholeTableInOrder() {
    List<double[]> expected = memory.carried(3, TableContextIT::contents);
    assertArrayEquals(contents(2, blocks), expected.get(2));
    everywhere(
        (context, what) -> {
          assertSame(expected, context.carried(3, TableContextIT::contents), what);
          assertSame(expected, context.carried(3, TableContextIT::contents), what + ", again");
          assertSame(expected.subList(0, 1), context.carried(1, TableContextIT::contents), what);
        });
  }

  /** Each row belongs to one shard, which holds its rows in order; a shard may be empty. */
  @Test
  void shardsAreAPartitionOfTheRows() {
    List<double[]> expected = memory.shards(4, THIRDS, TableContextIT::contents);
    assertArrayEquals(new double[] {3, 0}, expected.get(3));
    double[] sorted =
        memory.shards(4, THIRDS, TableContextIT::column).stream()
            .flatMapToDouble(DoubleStream::of)
            .sorted()
            .toArray();
    assertArrayEquals(DoubleStream.of(column(0, blocks)).sorted().toArray(), sorted);
    everywhere(
        (context, what) ->
            assertSame(expected, context.shards(4, THIRDS, TableContextIT::contents), what));
  }

  /** A column without two rows alike. */
  private static double[] column(int task, List<DataBlock> rows) {
    return rows.stream()
        .flatMapToDouble(
            block -> IntStream.range(0, block.rows()).mapToDouble(row -> block.feature(row, 1)))
        .toArray();
  }

  @Test
  void rowsOnTheirWayToTasksAreDropped() {
    everywhere(
        (context, what) -> {
          Set<Integer> others = LocalSpark.shuffles();
          context.sampledSum(BLOCKS, 3, TableContextIT::term);
          Set<Integer> own = LocalSpark.shuffles();
          own.removeAll(others);
          context.carried(2, TableContextIT::contents);
          context.shards(3, THIRDS, TableContextIT::contents);
          // Those of other tables may go at any time.
          Set<Integer> left = LocalSpark.shuffles();
          left.removeAll(others);
          assertEquals(own, left, what);
          assertEquals(0, own.size(), what);
        });
  }
}
