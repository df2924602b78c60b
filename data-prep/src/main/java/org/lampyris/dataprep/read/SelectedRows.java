package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Option;
import scala.runtime.BoxedUnit;

/** The rows of a selected table, read without an object for each. */
public record SelectedRows(Dataset<Row> selected, JavaRDD<InternalRow> rows) {
  /**
   * Plan nodes whose rows come in the order of the input. (A table of LibSVM is an RDD to Spark,
   * made of the lines of its files; a formula expands rows one by one.)
   */
  private static final Set<String> IN_ORDER =
      Set.of(
          "Project",
          "Filter",
          "Generate",
          "SubqueryAlias",
          "LogicalRelation",
          "LogicalRDD",
          "LocalRelation",
          "DeserializeToObject",
          "MapPartitions",
          "SerializeFromObject");

  /** Takes the rows of a table, as {@link InputColumns#select} lays them out. */
  public static SelectedRows of(Dataset<Row> selected) {
    return new SelectedRows(selected, planned(selected));
  }

  /** Lets Spark plan the reading of a table. */
  private static JavaRDD<InternalRow> planned(Dataset<Row> selected) {
    return planned(selected, plan -> plan.toRdd().toJavaRDD());
  }

  /** Lets Spark plan something about a table. */
  static <R> R planned(Dataset<Row> selected, Function<QueryExecution, R> use) {
    Option<SparkSession> before = SparkSession.getActiveSession();
    // What the session's configuration says of the input is asked of the active one.
    SparkSession.setActiveSession(selected.sparkSession());
    try {
      return use.apply(selected.queryExecution());
    } finally {
      SparkSession.clearActiveSession();
      before.foreach(
          session -> {
            SparkSession.setActiveSession(session);
            return BoxedUnit.UNIT;
          });
    }
  }

  /** Function of the rows of a partition, in order. */
  public interface Use<R> extends Serializable {
    /**
     * Starts a partition.
     *
     * @param cells every row in turn, the same object
     */
    Iterator<R> of(Iterator<RowCells> cells);
  }

  /** Returns the results for all rows. */
  public <R> JavaRDD<R> mapPartitions(Use<R> use) {
    StructType type = selected.schema();
    return rows.mapPartitions(partition -> use.of(new RowCells(type).over(partition)));
  }

  /**
   * Returns whether the rows come in the order of the input's files, each file in pieces: nothing
   * joins, groups, sorts or samples them.
   */
  public boolean areInOrder() {
    return areInOrder(selected);
  }

  /** Returns whether the rows of a table come in the order of the input's files. */
  public static boolean areInOrder(Dataset<Row> table) {
    return isInOrder(table.queryExecution().optimizedPlan());
  }

  private static boolean isInOrder(LogicalPlan plan) {
    return IN_ORDER.contains(plan.getClass().getSimpleName())
        && ScalaCollections.asJava(plan.children()).stream().allMatch(SelectedRows::isInOrder);
  }

  /** A piece of a file that a task reads as a whole. A plain class, for Kryo's sake. */
  public static final class Piece implements Comparable<Piece>, Serializable {
    /** Piece of rows whose place is not needed. */
    public static final Piece NONE = new Piece("", 0);

    final String file;
    final long start;

    Piece(String file, long start) {
      this.file = file;
      this.start = start;
    }

    /** Orders pieces by file name, and by their start. */
    @Override
    public int compareTo(Piece that) {
      int byFile = file.compareTo(that.file);
      return byFile != 0 ? byFile : Long.compare(start, that.start);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Piece that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
      return 31 * file.hashCode() + Long.hashCode(start);
    }
  }

  /**
   * Place of a row in the order of the input: files by name, rows as they come. Rows that are from
   * no file are in the order of the partitions. A plain class, for Kryo's sake.
   */
  public static final class Place implements Comparable<Place>, Serializable {
    private final Piece piece;
    private final int partition;
    private final long row;

    Place(Piece piece, int partition, long row) {
      this.piece = piece;
      this.partition = partition;
      this.row = row;
    }

    @Override
    public int compareTo(Place that) {
      int byPiece = piece.compareTo(that.piece);
      int byTask = byPiece != 0 ? byPiece : Integer.compare(partition, that.partition);
      return byTask != 0 ? byTask : Long.compare(row, that.row);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * piece.hashCode() + partition) + Long.hashCode(row);
    }
  }

  /** Counter, in the task that reads rows, of the rows of a partition. */
  public static final class RowCounter {
    private final PieceWatch watch = new PieceWatch();
    private int pieces;
    private long rows;

    /** Counts a row that has just been read. */
    public void add() {
      add(1);
    }

    void add(int more) {
      pieces += watch.hasMoved() ? 1 : 0;
      rows += more;
    }

    /**
     * Returns how many pieces have been read. Spark may read them in another order than files have.
     */
    int pieces() {
      return pieces;
    }

    /** Returns the place of the row that was read last. */
    public Place place() {
      return place(0);
    }

    /** Returns the place of a later row of the same piece, so many rows on. */
    Place place(int on) {
      watch.hasMoved();
      return new Place(watch.piece(), TaskContext.getPartitionId(), rows + on);
    }
  }

  /** Watches, in the task that reads rows, which piece of a file the last row came from. */
  public static final class PieceWatch {
    private @Nullable UTF8String file;
    private long start;
    private Piece piece = Piece.NONE;
    private Piece before = Piece.NONE;

    /** Looks up the row's piece, and returns whether it has changed. */
    @SuppressWarnings("ReferenceEquality") // asked for every row: Spark sets one object a piece
    public boolean hasMoved() {
      UTF8String nowFile = InputFileBlockHolder.getInputFilePath();
      if (nowFile == file) {
        return false;
      }
      long nowStart = InputFileBlockHolder.getStartOffset();
      if (nowStart == start && nowFile.equals(file)) {
        return false;
      }
      file = nowFile;
      start = nowStart;
      before = piece;
      piece = new Piece(nowFile.toString(), nowStart);
      return true;
    }

    /** Returns the piece that the row is from. */
    public Piece piece() {
      return piece;
    }

    /** Returns the piece that the rows before it were from. */
    public Piece before() {
      return before;
    }
  }
}
