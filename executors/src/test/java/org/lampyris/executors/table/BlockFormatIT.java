package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;
import org.lampyris.executors.rows.LampyrisRegistrator;

/** Blocks of a megabyte, so that a file has several row groups. */
class BlockFormatIT {
  private static final int BLOCKS = 10;
  private static final int ROWS = 1 << 12;
  private static final int COLUMNS = 32;
  private static final String CODEC = "spark.sql.parquet.compression.codec";

  @SuppressWarnings("NullAway.Init")
  private static SparkSession spark;

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path folder;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2,2]") // a task may fail once
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

  /**
   * Returns blocks without weights, made where they are needed.
   *
   * @param distinct how many different numbers there are among their values
   */
  private static JavaRDD<PackedBlock> blocks(int partitions, int distinct) {
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(LongStream.range(0, BLOCKS).boxed().toList(), partitions)
        .map(id -> block(id, distinct));
  }

  private static PackedBlock block(long id, int distinct) {
    Random random = new Random(id);
    double[] numbers = random.doubles(distinct).toArray();
    double[] x =
        IntStream.range(0, ROWS * COLUMNS)
            .mapToDouble(i -> distinct < 10 ? numbers[i % distinct] : random.nextDouble())
            .toArray();
    double[] y = random.doubles(ROWS).toArray();
    return PackedBlock.of(new DenseBlock(id, COLUMNS, Values.of(x), y, null, null));
  }

  private Path written(JavaRDD<PackedBlock> blocks) {
    BlockTable.writeBlocks(spark, blocks, PackedBlock.type(false, false, false), folder.toString());
    return folder.resolve("table");
  }

  private static List<Path> parts(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
  }

  private static ParquetFileReader open(Path part) throws IOException {
    return ParquetFile.open(
        new org.apache.hadoop.fs.Path(part.toString()), new Configuration(false));
  }

  private static CompressionCodecName codec(Path part) throws IOException {
    try (ParquetFileReader reader = open(part)) {
      return reader.getRowGroups().get(0).getColumns().get(4).getCodec();
    }
  }

  @Test
  void aPageHasABlockAndOnlyNumbersHaveBounds() throws IOException {
    Path table = written(blocks(1, ROWS));
    assertTrue(Files.exists(table.resolve("_SUCCESS")));
    assertEquals(1, parts(table).size());
    long next = 0;
    try (ParquetFileReader reader = open(parts(table).get(0))) {
      assertTrue(reader.getRowGroups().size() > 1);
      for (BlockMetaData group : reader.getRowGroups()) {
        assertTrue(group.getTotalByteSize() < 2 * BlockFormat.GROUP);
        for (ColumnChunkMetaData column : group.getColumns()) {
          String name = column.getPath().toDotString();
          OffsetIndex pages = reader.readOffsetIndex(column);
          assertEquals(group.getRowCount(), pages.getPageCount(), name);
          ColumnIndex bounds = reader.readColumnIndex(column);
          boolean isNumber =
              column.getPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.BINARY;
          boolean isAbsent = List.of("weight", "row_start", "column", "offset").contains(name);
          assertEquals(isNumber, column.getStatistics().hasNonNullValue(), name);
          if (isAbsent) {
            assertEquals(group.getRowCount(), column.getStatistics().getNumNulls());
          } else {
            assertEquals(isNumber, bounds != null, name);
          }
          if (name.equals("block_id")) {
            assertEquals(next, column.getStatistics().genericGetMin());
            for (int page = 0; page < pages.getPageCount(); page++) {
              assertEquals(next + page, bounds.getMinValues().get(page).getLong(0));
            }
          }
        }
        next += group.getRowCount();
      }
    }
    assertEquals(BLOCKS, next);
  }

  @Test
  void sparkReadsAllColumns() throws IOException {
    Dataset<Row> read = spark.read().parquet(written(blocks(2, ROWS)).toString());
    assertEquals(
        "block_id BIGINT,rows INT,response BINARY,weight BINARY,value BINARY,row_start BINARY,"
            + "column BINARY,hash BIGINT,offset BINARY",
        read.schema().toDDL());
    assertEquals(BLOCKS, read.where("response IS NOT NULL AND rows = " + ROWS).count());
    assertEquals(BLOCKS, read.where("weight IS NULL AND length(value) > 0").count());
    assertEquals(0, read.where("response IS NULL OR weight IS NOT NULL").count());
    byte[] value = read.where("block_id = 7").select("value").first().getAs(0);
    DenseBlock expected = (DenseBlock) block(7, ROWS).toBlock(COLUMNS);
    assertArrayEquals(expected.values().toBytes(), value);
  }

  @Test
  void compressesWhatShrinks() throws IOException {
    assertEquals(CompressionCodecName.UNCOMPRESSED, codec(parts(written(blocks(1, ROWS))).get(0)));
    remove();
    assertEquals(CompressionCodecName.SNAPPY, codec(parts(written(blocks(1, 3))).get(0)));
    remove();
    spark.conf().set(CODEC, "gzip");
    try {
      Path part = parts(written(blocks(1, ROWS))).get(0);
      assertEquals(CompressionCodecName.GZIP, codec(part));
      assertEquals(BLOCKS, spark.read().parquet(part.toString()).selectExpr("hash").count());
    } finally {
      spark.conf().unset(CODEC);
    }
  }

  private void remove() throws IOException {
    org.apache.hadoop.fs.FileUtil.fullyDelete(folder.resolve("table").toFile());
  }

  /** A task fails after it has written a row group, and is tried again. */
  @Test
  void aTaskThatFailsLeavesNothing() throws IOException {
    Path table =
        written(
            blocks(1, ROWS)
                .map(
                    block -> {
                      if (block.id() == BLOCKS - 1 && TaskContext.get().attemptNumber() == 0) {
                        throw new IllegalStateException("first attempt");
                      }
                      return block;
                    }));
    assertEquals(1, parts(table).size());
    List<Long> ids = new ArrayList<>();
    spark
        .read()
        .parquet(table.toString())
        .select("block_id")
        .collectAsList()
        .forEach(row -> ids.add(row.getLong(0)));
    assertEquals(BLOCKS, ids.size());
    assertEquals(BLOCKS, new TreeSet<>(ids).size());
    assertFalse(Files.exists(table.resolve("_temporary")));
  }

  /** Committer that counts the tasks whose files it publishes. */
  public static final class Counting extends FileOutputCommitter {
    static final AtomicInteger TASKS = new AtomicInteger();

    /** Makes one, as Hadoop does. */
    public Counting(org.apache.hadoop.fs.Path output, TaskAttemptContext context)
        throws IOException {
      super(output, context);
    }

    @Override
    public void commitTask(TaskAttemptContext context) throws IOException {
      super.commitTask(context);
      TASKS.incrementAndGet();
    }
  }

  /** As for object stores, by {@code fs.s3a.committer.name}. */
  @Test
  void theCommitterOfTheFileSystemPublishes() throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    String factory = PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS;
    conf.set(factory, PathOutputCommitterFactory.NAMED_COMMITTER_FACTORY);
    conf.set(PathOutputCommitterFactory.NAMED_COMMITTER_CLASS, Counting.class.getName());
    try {
      assertEquals(3, parts(written(blocks(3, ROWS))).size());
    } finally {
      conf.unset(factory);
    }
    assertEquals(3, Counting.TASKS.get());
  }

  @Test
  void aJobThatFailsLeavesNoPart() throws IOException {
    JavaRDD<PackedBlock> failing =
        blocks(2, ROWS)
            .map(
                block -> {
                  if (block.id() == BLOCKS - 1) {
                    throw new IllegalStateException("every attempt");
                  }
                  return block;
                });
    Exception failure = assertThrows(Exception.class, () -> written(failing));
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    assertTrue(String.valueOf(root.getMessage()).contains("every attempt"), root.toString());
    assertEquals(List.of(), parts(folder.resolve("table")));
    assertFalse(Files.exists(folder.resolve("table/_SUCCESS")));
  }
}
