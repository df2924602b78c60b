package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.executors.table.TableSchema.Storage.DOUBLE;
import static org.lampyris.executors.table.TableSchema.Storage.FLOAT;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.bounds.rows.Values;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.rows.LampyrisRegistrator;

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
        blocks.add(sparse(id, start, column, value, response, weight, null, storage));
      } else {
        blocks.add(dense(id, random.doubles(3L * rows).toArray(), response, weight, null, storage));
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
        new TableSchema.Scaling(true, "unit", true, null, null, null),
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
    assertEquals(2, partitions(TableSchema.Layout.DENSE, 7, 2));
    assertEquals(2, partitions(TableSchema.Layout.DENSE, 2 * gibibyte, 2));
    assertEquals(4, partitions(TableSchema.Layout.DENSE, 2 * gibibyte + 2, 2));
    assertEquals(9, partitions(TableSchema.Layout.DENSE, 7 * gibibyte, 3));
    assertEquals(2, partitions(TableSchema.Layout.SPARSE, 7 * gibibyte, 2));
  }

  /** An eighth of a task's share of the heap, at most a gibibyte. */
  @Test
  void aPartitionLeavesRoomInItsTasksMemory() {
    SparkConf conf = new SparkConf(false);
    assertEquals(new TaskRoom(6, 1L << 27), TaskRoom.of(conf, 6, 0));
    conf.set("spark.executor.memory", "8g").set("spark.executor.cores", "4");
    assertEquals(new TaskRoom(40, 1L << 28), TaskRoom.of(conf, 40, 0));
    conf.set("spark.executor.memory", "200g");
    assertEquals(new TaskRoom(40, TaskRoom.MOST_BYTES), TaskRoom.of(conf, 40, 0));
    assertEquals(new TaskRoom(2, 1L << 27), TaskRoom.of(conf, 2, 2L << 30));
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
    blocks.set(3, dense(blocks.get(3).id(), other, new double[ROWS], null, null, DOUBLE));
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

  private static int partitions(TableSchema.Layout layout, long rows, int parallelism) {
    TableSchema of = schema(layout, rows);
    return BlockTable.partitions(
        of.packing(), of.columns().size(), new TaskRoom(parallelism, TaskRoom.MOST_BYTES));
  }

  @Test
  void featuresComeBackAsTheNearestFloats() throws IOException {
    double[] x = {1, 0.1, -3e-9, 1 / 3.0, 2, 1e30};
    double[] y = {0.1, -1e300};
    double[] w = {0.3, 0.7};
    double[] o = {1e-17, 5};
    List<PackedBlock> packed =
        List.of(
            dense(0, x, y, w, o, FLOAT),
            sparse(1, new int[] {0, 2, 3}, new int[] {0, 2, 1}, x, y, w, o, FLOAT),
            sparse(2, new int[3], new int[0], new double[0], y, w, o, FLOAT));
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

  private static PackedBlock dense(
      long id,
      double[] features,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset,
      TableSchema.Storage storage) {
    return PackedBlock.of(
        new DenseBlock(id, 3, values(features, storage), response, weight, offset));
  }

  private static PackedBlock sparse(
      long id,
      int[] start,
      int[] column,
      double[] value,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset,
      TableSchema.Storage storage) {
    int size = start[start.length - 1];
    Values values = values(Arrays.copyOf(value, size), storage);
    return PackedBlock.of(
        new SparseBlock(
            id, 3, start, Arrays.copyOf(column, size), values, response, weight, offset));
  }

  private static Values values(double[] of, TableSchema.Storage storage) {
    return storage == FLOAT ? Values.of(of).narrowed() : Values.of(of);
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
    return dense(id, features, response, null, null, DOUBLE);
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
      others.add(dense(block.id(), features, response, null, null, DOUBLE));
    }
    put(part(one), Files.readAllBytes(part(written("other", others))));
    assertTold(
        "do not match schema.json",
        assertThrows(Exception.class, () -> BlockTable.load(spark, one.toString(), 2)));
  }

  /** The kinds of blocks that a part can hold. */
  private enum Kind {
    DENSE,
    SPARSE,
    FLOATS,
    GROUPED;

    List<PackedBlock> blocks() {
      List<PackedBlock> plain =
          BlockTableIT.blocks(this == SPARSE, true, this == FLOATS ? FLOAT : DOUBLE);
      return this == GROUPED ? plain.stream().map(Kind::grouped).toList() : plain;
    }

    /** Groups of one row and of the rest, and the keys of two columns of levels. */
    private static PackedBlock grouped(PackedBlock block) {
      int rows = block.toBlock(3).rows();
      long[][] keys = new long[2][];
      for (int k = 0; k < 2; k++) {
        keys[k] = new Random(7 * block.id() + k).longs(rows).toArray();
      }
      return PackedBlock.of(block.toBlock(3).grouped(keys))
          .withGroups(LevelRuns.of(2 * block.id(), List.of(1, rows - 1)));
    }

    TableSchema schema() {
      TableSchema plain =
          BlockTableIT.schema(
              this == SPARSE ? TableSchema.Layout.SPARSE : TableSchema.Layout.DENSE,
              ROWS * (BLOCKS - 1) + 3,
              this == GROUPED ? new TableSchema.Grouping("g", null, 2L * BLOCKS) : null);
      if (this != GROUPED) {
        return plain;
      }
      TableSchema.Roles roles = plain.roles();
      return new TableSchema(
          plain.stamp(),
          plain.packing(),
          new TableSchema.Roles(
              roles.label(),
              roles.weight(),
              roles.offset(),
              roles.trials(),
              roles.grouping(),
              List.of(
                  new TableSchema.Levels("g", 5, 9, true, 1L),
                  new TableSchema.Levels("h", 4, 9, false, 2L))),
          plain.scaling(),
          plain.seed(),
          plain.source(),
          plain.features(),
          plain.columns());
    }
  }

  /**
   * Flips bits of a part, byte by byte: the table is refused, or is the same, as is told by its
   * blocks and their groups packed anew. Every 211th byte; {@code -Dlampyris.validation=all} has
   * every byte flipped.
   */
  @ParameterizedTest
  @EnumSource
  void aFlippedByteIsToldOrChangesNothing(Kind kind) throws IOException {
    spark
        .sparkContext()
        .hadoopConfiguration()
        .set("parquet.page.verify-checksum.enabled", "true"); // as Session has it
    List<PackedBlock> blocks = kind.blocks();
    Path table = Files.createDirectory(folder.resolve("flipped"));
    BlockTable.write(
        spark,
        JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(blocks, 1),
        kind.schema(),
        table.toString());
    List<byte[]> expected = new ArrayList<>(blocks.stream().map(b -> bytes(b.toBlock(3))).toList());
    if (kind == Kind.GROUPED) {
      blocks.forEach(block -> expected.add(block.groups().toBytes()));
    }
    Path part = part(table);
    byte[] whole = Files.readAllBytes(part);
    int stride = "all".equals(System.getProperty("lampyris.validation")) ? 1 : 211;
    int told = 0;
    for (int at = 0; at < whole.length; at += stride) {
      byte[] bytes = whole.clone();
      bytes[at] ^= 0x55;
      put(part, bytes);
      List<byte[]> read = new ArrayList<>();
      try (BlockTable opened = BlockTable.load(spark, table.toString(), 1)) {
        opened.blocks().collect().forEach(block -> read.add(bytes(block)));
        if (kind == Kind.GROUPED) {
          opened.groups().collect().forEach(groups -> read.add(groups.toBytes()));
        }
      } catch (Exception e) {
        told++;
        continue;
      }
      assertEquals(expected.size(), read.size(), "byte " + at);
      for (int k = 0; k < read.size(); k++) {
        assertArrayEquals(expected.get(k), read.get(k), "byte " + at);
      }
    }
    assertTrue(told > whole.length / stride / 3, told + " of " + whole.length / stride);
  }

  /** Returns a block as Java's serialisation has it: all arrays. */
  private static byte[] bytes(DataBlock block) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(block);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Every 7th byte; {@code -Dlampyris.validation=all} has every byte flipped. */
  @Test
  void aFlippedByteOfTheSchemaIsToldOrChangesNothing() throws IOException {
    Path table = Files.createDirectory(folder.resolve("schema"));
    BlockTable.write(
        spark,
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(Kind.GROUPED.blocks(), 1),
        Kind.GROUPED.schema(),
        table.toString());
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    TableSchema expected = TableSchema.read(table.toString(), conf);
    Path file = table.resolve(TableSchema.FILE);
    byte[] whole = Files.readAllBytes(file);
    int stride = "all".equals(System.getProperty("lampyris.validation")) ? 1 : 7;
    int told = 0;
    for (int at = 0; at < whole.length; at += stride) {
      for (int mask : new int[] {0x01, 0x55}) {
        byte[] bytes = whole.clone();
        bytes[at] ^= (byte) mask;
        put(file, bytes);
        TableSchema read;
        try {
          read = TableSchema.read(table.toString(), conf);
        } catch (UserException e) {
          told++;
          continue;
        }
        assertEquals(expected, read, "byte " + at);
      }
    }
    assertTrue(told > whole.length / stride, told + " of " + 2 * whole.length / stride);
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
