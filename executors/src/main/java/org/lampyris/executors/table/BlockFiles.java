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
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
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

/**
 * The files of a table whose blocks lie in ascending order, as the prepare command leaves them:
 * each partition reads its own run of blocks out of them, and nothing is shuffled.
 */
final class BlockFiles implements Serializable {
  private static final Operators.LongColumn ID = FilterApi.longColumn("block_id");

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

  /** A file and the ids of its blocks. */
  private record Ids(String path, long[] ids) {}

  /**
   * Looks which blocks lie where: one job that reads the ids only.
   *
   * @param table the folder of Parquet files in it
   * @return null if blocks do not lie in ascending order
   * @throws IOException if the folder cannot be read
   */
  static @Nullable BlockFiles find(SparkSession spark, String folder, String table)
      throws IOException {
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
      List<long[]> ids = rdd.map(name -> ids(name, conf)).collect();
      for (int k = 0; k < ids.size(); k++) {
        if (ids.get(k).length > 0) {
          files.add(new Ids(names.get(k), ids.get(k)));
        }
      }
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

  private static long[] ids(String name, SerializableConfiguration conf) throws IOException {
    Configuration only = new Configuration(conf.value());
    only.set(ReadSupport.PARQUET_READ_SCHEMA, "message ids { optional int64 block_id; }");
    LongStream.Builder ids = LongStream.builder();
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new Path(name)).withConf(only).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        ids.add(row.getLong("block_id", 0));
      }
    }
    return ids.build().toArray();
  }

  /**
   * Returns the blocks {@code from … to − 1}, as far as they are there, in ascending order. Called
   * on the executors; a file is open until its last block was read, or the task ends.
   */
  Iterator<PackedBlock> read(long from, long to) {
    return new Reading(
        file -> first[file] < to && last[file] >= from,
        FilterApi.and(FilterApi.gtEq(ID, from), FilterApi.lt(ID, to)));
  }

  /** Returns some blocks, by ids that ascend, as {@link #read(long, long)} does. */
  Iterator<PackedBlock> read(long[] ids) {
    if (ids.length == 0) {
      return Collections.emptyIterator();
    }
    return new Reading(
        file -> Arrays.stream(ids).anyMatch(id -> first[file] <= id && id <= last[file]),
        FilterApi.in(ID, Arrays.stream(ids).boxed().collect(Collectors.toSet())));
  }

  private final class Reading implements Iterator<PackedBlock> {
    private final IntPredicate holds;
    private final FilterPredicate wanted;
    private int file;
    private @Nullable ParquetReader<Group> reader;
    private @Nullable Group next;

    Reading(IntPredicate holds, FilterPredicate wanted) {
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
        while (next == null && file < paths.length) {
          close();
          if (holds.test(file)) {
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
          .withFilter(FilterCompat.get(wanted))
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
