package org.lampyris.dataprep.design;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;

/**
 * Numbers of rows for each level of the grouping factors in {@code model.random}. There may be as
 * many levels as rows: then they are counted on the executors and stay there.
 */
public final class LevelCounts implements AutoCloseable {
  /**
   * Number of levels above which rows are grouped by the column with the most: the effects of all
   * its levels are then drawn at the rows, and nothing about them is sent over the network. With
   * fewer the driver can hold them, and the order of the rows may be random.
   */
  static final long MOST_APART = 20_000;

  /** Largest number of tallied levels that the driver collects: a shuffle takes several jobs. */
  private static final long MOST_COLLECTED = 100_000;

  private static final String COLUMN = "column";

  /** Number of the column, and facts about a level. */
  private static final StructType TYPE =
      new StructType(
          Stream.concat(
                  Stream.of(new StructType().add(COLUMN, DataTypes.IntegerType).fields()),
                  Stream.of(LevelTable.TYPE.fields()))
              .toArray(StructField[]::new));

  /** Number of a column's levels, and of the most frequent one's rows. */
  private record Counted(String column, long levels, long mostRows, long hash) {}

  private final Input input;
  private final Dataset<Row> table;
  private final List<Counted> all = new ArrayList<>();

  private LevelCounts(Input input, Dataset<Row> table) {
    this.input = input;
    this.table = table;
  }

  /**
   * Counts the levels; none if no groups have effects.
   *
   * @param tallies the levels of all rows, some rows at a time
   * @param earlier the {@link LevelTable} of each column for the rows before these; none if there
   *     are no such rows
   * @throws UserException (data) if two levels of a column have the same key
   */
  public static LevelCounts of(
      SparkSession spark,
      Input input,
      InputColumns columns,
      JavaRDD<LevelTally> tallies,
      List<Dataset<Row>> earlier) {
    if (columns.groups().isEmpty()) {
      return new LevelCounts(input, spark.emptyDataFrame());
    }
    JavaRDD<Row> levels = tallies.flatMap(LevelCounts::levels);
    for (int k = 0; k < earlier.size(); k++) {
      int column = k;
      levels =
          levels.union(
              earlier
                  .get(k)
                  .javaRDD()
                  .map(row -> RowFactory.create(column, row.get(0), row.get(1), row.get(2))));
    }
    if (levels.count() <= MOST_COLLECTED) {
      return few(spark, input, columns.groups(), tallies.collect(), earlier);
    }
    Dataset<Row> table =
        spark
            .createDataFrame(levels, TYPE)
            .groupBy(COLUMN, LevelTable.KEY, LevelTable.LEVEL)
            .agg(functions.sum(LevelTable.ROWS).as(LevelTable.ROWS))
            // What is kept has as many partitions as Spark shuffles by, 200 for a few levels.
            .coalesce(
                Math.max(tallies.getNumPartitions(), spark.sparkContext().defaultParallelism()));
    LevelCounts counts = new LevelCounts(input, table);
    table.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      counts.count(columns.groups());
    } catch (RuntimeException e) {
      counts.close();
      throw e;
    }
    return counts;
  }

  /** Counts a few levels on the driver, because a query for them takes Spark several jobs. */
  private static LevelCounts few(
      SparkSession spark,
      Input input,
      List<String> columns,
      List<LevelTally> tallies,
      List<Dataset<Row>> earlier) {
    List<Row> rows = new ArrayList<>();
    List<Counted> all = new ArrayList<>();
    for (int k = 0; k < columns.size(); k++) {
      Map<String, Long> levels = new TreeMap<>();
      for (LevelTally tally : tallies) {
        tally.of(k).forEach(level -> levels.merge(level.text(), level.rows(), Long::sum));
      }
      if (!earlier.isEmpty()) {
        earlier
            .get(k)
            .collectAsList()
            .forEach(row -> levels.merge(row.getString(1), row.getLong(2), Long::sum));
      }
      Map<Long, String> byKey = new HashMap<>();
      long mostRows = 0;
      long hash = 0;
      for (Map.Entry<String, Long> level : levels.entrySet()) {
        String twin = byKey.put(LevelTally.key(level.getKey()), level.getKey());
        if (twin != null) {
          throw twins(input, columns.get(k), twin, level.getKey());
        }
        LevelTally.Level of = new LevelTally.Level(level.getKey(), level.getValue());
        rows.add(level(k, of));
        mostRows = Math.max(mostRows, of.rows());
        hash ^= of.hash();
      }
      all.add(new Counted(columns.get(k), levels.size(), mostRows, hash));
    }
    LevelCounts counts = new LevelCounts(input, spark.createDataFrame(rows, TYPE).coalesce(1));
    counts.all.addAll(all);
    return counts;
  }

  private static Iterator<Row> levels(LevelTally tally) {
    return IntStream.range(0, tally.columns())
        .boxed()
        .flatMap(k -> tally.of(k).stream().map(level -> level(k, level)))
        .iterator();
  }

  private static Row level(int k, LevelTally.Level of) {
    return RowFactory.create(k, LevelTally.key(of.text()), of.text(), of.rows());
  }

  private void count(List<String> columns) {
    List<Row> found =
        table
            .groupBy(COLUMN)
            .agg(
                functions.count(functions.lit(1)),
                functions.max(LevelTable.ROWS),
                functions.count_distinct(functions.col(LevelTable.KEY)),
                LevelTable.hash())
            .orderBy(COLUMN)
            .collectAsList();
    for (int k = 0; k < columns.size(); k++) {
      Row of = found.get(k);
      if (of.getLong(1) != of.getLong(3)) {
        throw twins(columns.get(k), ofColumn(k));
      }
      all.add(new Counted(columns.get(k), of.getLong(1), of.getLong(2), of.getLong(4)));
    }
  }

  private Dataset<Row> ofColumn(int k) {
    return table.where(functions.col(COLUMN).equalTo(k)).drop(COLUMN);
  }

  /** Among 10⁷ levels, two have the same key with probability 3·10⁻⁶. */
  private UserException twins(String column, Dataset<Row> levels) {
    Row twins =
        levels
            .groupBy(LevelTable.KEY)
            .agg(
                functions.count(functions.lit(1)).as("n"),
                functions.min(LevelTable.LEVEL),
                functions.max(LevelTable.LEVEL))
            .where("n > 1")
            .first();
    return twins(input, column, twins.getString(2), twins.getString(3));
  }

  private static UserException twins(Input input, String column, String one, String other) {
    return input.problem(
        column,
        "has the levels '%s' and '%s', which have the same number. Rename one of them in data.query."
            .formatted(one, other));
  }

  /**
   * Returns the column by which rows are grouped without {@code data.group_by}; null if no column
   * has that many levels.
   */
  public @Nullable String together() {
    Counted most = null;
    for (Counted one : all) {
      most = most == null || one.levels > most.levels ? one : most;
    }
    return most == null || most.levels <= MOST_APART ? null : most.column;
  }

  /**
   * Returns the facts about each column, in order; null if there is none.
   *
   * @param by the column by which rows lie together; null if they do not
   */
  public @Nullable List<TableSchema.Levels> levels(@Nullable String by) {
    List<TableSchema.Levels> levels = new ArrayList<>();
    for (Counted one : all) {
      boolean together = one.column.equals(by);
      levels.add(new TableSchema.Levels(one.column, one.levels, one.mostRows, together, one.hash));
    }
    return levels.isEmpty() ? null : levels;
  }

  /** Writes the levels into the folder of a table. */
  public void write(String folder) {
    for (int k = 0; k < all.size(); k++) {
      ofColumn(k).write().parquet(LevelTable.path(folder, k));
    }
  }

  /** Releases the levels. */
  @Override
  public void close() {
    table.unpersist(false);
  }

  /**
   * Levels of the grouping factors in {@code model.random} among some rows, each with its number of
   * rows, as bytes: kept with the rows, so that the input need not be read again. A plain class,
   * for Kryo's sake.
   */
  public static final class LevelTally implements Serializable {
    /** The seed of Spark's function {@code xxhash64}. */
    private static final long HASH_SEED = 42;

    /** For each column: levels as their number of rows, length and text in UTF-8. */
    private final byte[][] columns;

    private LevelTally(byte[][] columns) {
      this.columns = columns;
    }

    /**
     * Returns the key of a level: the XXH64 of its text in UTF-8. The text is spelled like
     * categories, numbers without needless digits, so that a table gives the same keys in every
     * format.
     */
    static long key(String level) {
      byte[] text = level.getBytes(StandardCharsets.UTF_8);
      return XXH64.hashUnsafeBytes(text, Platform.BYTE_ARRAY_OFFSET, text.length, 0);
    }

    /** A level of some rows. */
    public record Level(String text, long rows) {
      /** Returns its part of {@link LevelTable#hash}: XXH64 of its key, its text and its rows. */
      long hash() {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        long ofKey = XXH64.hashLong(key(text), HASH_SEED);
        long ofText = XXH64.hashUnsafeBytes(utf8, Platform.BYTE_ARRAY_OFFSET, utf8.length, ofKey);
        return XXH64.hashLong(rows, ofText);
      }
    }

    /** Counts the levels of rows. */
    public static final class Counting {
      private final List<Map<String, Integer>> counts = new ArrayList<>();

      /** Starts with a number of columns. */
      public Counting(int columns) {
        for (int k = 0; k < columns; k++) {
          counts.add(new LinkedHashMap<>());
        }
      }

      /** Counts a row's level of a column, and returns its key. */
      public long add(int column, String level) {
        counts.get(column).merge(level, 1, Integer::sum);
        return key(level);
      }

      /** Returns the levels since the last time, and forgets them. */
      public LevelTally take() {
        byte[][] columns = new byte[counts.size()][];
        for (int k = 0; k < columns.length; k++) {
          columns[k] = bytes(counts.get(k));
          counts.get(k).clear();
        }
        return new LevelTally(columns);
      }

      private static byte[] bytes(Map<String, Integer> counts) {
        List<byte[]> texts =
            counts.keySet().stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
        ByteBuffer out =
            ByteBuffer.allocate(
                texts.stream().mapToInt(text -> 2 * Integer.BYTES + text.length).sum());
        int k = 0;
        for (int rows : counts.values()) {
          byte[] text = texts.get(k++);
          out.putInt(rows).putInt(text.length).put(text);
        }
        return out.array();
      }
    }

    /** Returns the number of columns. */
    public int columns() {
      return columns.length;
    }

    /** Returns the levels of a column, in the order in which they came. */
    public List<Level> of(int column) {
      List<Level> levels = new ArrayList<>();
      ByteBuffer in = ByteBuffer.wrap(columns[column]);
      while (in.hasRemaining()) {
        long rows = in.getInt();
        byte[] text = new byte[in.getInt()];
        in.get(text);
        levels.add(new Level(new String(text, StandardCharsets.UTF_8), rows));
      }
      return levels;
    }

    /** Returns the levels of a column by their keys. */
    public Map<Long, String> byKey(int column) {
      Map<Long, String> levels = new HashMap<>();
      of(column).forEach(level -> levels.put(key(level.text), level.text));
      return levels;
    }
  }
}
