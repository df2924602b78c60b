package org.lampyris.executors.table;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
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

/**
 * The files of a table whose blocks lie in ascending order, as the prepare command leaves them:
 * each partition reads its own run of blocks out of them, and nothing is shuffled.
 */
final class BlockFiles implements Serializable {
  private final String folder;
  private final SerializableConfiguration conf;
  private final String[] paths;
  private final long[] first;
  private final long[] last;

  private BlockFiles(
      String folder, SerializableConfiguration conf, String[] paths, long[] first, long[] last) {
    this.folder = folder;
    this.conf = conf;
    this.paths = paths;
    this.first = first;
    this.last = last;
  }

  /** A file and the ids of its blocks, with their shares of the table's hash, added up. */
  private record Ids(String path, long[] ids, long share) {}

  /**
   * Looks which blocks lie where: one job that reads the ids and the hashes only.
   *
   * @param table the folder of Parquet files in it
   * @param schema what the blocks have to be
   * @return null if blocks do not lie in ascending order
   * @throws IOException if the folder cannot be read
   * @throws UserException (data) if there are all blocks, but some of another table
   */
  static @Nullable BlockFiles find(
      SparkSession spark, String folder, String table, TableSchema schema) throws IOException {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    Path path = new Path(folder, table);
    List<String> names =
        Arrays.stream(path.getFileSystem(hadoop).listStatus(path))
            .filter(file -> file.isFile() && file.getPath().getName().endsWith(".parquet"))
            .map(file -> file.getPath().toString())
            .toList();
    SerializableConfiguration conf = new SerializableConfiguration(hadoop);
    List<Ids> files = new ArrayList<>();
    if (!names.isEmpty()) {
      JavaRDD<String> rdd =
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(
                  names, Math.min(names.size(), 4 * spark.sparkContext().defaultParallelism()));
      List<long[][]> ids = rdd.map(name -> ids(name, conf)).collect();
      for (int k = 0; k < ids.size(); k++) {
        if (ids.get(k)[0].length > 0) {
          files.add(new Ids(names.get(k), ids.get(k)[0], ids.get(k)[1][0]));
        }
      }
    }
    // Blocks that are missing or double are told by their numbers when they are read.
    if (files.stream().mapToLong(file -> file.ids().length).sum() == schema.blocks()
        && !Fingerprint.isOf(
            schema.fingerprint(), files.stream().mapToLong(Ids::share).sum(), schema)) {
      throw UserException.data(
          "the blocks in %s are not those that schema.json is of; write the table again with the prepare command"
              .formatted(path));
    }
    files.sort(Comparator.comparingLong(file -> file.ids()[0]));
    long before = -1;
    for (Ids file : files) {
      for (long id : file.ids()) {
        if (id <= before) {
          return null;
        }
        before = id;
      }
    }
    return new BlockFiles(
        folder,
        conf,
        files.stream().map(Ids::path).toArray(String[]::new),
        files.stream().mapToLong(file -> file.ids()[0]).toArray(),
        files.stream().mapToLong(file -> file.ids()[file.ids().length - 1]).toArray());
  }

  private static long[][] ids(String name, SerializableConfiguration conf) throws IOException {
    Configuration only = new Configuration(conf.value());
    only.set(
        ReadSupport.PARQUET_READ_SCHEMA,
        "message ids { optional int64 block_id; optional int64 hash; }");
    LongStream.Builder ids = LongStream.builder();
    long share = 0;
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new Path(name)).withConf(only).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        ids.add(row.getLong("block_id", 0));
        share += Fingerprint.share(row.getLong("block_id", 0), row.getLong("hash", 0));
      }
    }
    return new long[][] {ids.build().toArray(), {share}};
  }

  /**
   * Returns the blocks {@code from … to − 1}, as far as they are there, in ascending order. Called
   * on the executors; a file is open until its last block was read, or the task ends.
   */
  Iterator<PackedBlock> read(long from, long to) {
    return new Reading(from, to);
  }

  private final class Reading implements Iterator<PackedBlock> {
    private final long from;
    private final long to;
    private int file;
    private @Nullable ParquetReader<Group> reader;
    private @Nullable Group next;

    Reading(long from, long to) {
      this.from = from;
      this.to = to;
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.addTaskCompletionListener((TaskCompletionListener) context -> close());
      }
      advance();
    }

    private void advance() {
      try {
        next = reader == null ? null : reader.read();
        while (next == null && file < paths.length) {
          close();
          if (first[file] < to && last[file] >= from) {
            reader = open(paths[file]);
            next = reader.read();
          }
          file++;
        }
        if (next == null) {
          close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private ParquetReader<Group> open(String path) throws IOException {
      return ParquetReader.builder(new GroupReadSupport(), new Path(path))
          .withConf(conf.value())
          .withFilter(
              FilterCompat.get(
                  FilterApi.and(
                      FilterApi.gtEq(FilterApi.longColumn("block_id"), from),
                      FilterApi.lt(FilterApi.longColumn("block_id"), to))))
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
      PackedBlock block = PackedBlock.fromGroup(row, folder);
      advance();
      return block;
    }
  }
}
