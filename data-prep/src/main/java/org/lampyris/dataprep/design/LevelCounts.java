package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;

/**
 * How many rows each level has of the columns of {@code model.random}. Levels are counted on the
 * executors and stay there: there may be as many as rows.
 */
public final class LevelCounts implements AutoCloseable {
  /**
   * With more levels, the rows are put together by the column with the most: the effects of all its
   * levels are then drawn where the rows are, and nothing of them goes over the network. With fewer
   * the driver can hold them, and the order of the rows may be random.
   */
  static final long MOST_APART = 20_000;

  private static final String COLUMN = "column";

  /** Which of the columns, and what is known of a level of it. */
  private static final StructType TYPE =
      new StructType(
          Stream.concat(
                  Stream.of(new StructType().add(COLUMN, DataTypes.IntegerType).fields()),
                  Stream.of(LevelTable.TYPE.fields()))
              .toArray(StructField[]::new));

  /** How many levels a column has, and how many rows the most frequent one. */
  private record Counted(String column, long levels, long mostRows, long hash) {}

  private final Input input;
  private final Dataset<Row> table;
  private final List<Counted> all = new ArrayList<>();

  private LevelCounts(Input input, Dataset<Row> table) {
    this.input = input;
    this.table = table;
  }

  /**
   * Counts the levels, in one job; none if no groups have effects.
   *
   * @param tallies the levels of all rows, some rows at a time
   * @throws UserException (data) if two levels of a column have the same key
   */
  public static LevelCounts of(
      SparkSession spark, Input input, InputColumns columns, JavaRDD<LevelTally> tallies) {
    Dataset<Row> table =
        spark
            .createDataFrame(tallies.flatMap(LevelCounts::levels), TYPE)
            .groupBy(COLUMN, LevelTable.KEY, LevelTable.LEVEL)
            .agg(functions.sum(LevelTable.ROWS).as(LevelTable.ROWS))
            // What is kept has as many partitions as Spark shuffles by, 200 for a few levels.
            .coalesce(
                Math.max(tallies.getNumPartitions(), spark.sparkContext().defaultParallelism()));
    LevelCounts counts = new LevelCounts(input, table);
    if (!columns.groups().isEmpty()) {
      table.persist(StorageLevel.MEMORY_AND_DISK());
      try {
        counts.count(columns.groups());
      } catch (RuntimeException e) {
        counts.close();
        throw e;
      }
    }
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

  /** Of 10⁷ levels, two have the same key with probability 3·10⁻⁶. */
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
    return input.problem(
        column,
        "has the levels '%s' and '%s', which one number stands for; rename one of them in data.query"
            .formatted(twins.getString(2), twins.getString(3)));
  }

  /**
   * Returns the column by which rows are put together although {@code data.group_by} names none;
   * null if no column has that many levels.
   */
  public @Nullable String together() {
    Counted most = null;
    for (Counted one : all) {
      most = most == null || one.levels > most.levels ? one : most;
    }
    return most == null || most.levels <= MOST_APART ? null : most.column;
  }

  /**
   * Returns what is known of each column, in order; null if there is none.
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

  /** Releases what is kept of the levels. */
  @Override
  public void close() {
    table.unpersist(false);
  }
}
