package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.executors.table.TableSchema.Storage.DOUBLE;
import static org.lampyris.executors.table.TableSchema.Storage.FLOAT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.executors.LampyrisRegistrator;
import org.lampyris.executors.pass.BlockSum;

class BlockTableIT {
  private static final int BLOCKS = 11;
  private static final int ROWS = 8;

  @SuppressWarnings("NullAway.Init")
  private static SparkSession spark;

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path folder;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", LampyrisRegistrator.class.getName())
            .config("spark.kryo.registrationRequired", true)
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<PackedBlock> blocks(boolean sparse, boolean weighted) {
    return blocks(sparse, weighted, DOUBLE);
  }

  private static List<PackedBlock> blocks(
      boolean sparse, boolean weighted, TableSchema.Storage storage) {
    Random random = new Random(5);
    List<PackedBlock> blocks = new ArrayList<>();
    for (int id = 0; id < BLOCKS; id++) {
      int rows = id == BLOCKS - 1 ? 3 : ROWS;
      double[] response = random.doubles(rows).map(u -> u < 0.5 ? -1 : 1).toArray();
      double[] weight = weighted ? random.doubles(rows).toArray() : null;
      if (sparse) {
        int[] start = new int[rows + 1];
        int[] column = new int[2 * rows];
        for (int n = 0; n < rows; n++) {
          column[start[n]] = n % 2;
          start[n + 1] = start[n] + 1;
          if (n % 3 == 0) {
            column[start[n + 1]++] = 2;
          }
        }
        double[] value = random.doubles(2L * rows).toArray();
        blocks.add(PackedBlock.sparse(id, start, column, value, response, weight, null, storage));
      } else {
        blocks.add(
            PackedBlock.dense(
                id, random.doubles(3L * rows).toArray(), response, weight, null, storage));
      }
    }
    return blocks;
  }

  private static TableSchema schema(TableSchema.Layout layout) {
    return schema(layout, ROWS * (BLOCKS - 1) + 3);
  }

  private static TableSchema schema(TableSchema.Layout layout, long rows) {
    return schema(layout, rows, null);
  }

  private static TableSchema schema(
      TableSchema.Layout layout, long rows, TableSchema.@Nullable Grouping grouping) {
    return new TableSchema(
        new TableSchema.Stamp(TableSchema.VERSION, LibraryVersion.get(), ""),
        new TableSchema.Packing(rows, ROWS, BLOCKS, layout, DOUBLE),
        new TableSchema.Roles(
            new TableSchema.Label("y", LabelKind.BINARY, List.of("no", "yes")),
            null,
            null,
            null,
            grouping,
            null),
        new TableSchema.Scaling(true, "unit", true, null, null),
        Long.MIN_VALUE,
        new TableSchema.Source("somewhere.csv", "csv", null, 3, 1000L, List.of("odd")),
        List.of(
            new TableSchema.Feature("a", TableSchema.FeatureKind.NUMERIC, 1, List.of(), null, null),
            new TableSchema.Feature(
                "b", TableSchema.FeatureKind.CATEGORICAL, 1, List.of("p", "q"), "p", null)),
        List.of(
            TableSchema.Column.intercept(),
            new TableSchema.Column(
                "a",
                "a",
                TableSchema.ColumnKind.NUMERIC,
                null,
                null,
                0.1,
                1.0 / 3,
                new TableSchema.Range(-7, 9)),
            new TableSchema.Column(
                "b[q]",
                "b",
                TableSchema.ColumnKind.LEVEL,
                "q",
                "p",
                0,
                1,
                new TableSchema.Range(0, 1))));
  }

  private TableSchema write(String name, List<PackedBlock> blocks, int slices, boolean sparse)
      throws IOException {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Files.createDirectories(folder.resolve(name));
    return BlockTable.write(
        spark,
        context.parallelize(blocks, slices),
        schema(sparse ? TableSchema.Layout.SPARSE : TableSchema.Layout.DENSE),
        folder.resolve(name).toString());
  }

  private static void assertSame(DataBlock expected, DataBlock actual) {
    assertEquals(expected.id(), actual.id());
    assertEquals(expected.getClass(), actual.getClass());
    assertEquals(expected.rows(), actual.rows());
    assertEquals(expected.isWeighted(), actual.isWeighted());
    for (int n = 0; n < expected.rows(); n++) {
      assertEquals(expected.response(n), actual.response(n));
      assertEquals(expected.weight(n), actual.weight(n));
      for (int j = 0; j < 3; j++) {
        assertEquals(expected.feature(n, j), actual.feature(n, j));
      }
    }
  }

  /** Three columns of doubles, 24 bytes a row. */
  @Test
  void noPartitionOfDenseRowsIsTooLarge() {
    long gibibyte = (1L << 30) / 24;
    assertEquals(2, BlockTable.partitions(schema(TableSchema.Layout.DENSE, 7), 2));
    assertEquals(2, BlockTable.partitions(schema(TableSchema.Layout.DENSE, 2 * gibibyte), 2));
    assertEquals(4, BlockTable.partitions(schema(TableSchema.Layout.DENSE, 2 * gibibyte + 2), 2));
    assertEquals(9, BlockTable.partitions(schema(TableSchema.Layout.DENSE, 7 * gibibyte), 3));
    assertEquals(2, BlockTable.partitions(schema(TableSchema.Layout.SPARSE, 7 * gibibyte), 2));
  }

  @Test
  void comesBackAsWrittenOnAnyNumberOfPartitions() throws IOException {
    for (int kind = 0; kind < 6; kind++) {
      boolean sparse = kind % 2 == 1;
      boolean inOrder = kind < 2;
      List<PackedBlock> blocks = blocks(sparse, sparse, kind < 4 ? DOUBLE : FLOAT);
      List<PackedBlock> written = new ArrayList<>(blocks);
      if (!inOrder) {
        Collections.shuffle(written, new Random(1));
      }
      String name = "table" + kind;
      TableSchema schema = write(name, written, 4, sparse);
      double[] sum = null;
      for (int partitions : new int[] {1, 3, 50}) {
        try (BlockTable table =
            BlockTable.load(spark, folder.resolve(name).toString(), partitions)) {
          assertEquals(schema, table.schema());
          assertEquals(Math.min(BLOCKS, partitions), table.blocks().getNumPartitions());
          List<DataBlock> back = table.blocks().collect();
          assertEquals(BLOCKS, back.size());
          for (int id = 0; id < BLOCKS; id++) {
            assertSame(blocks.get(id).toBlock(3), back.get(id));
          }
          double[] again =
              BlockSum.over(
                  table.blocks(),
                  table.ranges(),
                  3,
                  (block, out) -> {
                    for (int n = 0; n < block.rows(); n++) {
                      block.addScaled(n, block.weight(n), out, 0);
                    }
                  });
          if (sum != null) {
            assertArrayEquals(sum, again, 0);
          }
          sum = again;
        }
      }
    }
  }

  @Test
  void fingerprintTellsContentsAndNotOrder() throws IOException {
    List<PackedBlock> blocks = blocks(false, false);
    String straight = write("a", blocks, 1, false).fingerprint();
    Collections.reverse(blocks);
    assertEquals(straight, write("b", blocks, 5, false).fingerprint());
    double[] other = new double[3 * ROWS];
    blocks.set(
        3, PackedBlock.dense(blocks.get(3).id(), other, new double[ROWS], null, null, DOUBLE));
    assertNotEquals(straight, write("c", blocks, 5, false).fingerprint());
    // The same blocks under exchanged ids are another table.
    List<PackedBlock> exchanged = blocks(false, false);
    PackedBlock first = exchanged.get(0);
    PackedBlock second = exchanged.get(1);
    exchanged.set(0, renumbered(first, 1));
    exchanged.set(1, renumbered(second, 0));
    assertNotEquals(straight, write("d", exchanged, 1, false).fingerprint());
    assertEquals(32, straight.length());
  }

  @Test
  void featuresComeBackAsTheNearestFloats() throws IOException {
    double[] x = {1, 0.1, -3e-9, 1 / 3.0, 2, 1e30};
    double[] y = {0.1, -1e300};
    double[] w = {0.3, 0.7};
    double[] o = {1e-17, 5};
    List<PackedBlock> packed =
        List.of(
            PackedBlock.dense(0, x, y, w, o, FLOAT),
            PackedBlock.sparse(1, new int[] {0, 2, 3}, new int[] {0, 2, 1}, x, y, w, o, FLOAT),
            PackedBlock.sparse(2, new int[3], new int[0], new double[0], y, w, o, FLOAT));
    for (PackedBlock stored : packed) {
      DataBlock block = stored.toBlock(3);
      for (int n = 0; n < 2; n++) {
        assertEquals(y[n], block.response(n));
        assertEquals(w[n], block.weight(n));
        assertEquals(o[n], block.offset(n));
      }
    }
    DataBlock dense = packed.get(0).toBlock(3);
    for (int i = 0; i < x.length; i++) {
      assertEquals((float) x[i], dense.feature(i / 3, i % 3));
    }
    assertEquals(2 * 3 * 8 + 6 * 4, dense.packedBytes());
    DataBlock sparse = packed.get(1).toBlock(3);
    assertEquals((float) 0.1, sparse.feature(0, 2));
    assertEquals((float) -3e-9, sparse.feature(1, 1));
    assertEquals(0, packed.get(2).toBlock(3).feature(1, 1));
  }

  private static PackedBlock renumbered(PackedBlock packed, long id) {
    DataBlock block = packed.toBlock(3);
    double[] features = new double[3 * block.rows()];
    double[] response = new double[block.rows()];
    for (int n = 0; n < block.rows(); n++) {
      response[n] = block.response(n);
      for (int j = 0; j < 3; j++) {
        features[3 * n + j] = block.feature(n, j);
      }
    }
    return PackedBlock.dense(id, features, response, null, null, DOUBLE);
  }

  @Test
  void missingBlockIsTold() throws IOException {
    write("table", blocks(false, false), 11, false);
    try (var files = Files.list(folder.resolve("table/table"))) {
      for (Path file : files.filter(f -> f.getFileName().toString().contains("00004")).toList()) {
        Files.delete(file);
      }
    }
    try (BlockTable table = BlockTable.load(spark, folder.resolve("table").toString(), 2)) {
      Throwable failure = assertThrows(Exception.class, () -> table.blocks().count());
      assertTold("block 4 is missing", failure);
      assertTold("prepare command", failure);
    }
  }

  @Test
  void damagedBlockIsTold() throws IOException {
    write("whole", blocks(false, false), 2, false);
    Path damaged = Files.createDirectory(folder.resolve("damaged"));
    Files.copy(folder.resolve("whole/schema.json"), damaged.resolve("schema.json"));
    spark
        .read()
        .parquet(folder.resolve("whole/table").toString())
        .selectExpr(
            "block_id",
            "rows",
            "IF(block_id = 7, substring(response, 9), response) AS response",
            "weight",
            "value",
            "row_start",
            "column",
            "hash")
        .write()
        .parquet(damaged.resolve("table").toString());
    try (BlockTable table = BlockTable.load(spark, damaged.toString(), 2)) {
      assertTold("block 7 is damaged", assertThrows(Exception.class, () -> table.blocks().count()));
    }
  }

  /** Writes a table into a new folder; its blocks have weights or not, or other values. */
  private Path written(String name, List<PackedBlock> blocks) throws IOException {
    Path there = Files.createDirectory(folder.resolve(name));
    BlockTable.write(
        spark,
        JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(blocks, 1),
        schema(TableSchema.Layout.DENSE),
        there.toString());
    return there;
  }

  private static Path part(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table.resolve("table"))) {
      return files.filter(file -> file.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
  }

  /** Replaces a part, and what the local file system would know it by. */
  private static void put(Path part, byte[] bytes) throws IOException {
    Files.write(part, bytes);
    Files.deleteIfExists(part.resolveSibling("." + part.getFileName() + ".crc"));
  }

  @Test
  void aPartOfAnotherTableIsTold() throws IOException {
    Path one = written("one", blocks(false, false));
    List<PackedBlock> others = new ArrayList<>();
    for (PackedBlock block : blocks(false, false)) {
      DataBlock data = block.toBlock(3);
      double[] features = new double[3 * data.rows()];
      Arrays.fill(features, 0.25);
      double[] response = new double[data.rows()];
      Arrays.fill(response, 1);
      others.add(PackedBlock.dense(block.id(), features, response, null, null, DOUBLE));
    }
    put(part(one), Files.readAllBytes(part(written("other", others))));
    assertTold(
        "are not those that schema.json is of",
        assertThrows(Exception.class, () -> BlockTable.load(spark, one.toString(), 2)));
  }

  /**
   * Flips bits of a part, byte by byte: the table is refused, or is the same. Every 101st byte;
   * {@code -Dlampyris.validation=all} has every byte flipped.
   */
  @Test
  void aFlippedByteIsToldOrChangesNothing() throws IOException {
    spark
        .sparkContext()
        .hadoopConfiguration()
        .set("parquet.page.verify-checksum.enabled", "true"); // as Session has it
    List<PackedBlock> blocks = blocks(false, true);
    Path table = written("flipped", blocks);
    Path part = part(table);
    byte[] whole = Files.readAllBytes(part);
    int stride = "all".equals(System.getProperty("lampyris.validation")) ? 1 : 101;
    int told = 0;
    for (int at = 0; at < whole.length; at += stride) {
      byte[] bytes = whole.clone();
      bytes[at] ^= 0x55;
      put(part, bytes);
      List<DataBlock> read;
      try (BlockTable opened = BlockTable.load(spark, table.toString(), 1)) {
        read = opened.blocks().collect();
      } catch (Exception e) {
        told++;
        continue;
      }
      assertEquals(BLOCKS, read.size(), "byte " + at);
      for (int k = 0; k < BLOCKS; k++) {
        assertSame(blocks.get(k).toBlock(3), read.get(k));
      }
    }
    assertTrue(told > whole.length / stride / 3, told + " of " + whole.length / stride);
  }

  @Test
  void schemaProblemsAreTold() throws IOException {
    String missing = folder.resolve("nothing").toString();
    UserException none =
        assertThrows(UserException.class, () -> BlockTable.load(spark, missing, 1));
    assertEquals(UserException.Kind.DATA, none.kind());
    assertTold("holds no prepared table", none);

    write("table", blocks(false, false), 1, false);
    Path file = folder.resolve("table/schema.json");
    String text = Files.readString(file);
    assertFalse(Files.exists(folder.resolve("table/.schema.json.tmp")));
    rewrite(file, text.replace("\"version\" : " + TableSchema.VERSION, "\"version\" : 99"));
    UserException version =
        assertThrows(
            UserException.class,
            () -> BlockTable.load(spark, folder.resolve("table").toString(), 1));
    assertTold("has version 99", version);
    rewrite(file, text.substring(0, text.length() / 2));
    UserException damaged =
        assertThrows(
            UserException.class,
            () -> BlockTable.load(spark, folder.resolve("table").toString(), 1));
    assertTold("is damaged", damaged);
  }

  /** Hadoop's local file system checks a hidden checksum beside each file. */
  private static void rewrite(Path file, String text) throws IOException {
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    Files.writeString(file, text);
  }

  private static void assertTold(String part, Throwable problem) {
    String message = String.valueOf(problem.getMessage());
    assertTrue(message.contains(part), message);
  }
}
