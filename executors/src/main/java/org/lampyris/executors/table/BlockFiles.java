package org.lampyris.executors.table;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import scala.Tuple2;

/**
 * The files of a table, as the prepare command leaves them: stretches of blocks with consecutive
 * ids. Each partition reads its own run of blocks out of them, and nothing is shuffled.
 */
final class BlockFiles implements Serializable {
  private static final Operators.LongColumn ID = FilterApi.longColumn("block_id");

  private final SerializableConfiguration conf;
  private final String[] paths;
  private final long[] first;
  private final long[] last;

  private BlockFiles(SerializableConfiguration conf, String[] paths, long[] first, long[] last) {
    this.conf = conf;
    this.paths = paths;
    this.first = first;
    this.last = last;
  }

  /** Returns the files of a table that has none. */
  static BlockFiles none() {
    return new BlockFiles(
        new SerializableConfiguration(new Configuration(false)),
        new String[0],
        new long[0],
        new long[0]);
  }

  /** Blocks with consecutive ids that lie one after the other in a file. */
  record Stretch(String path, long first, long last) {}

  /**
   * Finds the position of each block: one job that reads only ids and hashes.
   *
   * @param table the folder of Parquet files in it
   * @param schema what the blocks have to be
   * @throws IOException if the folder cannot be read
   * @throws UserException (data) if some block is there twice, or there are all, but some of
   *     another table
   */
  static BlockFiles find(SparkSession spark, String folder, String table, TableSchema schema)
      throws IOException {
    return of(
        look(spark, folder, table, schema),
        folder,
        table,
        schema,
        spark.sparkContext().hadoopConfiguration());
  }

  /**
   * Finds the position of each block in this process, file by file.
   *
   * @throws IOException as {@link #find} does
   * @throws UserException as {@link #find} does
   */
  static BlockFiles findHere(Configuration conf, String folder, String table, TableSchema schema)
      throws IOException {
    List<Tuple2<String, Long>> parts = new ArrayList<>();
    addParts(folder, table, schema, Long.MAX_VALUE, conf, parts);
    List<long[][]> ids = new ArrayList<>();
    for (Tuple2<String, Long> part : parts) {
      ids.add(ids(part._1(), part._2(), new SerializableConfiguration(conf)));
    }
    return of(found(parts, ids), folder, table, schema, conf);
  }

  private static BlockFiles of(
      Found found, String folder, String table, TableSchema schema, Configuration conf) {
    List<Stretch> stretches = found.stretches();
    // Blocks that are missing or double are told by their numbers when they are read.
    if (found.blocks() == schema.blocks()
        && !Fingerprint.isOf(schema.fingerprint(), found.share(), schema)) {
      throw UserException.data(
          "the blocks in %s do not match schema.json. Write the table again with the prepare command."
              .formatted(new Path(folder, table)));
    }
    stretches.sort(Comparator.comparingLong(Stretch::first));
    for (int k = 1; k < stretches.size(); k++) {
      if (stretches.get(k).first() <= stretches.get(k - 1).last()) {
        throw UserException.data(
            "block %s is missing or duplicated in %s. Write the table again with the prepare command."
                .formatted(stretches.get(k).first(), folder));
      }
    }
    return new BlockFiles(
        new SerializableConfiguration(conf),
        stretches.stream().map(Stretch::path).toArray(String[]::new),
        stretches.stream().mapToLong(Stretch::first).toArray(),
        stretches.stream().mapToLong(Stretch::last).toArray());
  }

  /**
   * The blocks of a table.
   *
   * @param blocks how many there are
   * @param share the sum of their shares of the table's hash
   */
  record Found(List<Stretch> stretches, long blocks, long share) {}

  /**
   * Finds the existing blocks, in one job.
   *
   * @throws IOException if the folder cannot be read
   */
  static Found look(SparkSession spark, String folder, String table, TableSchema schema)
      throws IOException {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    List<Tuple2<String, Long>> parts = new ArrayList<>();
    addParts(folder, table, schema, Long.MAX_VALUE, hadoop, parts);
    SerializableConfiguration conf = new SerializableConfiguration(hadoop);
    List<long[][]> ids = List.of();
    if (!parts.isEmpty()) {
      JavaRDD<Tuple2<String, Long>> rdd =
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(
                  parts, Math.min(parts.size(), 4 * spark.sparkContext().defaultParallelism()));
      ids = rdd.map(part -> ids(part._1(), part._2(), conf)).collect();
    }
    return found(parts, ids);
  }

  private static Found found(List<Tuple2<String, Long>> parts, List<long[][]> ids) {
    List<Stretch> stretches = new ArrayList<>();
    long blocks = 0;
    long share = 0;
    for (int k = 0; k < ids.size(); k++) {
      add(parts.get(k)._1(), ids.get(k)[0], stretches);
      blocks += ids.get(k)[0].length;
      share += ids.get(k)[1][0];
    }
    return new Found(stretches, blocks, share);
  }

  /**
   * Adds the files of a table and of its earlier tables, each with the number of the first block
   * that a later table stores again.
   */
  private static void addParts(
      String folder,
      String table,
      TableSchema schema,
      long before,
      Configuration conf,
      List<Tuple2<String, Long>> parts)
      throws IOException {
    TableSchema.Earlier earlier = schema.source().earlier();
    if (earlier != null) {
      addParts(
          earlier.folder(),
          table,
          SchemaFile.readEarlier(folder, earlier, conf),
          Math.min(before, earlier.rows() / schema.blockRows()),
          conf,
          parts);
    }
    Path path = new Path(folder, table);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.data(
          "%s has a schema but no rows. Either they were not stored (prepared: none), or they have been removed. Prepare the table again into its own folder."
              .formatted(folder));
    }
    for (FileStatus file : path.getFileSystem(conf).listStatus(path)) {
      if (file.isFile() && file.getPath().getName().endsWith(".parquet")) {
        parts.add(new Tuple2<>(file.getPath().toString(), before));
      }
    }
  }

  private static void add(String path, long[] ids, List<Stretch> stretches) {
    for (int k = 0; k < ids.length; ) {
      int end = k + 1;
      while (end < ids.length && ids[end] == ids[end - 1] + 1) {
        end++;
      }
      stretches.add(new Stretch(path, ids[k], ids[end - 1]));
      k = end;
    }
  }

  private static long[][] ids(String path, long before, SerializableConfiguration conf)
      throws IOException {
    Configuration only = new Configuration(conf.value());
    only.set(
        ReadSupport.PARQUET_READ_SCHEMA,
        "message ids { optional int64 block_id; optional int64 hash; }");
    LongStream.Builder ids = LongStream.builder();
    long share = 0;
    try (ParquetReader<Group> reader =
        ParquetFile.reader(new Path(path), only, new GroupReadSupport()).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        long id = row.getLong("block_id", 0);
        if (id < before) {
          ids.add(id);
          share += Fingerprint.share(id, row.getLong("hash", 0));
        }
      }
    }
    return new long[][] {ids.build().toArray(), {share}};
  }

  /**
   * Returns the available blocks among {@code from … to − 1}, in ascending order. Called on the
   * executors; a file is open until its last block of a stretch was read, or the task ends.
   */
  Iterator<PackedBlock> read(long from, long to) {
    return new Reading(
        stretch -> first[stretch] < to && last[stretch] >= from,
        stretch ->
            FilterApi.and(
                FilterApi.gtEq(ID, Math.max(from, first[stretch])),
                FilterApi.lt(ID, Math.min(to, last[stretch] + 1))));
  }

  /** Returns some blocks, by ids that ascend, as {@link #read(long, long)} does. */
  Iterator<PackedBlock> read(long[] ids) {
    if (ids.length == 0) {
      return Collections.emptyIterator();
    }
    return new Reading(
        stretch -> among(stretch, ids).findAny().isPresent(),
        stretch -> FilterApi.in(ID, among(stretch, ids).boxed().collect(Collectors.toSet())));
  }

  private LongStream among(int stretch, long[] ids) {
    return Arrays.stream(ids).filter(id -> first[stretch] <= id && id <= last[stretch]);
  }

  private final class Reading implements Iterator<PackedBlock> {
    private final IntPredicate holds;
    private final IntFunction<FilterPredicate> wanted;
    private int stretch;
    private @Nullable ParquetReader<Group> reader;
    private @Nullable Group next;

    Reading(IntPredicate holds, IntFunction<FilterPredicate> wanted) {
      this.holds = holds;
      this.wanted = wanted;
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.addTaskCompletionListener((TaskCompletionListener) context -> close());
      }
      advance();
    }

    private void advance() {
      try {
        next = reader == null ? null : reader.read();
        while (next == null && stretch < paths.length) {
          close();
          if (holds.test(stretch)) {
            reader = open(paths[stretch], wanted.apply(stretch));
            next = reader.read();
          }
          stretch++;
        }
        if (next == null) {
          close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private ParquetReader<Group> open(String path, FilterPredicate filter) throws IOException {
      return ParquetFile.reader(new Path(path), conf.value(), new GroupReadSupport())
          .withFilter(FilterCompat.get(filter))
          .build();
    }

    private void close() {
      try {
        if (reader != null) {
          reader.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        reader = null;
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public PackedBlock next() {
      Group row = next;
      if (row == null) {
        throw new NoSuchElementException();
      }
      PackedBlock block =
          PackedBlock.fromGroup(
              row, new Path(paths[stretch - 1]).getParent().getParent().toString());
      advance();
      return block;
    }
  }
}
