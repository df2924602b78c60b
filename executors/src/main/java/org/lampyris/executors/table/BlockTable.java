package org.lampyris.executors.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.SpreadBlocks;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;
import scala.Tuple2;

/**
 * A prepared table as an RDD of blocks: every partition holds a run of consecutive block ids.
 *
 * <p>Every job reads the blocks again, unless they are {@linkplain #keep kept}. An algorithm that
 * makes resident blocks of its own from them keeps those alone: Spark counts what is kept twice
 * twice, even where the rows are the same arrays.
 */
public final class BlockTable implements AutoCloseable {
  private static final String TABLE = "table";

  private final TableSchema schema;
  private final BlockRanges ranges;

  private final boolean isStored;

  /** The files, on the executors; none if the blocks are not stored. */
  private final Broadcast<BlockFiles> files;

  private final JavaRDD<PackedBlock> packed;
  private final JavaRDD<DataBlock> stored;

  /** The columns that are added to the blocks; null for none. */
  private final @Nullable EffectColumns added;

  /** The table that columns were added to; null if this is one. */
  private @Nullable BlockTable base;

  /** Freshly made blocks, until they are released; null if the table was loaded. */
  private @Nullable JavaRDD<DataBlock> made;

  private BlockTable(
      SparkSession spark,
      TableSchema schema,
      BlockRanges ranges,
      String folder,
      @Nullable BlockFiles found,
      @Nullable JavaRDD<DataBlock> made) {
    this.added = null;
    this.schema = schema;
    this.ranges = ranges;
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    // Every job on the blocks carries what they were made from: by broadcast, that is a reference.
    isStored = found != null;
    files = context.broadcast(found == null ? BlockFiles.none() : found);
    packed = packed(context, files, folder, ranges);
    RowExpansion expansion = RowExpansion.of(schema);
    stored = packed.map(block -> block.toBlock(expansion));
    this.made = made;
    blocks().setName("blocks of " + folder);
  }

  private BlockTable(BlockTable other, EffectColumns added) {
    this.added = added;
    this.schema = other.schema;
    this.ranges = other.ranges;
    this.isStored = other.isStored;
    this.files = other.files;
    this.packed = other.packed;
    this.stored = other.blocks().map(added::of);
    this.base = other;
  }

  /**
   * Returns the same table with the columns of effects, {@link EffectColumns#of}; itself if no
   * group has effects, as with smooths alone, so that its blocks are not kept twice.
   */
  public BlockTable with(EffectColumns columns) {
    return columns.groupings().isEmpty() ? this : new BlockTable(this, columns);
  }

  /** Returns the columns that were added to the table's own; null if none were. */
  public @Nullable EffectColumns added() {
    return added;
  }

  /** Returns the table with its own columns. */
  public BlockTable base() {
    return base == null ? this : base;
  }

  /**
   * Opens a prepared table. Blocks are read by the first job that needs them; that job fails with a
   * {@link UserException} (data) among its causes if a block is damaged or missing.
   *
   * @param partitions over how many partitions the blocks are spread, at most one per block; 0 for
   *     Spark's default parallelism, or a multiple of it where a partition would exceed 1 GiB
   * @throws UserException (data) if there is no prepared table, or one of another version
   */
  public static BlockTable load(SparkSession spark, String folder, int partitions) {
    return load(spark, folder, partitions, null);
  }

  /**
   * Opens a table that has just been written, whose blocks are kept still.
   *
   * @param made its blocks, spread as {@link #load} does that
   */
  public static BlockTable loadMade(
      SparkSession spark, String folder, int partitions, JavaRDD<DataBlock> made) {
    return load(spark, folder, partitions, made);
  }

  /**
   * Opens a table whose blocks are kept and not stored. It can be used until it is closed.
   *
   * @param folder the folder with its schema
   * @param made its blocks, as in {@link #loadMade}
   */
  public static BlockTable unstored(
      SparkSession spark, String folder, int partitions, JavaRDD<DataBlock> made) {
    TableSchema schema = TableSchema.read(folder, spark.sparkContext().hadoopConfiguration());
    BlockRanges ranges = ranges(schema, partitions, TaskRoom.of(spark.sparkContext()));
    return new BlockTable(spark, schema, ranges, folder, null, made);
  }

  private static BlockTable load(
      SparkSession spark, String folder, int partitions, @Nullable JavaRDD<DataBlock> made) {
    TableSchema schema = TableSchema.read(folder, spark.sparkContext().hadoopConfiguration());
    BlockRanges ranges = ranges(schema, partitions, TaskRoom.of(spark.sparkContext()));
    return new BlockTable(spark, schema, ranges, folder, files(spark, folder, schema), made);
  }

  /**
   * Returns the number of tasks that run at once, or its smallest multiple at which no partition is
   * too large: a task holds the rows of its partition, and Spark spills a partition as a whole.
   */
  static int partitions(TableSchema.Packing packing, int columns, TaskRoom room) {
    int parallelism = room.tasks();
    if (packing.layout() != TableSchema.Layout.DENSE) {
      return parallelism;
    }
    double bytes = (double) packing.rows() * columns * packing.storage().bytes();
    return (int) (parallelism * Math.max(1, Math.ceil(bytes / parallelism / room.bytes())));
  }

  /**
   * Returns whether this has the blocks of a table, spread as {@link #load} would.
   *
   * @param wanted over how many partitions, as there
   */
  public boolean isOf(TableSchema other, int wanted) {
    BlockRanges others = ranges(other, wanted, TaskRoom.of(stored.context()));
    return schema.fingerprint().equals(other.fingerprint())
        && others.numPartitions() == ranges.numPartitions();
  }

  private static BlockRanges ranges(TableSchema schema, int wanted, TaskRoom room) {
    return ranges(schema.packing(), schema.columns().size(), wanted, room);
  }

  /**
   * Returns how {@link #load} spreads the blocks of a table.
   *
   * @param wanted over how many partitions, as there
   * @param room of the tasks
   */
  public static BlockRanges ranges(
      TableSchema.Packing packing, int columns, int wanted, TaskRoom room) {
    return new BlockRanges(
        packing.blocks(), wanted > 0 ? wanted : partitions(packing, columns, room));
  }

  private static BlockFiles files(SparkSession spark, String folder, TableSchema schema) {
    try {
      return BlockFiles.find(spark, folder, TABLE, schema);
    } catch (IOException e) {
      throw StorageProblem.reading(folder, e);
    }
  }

  private static JavaRDD<Integer> partitions(JavaSparkContext context, BlockRanges ranges) {
    List<Integer> partitions = IntStream.range(0, ranges.numPartitions()).boxed().toList();
    return context.parallelize(partitions, ranges.numPartitions());
  }

  private static JavaRDD<PackedBlock> packed(
      JavaSparkContext context, Broadcast<BlockFiles> files, String folder, BlockRanges ranges) {
    return partitions(context, ranges)
        .mapPartitionsWithIndex(
            (partition, ignored) -> {
              Iterator<PackedBlock> packed =
                  files.value().read(ranges.from(partition), ranges.to(partition));
              return complete(folder, ranges, partition, packed);
            },
            true);
  }

  /**
   * Returns a number of blocks, {@linkplain SpreadBlocks spread} over the table, each in the same
   * partition as in the table. If blocks are not kept, hardly more than these are read.
   */
  public JavaRDD<DataBlock> sample(long wanted) {
    SpreadBlocks spread = new SpreadBlocks(schema.blocks(), wanted);
    if (spread.wanted() == spread.blocks() || isKept()) {
      return blocks().filter(block -> spread.has(block.id()));
    }
    Broadcast<BlockFiles> sent = files;
    BlockRanges all = ranges;
    RowExpansion expansion = RowExpansion.of(schema);
    EffectColumns more = added;
    return partitions(JavaSparkContext.fromSparkContext(stored.context()), ranges)
        .mapPartitionsWithIndex(
            (partition, ignored) ->
                sent.value().read(spread.between(all.from(partition), all.to(partition))),
            true)
        .map(block -> block.toBlock(expansion))
        .map(block -> more == null ? block : more.of(block));
  }

  /**
   * Returns a number of blocks of a stored table, {@linkplain SpreadBlocks spread} over it, read in
   * this process: those of {@link #sample}, without Spark.
   *
   * @throws UserException (data) if the blocks are not those of the schema, or one is missing
   */
  public static List<DataBlock> sampleHere(
      Configuration conf, String folder, TableSchema schema, long wanted) {
    try {
      SpreadBlocks spread = new SpreadBlocks(schema.blocks(), wanted);
      Iterator<PackedBlock> read =
          BlockFiles.findHere(conf, folder, TABLE, schema).read(spread.between(0, schema.blocks()));
      RowExpansion expansion = RowExpansion.of(schema);
      List<DataBlock> blocks = new ArrayList<>();
      while (read.hasNext()) {
        blocks.add(read.next().toBlock(expansion));
      }
      if (blocks.size() < spread.wanted()) {
        throw UserException.data(
            "%s lacks blocks of its table. Write the table again with the prepare command."
                .formatted(folder));
      }
      return blocks;
    } catch (IOException e) {
      throw StorageProblem.reading(folder, e);
    }
  }

  /**
   * Returns the last block. That reads it alone.
   *
   * @param folder the table's, for messages
   * @throws UserException (data) if it is missing
   */
  public PackedBlock last(String folder) {
    long last = schema.blocks() - 1;
    Iterator<PackedBlock> read = files.value().read(new long[] {last});
    if (!read.hasNext()) {
      throw damaged(folder, "block " + last + " is missing");
    }
    return read.next();
  }

  /**
   * Returns the rows after the earlier table, in blocks of their own; the first may have fewer rows
   * than in the table. Only these are read.
   */
  public LaterRows later() {
    long first = schema.firstLater() / schema.blockRows();
    int skipped = (int) (schema.firstLater() % schema.blockRows());
    JavaSparkContext context = JavaSparkContext.fromSparkContext(stored.context());
    BlockRanges later = new BlockRanges(schema.blocks() - first, ranges.numPartitions());
    Broadcast<BlockFiles> sent = files;
    RowExpansion expansion = RowExpansion.of(schema);
    EffectColumns more = added;
    JavaRDD<DataBlock> rows =
        partitions(context, later)
            .mapPartitionsWithIndex(
                (partition, ignored) ->
                    sent.value().read(first + later.from(partition), first + later.to(partition)),
                true)
            .map(block -> block.toBlock(expansion))
            .map(
                block ->
                    block.id() > first
                        ? block
                        : block.select(IntStream.range(skipped, block.rows()).toArray()))
            .map(block -> more == null ? block : more.of(block));
    return new LaterRows(rows, later, first);
  }

  /**
   * Rows after those of an earlier table.
   *
   * @param blocks their blocks, consecutive ones in each partition
   * @param ranges how they are spread, counted from the first
   * @param first the number of the first block
   */
  public record LaterRows(JavaRDD<DataBlock> blocks, BlockRanges ranges, long first)
      implements BlockSum.Spread {
    @Override
    public BlockSum.Run run(int partition, long block) {
      return new BlockSum.Run(first + ranges.from(partition), first + ranges.to(partition));
    }
  }

  /** Passes the blocks on, and fails if one is missing or duplicated. */
  private static Iterator<PackedBlock> complete(
      String folder, BlockRanges ranges, int partition, Iterator<PackedBlock> packed) {
    long end = ranges.to(partition);
    return new Iterator<>() {
      private long expected = ranges.from(partition);

      @Override
      public boolean hasNext() {
        if (!packed.hasNext() && expected < end) {
          throw damaged(folder, "block " + expected + " is missing");
        }
        return packed.hasNext();
      }

      @Override
      public PackedBlock next() {
        PackedBlock block = packed.next();
        if (block.id() != expected) {
          throw damaged(
              folder, "block " + Math.min(expected, block.id()) + " is missing or duplicated");
        }
        expected++;
        return block;
      }
    };
  }

  private static UserException damaged(String folder, String what) {
    return UserException.data(
        what + " in " + folder + "; write the table again with the prepare command");
  }

  /**
   * Writes the blocks and the schema of a table.
   *
   * @param blocks the blocks, spread in any way
   * @param schema the schema of the blocks, including an earlier table's; its fingerprint is
   *     replaced
   * @param folder a folder that exists and is empty
   * @return the schema with its fingerprint
   * @throws IOException if the schema cannot be written
   */
  public static TableSchema write(
      SparkSession spark, JavaRDD<PackedBlock> blocks, TableSchema schema, String folder)
      throws IOException {
    TableSchema.Formula formula = schema.source().formula();
    MessageType type =
        PackedBlock.type(
            schema.grouping() != null,
            !schema.levels().isEmpty(),
            formula != null && formula.curves() != null);
    writeBlocks(spark, blocks, type, folder);
    return complete(spark, schema, folder);
  }

  /**
   * Writes blocks, before {@link #complete}, in one job.
   *
   * @param type the columns of their file, {@link PackedBlock#type}
   */
  public static void writeBlocks(
      SparkSession spark, JavaRDD<PackedBlock> blocks, MessageType type, String folder) {
    blocks
        .mapToPair(block -> new Tuple2<@Nullable Void, PackedBlock>(null, block))
        .saveAsNewAPIHadoopDataset(BlockFormat.of(spark, type, folder + "/" + TABLE));
  }

  /**
   * Writes the schema of a table whose blocks are written.
   *
   * @param schema as {@link #write} has it
   * @throws IOException if it cannot be written
   */
  public static TableSchema complete(SparkSession spark, TableSchema schema, String folder)
      throws IOException {
    BlockFiles.Found stored = BlockFiles.look(spark, folder, TABLE, schema);
    if (stored.blocks() != schema.blocks()) {
      throw new IllegalStateException(
          stored.blocks() + " blocks were written, but " + schema.blocks() + " were expected");
    }
    return complete(spark, schema, stored.share(), folder);
  }

  /**
   * Writes the schema of a table.
   *
   * @param hash the {@link #hash} of its blocks
   * @throws IOException if it cannot be written
   */
  public static TableSchema complete(
      SparkSession spark, TableSchema schema, long hash, String folder) throws IOException {
    TableSchema complete = schema.withBlockHash(hash);
    complete.write(folder, spark.sparkContext().hadoopConfiguration());
    return complete;
  }

  /** Returns the hash of blocks for the fingerprint, in one job. */
  public static long hash(JavaRDD<PackedBlock> blocks) {
    return blocks.map(block -> Fingerprint.share(block.id(), block.hash())).reduce(Long::sum);
  }

  /** Returns the schema of the table. */
  public TableSchema schema() {
    return schema;
  }

  /** Returns how the blocks are spread. */
  public BlockRanges ranges() {
    return ranges;
  }

  /**
   * Returns the groups of each block's rows, spread as the blocks are. That reads the blocks.
   *
   * @throws IllegalStateException if the table was prepared without groups
   */
  public JavaRDD<LevelRuns> groups() {
    if (schema.grouping() == null) {
      throw new IllegalStateException("the table has no groups");
    }
    return packed.map(PackedBlock::groups);
  }

  /** Returns the blocks. */
  public JavaRDD<DataBlock> blocks() {
    return made == null ? stored : made;
  }

  /**
   * Keeps the blocks in memory, and on disk if they do not fit, from the next job that reads them
   * until {@link #close}.
   */
  public JavaRDD<DataBlock> keep() {
    return blocks().persist(StorageLevel.MEMORY_AND_DISK());
  }

  /** Returns whether the blocks are stored; else they are no more once they are let go of. */
  public boolean isStored() {
    return isStored;
  }

  /** Returns whether the blocks are kept. */
  public boolean isKept() {
    return !blocks().getStorageLevel().equals(StorageLevel.NONE());
  }

  /** Releases the memory and disk that the blocks take. They can be read again. */
  @Override
  public void close() {
    blocks().unpersist(false);
    made = null;
    if (base != null) {
      base.close();
    }
  }
}
