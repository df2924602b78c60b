package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.PartitionCoalescer;
import org.apache.spark.rdd.PartitionGroup;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Option;
import scala.reflect.OptManifest;

/**
 * Rows of a Parquet table by pieces of its files. Each piece can be read by itself, in the order of
 * the input: files by name, rows as they come.
 */
public final class InputPieces {
  /** Plan nodes that give a piece the same rows for any selection of columns. */
  private static final Set<String> PLAIN =
      Set.of("Project", "Filter", "SubqueryAlias", "LogicalRelation");

  /** Spark setting: size added to each file when several share a partition. */
  private static final String OPEN_COST = "spark.sql.files.openCostInBytes";

  /** Value so large that no two pieces share a partition. */
  private static final long ALONE = 1L << 40;

  /** Bytes of small files that a task reads, as in Spark. */
  private static final long TASK_BYTES = 128L << 20;

  private static final long FILE_BYTES = 4L << 20;

  private final StructType type;
  private final JavaRDD<InternalRow> rows;
  private final @Nullable Batches batches;
  private final List<Place> places;

  /** A piece, and which partition of the RDD reads it. */
  private record Place(Piece piece, int partition, long bytes) {}

  /** Consecutive pieces, {@code from … to − 1}, that a task reads one after the other. */
  public record Run(int from, int to) {}

  /**
   * The rows by batches of columns.
   *
   * @param at where a batch has the columns of the rows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Batches(JavaRDD<ColumnarBatch> read, int[] at) {
    /**
     * Returns the batches that Spark reads for a plan; null if it does more than choose columns.
     */
    static @Nullable Batches of(SparkPlan whole) {
      SparkPlan plan = whole;
      List<ExprId> wanted =
          ScalaCollections.asJava(plan.output()).stream().map(Attribute::exprId).toList();
      while (!(plan instanceof FileSourceScanExec)) {
        if (plan instanceof ProjectExec chosen) {
          Map<ExprId, ExprId> of = new HashMap<>();
          for (NamedExpression one : ScalaCollections.asJava(chosen.projectList())) {
            Expression from = one instanceof Alias alias ? alias.child() : (Expression) one;
            if (!(from instanceof AttributeReference column)) {
              return null;
            }
            of.put(one.exprId(), column.exprId());
          }
          wanted = wanted.stream().map(of::get).toList();
        } else if (!(plan instanceof WholeStageCodegenExec
            || plan instanceof InputAdapter
            || plan instanceof ColumnarToRowExec)) {
          return null;
        }
        plan = plan.children().head();
      }
      List<ExprId> read =
          ScalaCollections.asJava(plan.output()).stream().map(Attribute::exprId).toList();
      return plan.supportsColumnar()
          ? new Batches(
              plan.executeColumnar().toJavaRDD(), wanted.stream().mapToInt(read::indexOf).toArray())
          : null;
    }
  }

  private InputPieces(
      StructType type, JavaRDD<InternalRow> rows, @Nullable Batches batches, List<Place> places) {
    this.type = type;
    this.rows = rows;
    this.batches = batches;
    this.places = places;
  }

  /**
   * Returns the pieces of a table; empty if it is not in Parquet, or its rows are not exactly those
   * of its files, in order.
   *
   * @param selected the table, not planned yet
   */
  public static Optional<InputPieces> of(Dataset<Row> selected) {
    LogicalPlan plan = selected.queryExecution().optimizedPlan();
    if (!plan.deterministic() || !isPlain(plan)) {
      return Optional.empty();
    }
    SparkSession session = selected.sparkSession();
    Option<String> before = session.conf().getOption(OPEN_COST);
    session.conf().set(OPEN_COST, ALONE);
    try {
      JavaRDD<InternalRow> rows =
          SelectedRows.planned(selected, planned -> planned.toRdd().toJavaRDD());
      List<Place> places = new ArrayList<>();
      for (Partition partition : rows.partitions()) {
        if (!(partition instanceof FilePartition files) || files.files().length != 1) {
          return Optional.empty();
        }
        PartitionedFile file = files.files()[0];
        Piece piece = new Piece(file.urlEncodedPath(), file.start());
        places.add(new Place(piece, partition.index(), file.length()));
      }
      places.sort(Comparator.comparing(Place::piece));
      return places.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new InputPieces(
                  selected.schema(),
                  rows,
                  SelectedRows.planned(selected, planned -> Batches.of(planned.executedPlan())),
                  places));
    } finally {
      if (before.isDefined()) {
        session.conf().set(OPEN_COST, before.get());
      } else {
        session.conf().unset(OPEN_COST);
      }
    }
  }

  private static boolean isPlain(LogicalPlan plan) {
    boolean parquet =
        !(plan instanceof LogicalRelation of)
            || (of.relation() instanceof HadoopFsRelation files
                && files.fileFormat() instanceof ParquetFileFormat);
    return parquet
        && PLAIN.contains(plan.getClass().getSimpleName())
        && ScalaCollections.asJava(plan.children()).stream().allMatch(InputPieces::isPlain);
  }

  /** Returns whether these are the same pieces, for any selection of columns. */
  public boolean areThoseOf(InputPieces other) {
    return places.equals(other.places);
  }

  /**
   * Returns the scan of each piece, in order.
   *
   * @param columns of these rows
   */
  public JavaRDD<TableScan> scans(InputColumns columns) {
    StructType of = type;
    if (batches != null && haveBatches(columns)) {
      int[] at = batches.at;
      return each(
          batches.read.mapPartitions(
              partition -> {
                BatchCells cells = new BatchCells(partition, columns, of, at);
                cells.scan(Long.MAX_VALUE);
                return List.of(cells.scan()).iterator();
              }));
    }
    return each(
        rows.mapPartitions(
            partition -> {
              TableScan scan = TableScan.begin(columns);
              new RowCells(of).over(partition).forEachRemaining(scan::add);
              return List.of(scan).iterator();
            }));
  }

  /** Returns how many rows each piece has, in one job. */
  public long[] counts() {
    JavaRDD<Long> counts =
        batches == null
            ? rows.mapPartitions(partition -> count(partition, row -> 1))
            : batches.read.mapPartitions(partition -> count(partition, ColumnarBatch::numRows));
    return each(counts).collect().stream().mapToLong(Long::longValue).toArray();
  }

  private static <T> Iterator<Long> count(Iterator<T> parts, ToLongFunction<T> rows) {
    long count = 0;
    while (parts.hasNext()) {
      count += rows.applyAsLong(parts.next());
    }
    return List.of(count).iterator();
  }

  private <R> JavaRDD<R> each(JavaRDD<R> pieces) {
    List<Run> runs = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int k = 0; k < places.size(); k++) {
      long more = places.get(k).bytes + FILE_BYTES;
      if (bytes + more > TASK_BYTES && k > from) {
        runs.add(new Run(from, k));
        from = k;
        bytes = 0;
      }
      bytes += more;
    }
    runs.add(new Run(from, places.size()));
    return together(pieces, runs);
  }

  /**
   * Returns the results for runs of pieces, each the rows of a partition. A piece may be in several
   * runs; no more of it is read than asked for.
   *
   * @param use is given every row in turn, the same object
   */
  public <R> JavaRDD<R> inRuns(List<Run> runs, RunUse<Iterator<RowCells>, R> use) {
    StructType of = type;
    return together(rows, runs)
        .mapPartitionsWithIndex(
            (run, partition) -> use.of(run, new RowCells(of).over(partition)), false);
  }

  /** Returns whether a table can be read {@link #inRunsOfBatches}. */
  public boolean haveBatches(InputColumns columns) {
    return batches != null && BatchCells.suits(columns, type);
  }

  /** Returns the results for runs of pieces as {@link #inRuns}, by column. */
  public <R> JavaRDD<R> inRunsOfBatches(
      List<Run> runs, InputColumns columns, RunUse<BatchCells, R> use) {
    StructType of = type;
    Batches all = Objects.requireNonNull(batches);
    int[] at = all.at;
    return together(all.read, runs)
        .mapPartitionsWithIndex(
            (run, partition) -> use.of(run, new BatchCells(partition, columns, of, at)), false);
  }

  /** Function of the rows of a run, in order. */
  public interface RunUse<C, R> extends Serializable {
    /**
     * Starts a run, by its number.
     *
     * @param cells of its rows
     */
    Iterator<R> of(int run, C cells);
  }

  private <R> JavaRDD<R> together(JavaRDD<R> pieces, List<Run> runs) {
    List<int[]> partitions =
        runs.stream()
            .map(
                run ->
                    IntStream.range(run.from, run.to).map(k -> places.get(k).partition).toArray())
            .toList();
    RDD<R> joined =
        pieces
            .rdd()
            .coalesce(
                runs.size(), false, Option.apply(new PieceRuns(List.copyOf(partitions))), null);
    return joined.toJavaRDD();
  }

  /**
   * Coalescer by which each task reads given partitions in a given order, located where most of
   * them are. A partition may be given to several.
   */
  // Spark asks for Scala's Serializable, which is not Java's with Scala 2.12. OptManifest, empty,
  // extends it.
  private static final class PieceRuns implements PartitionCoalescer, OptManifest<Object> {
    private final List<int[]> runs;

    PieceRuns(List<int[]> runs) {
      this.runs = runs;
    }

    @Override
    public PartitionGroup[] coalesce(int most, RDD<?> parent) {
      Partition[] all = parent.partitions();
      return runs.stream().map(run -> group(run, all, parent)).toArray(PartitionGroup[]::new);
    }

    private static PartitionGroup group(int[] run, Partition[] all, RDD<?> parent) {
      Map<String, Long> hosts =
          Arrays.stream(run)
              .boxed()
              .flatMap(
                  k ->
                      ScalaCollections.asJava(parent.preferredLocations(all[k])).stream()
                          .distinct())
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      Option<String> most =
          Option.apply(
              hosts.entrySet().stream()
                  .max(
                      Map.Entry.<String, Long>comparingByValue()
                          .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                  .map(Map.Entry::getKey)
                  .orElse(null));
      PartitionGroup group = new PartitionGroup(most);
      Arrays.stream(run).forEach(k -> group.partitions().$plus$eq(all[k]));
      return group;
    }
  }
}
