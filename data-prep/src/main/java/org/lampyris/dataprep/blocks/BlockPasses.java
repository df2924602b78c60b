package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.dataprep.blocks.MomentSums.TableMoments;
import org.lampyris.dataprep.blocks.PrepareJob.Prepared;
import org.lampyris.dataprep.blocks.TableDescription.Scaled;
import org.lampyris.dataprep.read.RowsRead;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import scala.Tuple2;

/**
 * Passes that make a table's blocks: each packs the rows about a point near the columns' means,
 * sums their moments, and stores the blocks. There is one pass, and a second one if all rows show
 * that another packing is better.
 *
 * @param blocks where the blocks are to be
 */
record BlockPasses(
    SparkSession spark,
    PrepareJob.Request request,
    PrepareJob.Blocks blocks,
    Consumer<String> progress) {
  private static final int MOST = 2;

  /**
   * Plan of packing.
   *
   * @param packer packs them, about a point
   * @param moments the moments' sums; null if an earlier table's moments are used
   */
  record Plan(TableSchema.Packing packing, BlockPacker packer, @Nullable MomentSums moments) {
    /** Returns the same plan with rows packed about another point. */
    Plan about(double[] point) {
      return new Plan(packing, packer.about(point), moments);
    }

    /** Returns the first plan: about a point near the means, if centred. */
    Plan first(boolean intercept) {
      boolean centred = intercept && packing.layout() == TableSchema.Layout.DENSE;
      return moments == null || !centred ? this : about(moments.shift());
    }
  }

  /** Encoded rows that become blocks. */
  interface Rows {
    /** Returns the progress text of a pass. */
    String said(boolean again);

    /** Returns how many rows a pass reads from the input; null if none. */
    @Nullable Long unread();

    /** Returns the blocks; empty if the rows cannot become blocks in their order. */
    Optional<Made> made(Plan plan, Sink seen);

    /**
     * Returns the description of the table after a pass; empty if its rows must be kept first.
     *
     * @param parts what the pass has seen, in the order of the partitions
     */
    Optional<TableDescription> table(List<Part> parts);

    /** Returns the best plan, given a description of the table. */
    Plan plan(TableDescription table, Plan known);

    /** Returns the schema of the table. */
    TableSchema schema(TableDescription table, TableSchema.Packing packing, Scaled scaled);

    /** Writes the table's other files. */
    void write(String folder);
  }

  /**
   * Blocks made by a plan, again in each job.
   *
   * @param packed the blocks as they are stored
   * @param type the columns that are stored of a block
   * @param blocks the same blocks to calculate with, which may be kept; null for none
   */
  record Made(JavaRDD<PackedBlock> packed, MessageType type, @Nullable JavaRDD<DataBlock> blocks) {}

  /**
   * Facts seen while the blocks of a partition were made.
   *
   * @param sums their moments
   * @param scan what their rows hold; null where that is known before
   * @param complete whether all blocks were made
   */
  record Part(int partition, List<TreeSum.Node> sums, @Nullable TableScan scan, boolean complete)
      implements Serializable {}

  /**
   * Accumulators to which tasks report.
   *
   * @param read is added the rows to, as they are read
   */
  record Sink(CollectionAccumulator<Part> parts, LongAccumulator read) implements Serializable {}

  /** Packs encoded blocks as they arrive, and sums their moments. */
  static final class Making implements Iterator<DataBlock> {
    private final Iterator<Tuple2<Long, byte[]>> encoded;
    private final BlockSum.Spread spread;
    private final int partition;
    private final BlockPacker packer;
    private final @Nullable MomentSums moments;
    private final List<TreeSum.Node> sums = new ArrayList<>();
    private BlockSum.Run run = new BlockSum.Run(0, 0);
    private TreeSum sum = new TreeSum(0, 0);
    private byte[] last = {};
    private Supplier<@Nullable ColumnRows> columns = () -> null;
    private @Nullable Consumer<List<TreeSum.Node>> end;

    /**
     * Starts a partition.
     *
     * @param spread how blocks are spread
     */
    Making(
        Iterator<Tuple2<Long, byte[]>> encoded,
        BlockSum.Spread spread,
        int partition,
        BlockPacker packer,
        @Nullable MomentSums moments) {
      this.encoded = encoded;
      this.spread = spread;
      this.partition = partition;
      this.packer = packer;
      this.moments = moments;
    }

    /** Passes the moments of all blocks to a receiver, once, after the last block. */
    Making ending(Consumer<List<TreeSum.Node>> told) {
      end = told;
      return this;
    }

    /** Takes rows that are not encoded from a supplier, as each block comes. */
    Making byColumn(Supplier<@Nullable ColumnRows> of) {
      columns = of;
      return this;
    }

    @Override
    public boolean hasNext() {
      boolean more = encoded.hasNext();
      if (!more && end != null) {
        sums.addAll(sum.nodes());
        end.accept(sums);
        end = null;
      }
      return more;
    }

    @Override
    public DataBlock next() {
      Tuple2<Long, byte[]> next = encoded.next();
      long id = next._1();
      last = next._2();
      ColumnRows rows = columns.get();
      DataBlock block = packer.block(id, last, rows);
      if (moments != null) {
        if (id < run.from() || id >= run.to()) {
          sums.addAll(sum.nodes());
          run = spread.run(partition, id);
          sum = new TreeSum(run.from(), run.to());
        }
        double[] out = new double[moments.length()];
        moments.add(last, rows, block, packer, out);
        sum.add(id, out);
      }
      return packer.stored(block);
    }

    /**
     * Returns the last block in stored form, with its groups; with numbers for columns if wished.
     */
    PackedBlock packed(DataBlock block, boolean numbered) {
      return packer.packed(block, last, numbered);
    }
  }

  /** Result of a pass over all rows; with a better plan if the present one is not right. */
  private record Told(TableDescription table, Scaled scaled, @Nullable Plan better) {}

  /**
   * Makes the blocks.
   *
   * @return empty if the rows have to be kept first
   */
  Optional<Prepared> run(Rows rows, Plan first) throws IOException {
    Plan plan = first;
    for (int pass = 0; pass < MOST; pass++) {
      try (Storing storing = new Storing(rows, plan)) {
        Optional<Told> told = storing.told(pass > 0);
        if (told.isEmpty()) {
          break;
        }
        if (told.get().better == null) {
          return Optional.of(storing.finish(told.get()));
        }
        plan = told.get().better;
      }
    }
    return Optional.empty();
  }

  private static Told told(Rows rows, Plan plan, TableDescription table, List<Part> parts) {
    if (plan.moments == null) {
      return new Told(table, table.scaledLike(), null);
    }
    Plan right = rows.plan(table, plan);
    List<TreeSum.Node> sums = parts.stream().flatMap(part -> part.sums.stream()).toList();
    TableMoments moments =
        plan.moments
            .moments(table.scan().rows(), TreeSum.total(sums, plan.moments.length()))
            .beside(Objects.requireNonNull(right.moments).shift());
    Scaled scaled = table.scaled(moments, right.packing.layout());
    double[] center = scaled.columns().stream().mapToDouble(Column::center).toArray();
    boolean isRight = right.packing.equals(plan.packing) && plan.packer.isAbout(center);
    return new Told(table, scaled, isRight ? null : right.about(center));
  }

  /** A pass; its output is removed unless it finishes. */
  private final class Storing implements AutoCloseable {
    private final Rows rows;
    private final Plan plan;
    private final AtomicFolder folder;
    private final CollectionAccumulator<Part> seen = new CollectionAccumulator<>();
    private @Nullable JavaRDD<DataBlock> kept;
    private long hash;
    private boolean finished;

    Storing(Rows rows, Plan plan) {
      this.rows = rows;
      this.plan = plan;
      SparkContext context = spark.sparkContext();
      context.register(seen);
      folder =
          AtomicFolder.create(
              request.output(),
              request.overwrite(),
              TableSchema.FILE,
              context.hadoopConfiguration());
    }

    /** Makes the blocks, and returns the result; empty if rows must be kept first. */
    Optional<Told> told(boolean again) {
      RowsRead reading = new RowsRead(spark.sparkContext(), rows.unread(), progress);
      Optional<Made> found = rows.made(plan, new Sink(seen, reading.counter()));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Made made = found.get();
      progress.accept(
          rows.said(again)
              + (blocks.areStored() ? "writing " + request.output() : "blocks in memory"));
      if (blocks.areKept() && made.blocks != null) {
        kept = made.blocks.persist(StorageLevel.MEMORY_AND_DISK());
        if (kept.context().isLocal()) {
          // Jobs on the blocks need not carry how the input is read, as no executor can be lost.
          kept.rdd().localCheckpoint();
        }
      }
      List<Part> parts =
          reading.during(
              () -> {
                if (blocks.areStored()) {
                  BlockTable.writeBlocks(spark, made.packed, made.type, folder.path());
                } else {
                  hash = BlockTable.hash(made.packed);
                }
                return seen.value().stream()
                    .sorted(Comparator.comparingInt(Part::partition))
                    .toList();
              });
      // A task that is run again after its blocks were kept does not see their rows.
      return parts.size() == made.packed.getNumPartitions()
          ? rows.table(parts).map(table -> BlockPasses.told(rows, plan, table, parts))
          : Optional.empty();
    }

    Prepared finish(Told told) throws IOException {
      if (plan.moments != null) {
        told.table.sayWhatIsNotSought(progress);
      }
      TableSchema schema = rows.schema(told.table, plan.packing, told.scaled);
      TableSchema complete =
          blocks.areStored()
              ? BlockTable.complete(spark, schema, folder.path())
              : BlockTable.complete(spark, schema, hash, folder.path());
      rows.write(folder.path());
      folder.commit();
      finished = true;
      return new Prepared(complete, kept);
    }

    @Override
    public void close() {
      folder.close();
      if (!finished && kept != null) {
        kept.unpersist(false);
      }
    }
  }
}
