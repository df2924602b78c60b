package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.CollectionAccumulator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.dataprep.blocks.MomentSums.TableMoments;
import org.lampyris.dataprep.blocks.TableDescription.Scaled;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.RowsRead;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Layout;

/** The passes of {@link OnePass} that store rows: one, and one more if the first rows misled. */
final class StoringPasses {
  private static final int MOST = 2;

  private final OnePass job;
  private final InputPieces pieces;
  private final long[] counts;
  private final long rows;
  private final Design design;
  private final FirstRows first;
  private final RowRecoder recoder;

  /**
   * Begins.
   *
   * @param counts how many rows each piece has
   * @param design how rows become numbers, as far as classes and levels have to do with it
   */
  StoringPasses(OnePass job, InputPieces pieces, long[] counts, Design design, FirstRows first) {
    this.job = job;
    this.pieces = pieces;
    this.counts = counts;
    this.design = design;
    this.first = first;
    rows = Arrays.stream(counts).sum();
    recoder = new RowRecoder(design, job.form());
  }

  /** How rows are stored, and what their moments are taken by. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Plan(TableSchema.Packing packing, MomentSums moments, double[] center) {}

  /** What all rows tell of the table; a better plan if the one they are stored by is not right. */
  private record Told(TableDescription table, Scaled scaled, @Nullable Plan better) {}

  /** Stores the rows; empty if they have to be kept first. */
  Optional<Prepared> run(Layout layout, int blockRows) throws IOException {
    TableSchema.Packing packing = packing(layout, blockRows);
    MomentSums moments = moments(packing);
    boolean centred = design.intercept() && layout == Layout.DENSE;
    double[] zero = new double[design.columns().size()];
    Plan plan = new Plan(packing, moments, centred ? moments.shift() : zero);
    for (int pass = 0; pass < MOST; pass++) {
      BlockRanges ranges =
          BlockTable.ranges(
              plan.packing,
              zero.length,
              job.data().partitions(),
              job.spark().sparkContext().defaultParallelism());
      Optional<PieceBlocks> spread =
          PieceBlocks.of(pieces, counts, ranges, plan.packing.blockRows());
      if (spread.isEmpty()) {
        break;
      }
      job.progress().accept((pass == 0 ? "one pass: " : "once more: ") + whatIsMade());
      try (Storing storing = new Storing(plan, spread.get())) {
        Optional<Told> told = storing.told(ranges.numPartitions());
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

  private String whatIsMade() {
    return job.blocks().areStored() ? "writing " + job.request().output() : "blocks in memory";
  }

  private TableSchema.Packing packing(Layout layout, int blockRows) {
    return new TableSchema.Packing(
        rows, blockRows, (rows - 1) / blockRows + 1, layout, job.data().packing().storage());
  }

  private BlockPacker packer(TableSchema.Packing packing) {
    return new BlockPacker(design, job.form(), packing.layout(), packing.storage());
  }

  private MomentSums moments(TableSchema.Packing packing) {
    byte[] block = first.block(recoder, (int) Math.min(rows, packing.blockRows()));
    return new MomentSums(packer(packing), block, false, design.label().classes().size());
  }

  /**
   * Returns what all rows tell; empty if they cannot be stored as they come.
   *
   * @param parts what was seen while blocks were made
   * @throws UserException if the rows cannot be those of a regression
   */
  private Optional<Told> told(Plan plan, List<MadeBlocks.Part> parts) {
    TableScan scan =
        TableScan.of(job.columns(), parts.stream().map(MadeBlocks.Part::scan).toList());
    RowOrder.requireSame(rows, scan.rows());
    TableDescription table =
        TableDescription.of(
            job.data(), job.input(), job.columns(), scan, job.formula(), null, null);
    Design found = table.design();
    if (!parts.stream().allMatch(MadeBlocks.Part::complete)
        || !found.features().equals(design.features())
        || !found.label().equals(design.label())) {
      return Optional.empty();
    }
    Layout layout = job.data().packing().layout(found, scan);
    TableSchema.Packing packing = packing(layout, table.blockRows(layout));
    MomentSums right = packing.equals(plan.packing) ? plan.moments : moments(packing);
    List<TreeSum.Node> sums = parts.stream().flatMap(part -> part.sums().stream()).toList();
    TableMoments moments =
        plan.moments
            .moments(rows, TreeSum.total(sums, plan.moments.length()))
            .beside(right.shift());
    Scaled scaled = table.scaled(moments, layout);
    double[] center = scaled.columns().stream().mapToDouble(Column::center).toArray();
    boolean isRight = packing.equals(plan.packing) && Arrays.equals(center, plan.center);
    return Optional.of(new Told(table, scaled, isRight ? null : new Plan(packing, right, center)));
  }

  /** A pass; what it has written is gone unless it is finished. */
  private final class Storing implements AutoCloseable {
    private final AtomicFolder folder;
    private final JavaRDD<DataBlock> blocks;
    private final CollectionAccumulator<MadeBlocks.Part> seen = new CollectionAccumulator<>();
    private final RowsRead reading;
    private final Plan plan;
    private long hash;
    private boolean finished;

    Storing(Plan plan, PieceBlocks spread) {
      this.plan = plan;
      SparkContext context = job.spark().sparkContext();
      context.register(seen);
      reading = new RowsRead(context, rows, job.progress());
      blocks =
          spread.blocks(
              job.columns(),
              job.form(),
              recoder,
              packer(plan.packing).about(plan.center),
              plan.moments,
              seen,
              reading.counter());
      folder =
          AtomicFolder.create(
              job.request().output(),
              job.request().overwrite(),
              TableSchema.FILE,
              context.hadoopConfiguration());
    }

    /** Reads and writes the rows, and returns what they tell. */
    Optional<Told> told(int partitions) {
      if (job.blocks().areKept()) {
        blocks.persist(StorageLevel.MEMORY_AND_DISK());
        if (blocks.context().isLocal()) {
          // Jobs on the blocks need not carry how the input is read, as no executor can be lost.
          blocks.rdd().localCheckpoint();
        }
      }
      List<MadeBlocks.Part> parts =
          reading.during(
              () -> {
                JavaRDD<PackedBlock> packed = blocks.map(PackedBlock::of);
                if (job.blocks().areStored()) {
                  BlockTable.writeBlocks(job.spark(), packed, folder.path());
                } else {
                  hash = BlockTable.hash(packed);
                }
                return seen.value().stream()
                    .sorted(Comparator.comparingLong(MadeBlocks.Part::first))
                    .toList();
              });
      // A task that is run again after its blocks were kept does not see their rows.
      return parts.size() == partitions ? StoringPasses.this.told(plan, parts) : Optional.empty();
    }

    Prepared finish(Told told) throws IOException {
      told.table.sayWhatIsNotSought(job.progress());
      TableSchema schema =
          told.table.schema(
              plan.packing,
              job.form(),
              told.scaled,
              null,
              null,
              job.request().seed(),
              job.progress());
      TableSchema complete =
          job.blocks().areStored()
              ? BlockTable.complete(job.spark(), schema, folder.path())
              : BlockTable.complete(job.spark(), schema, hash, folder.path());
      folder.commit();
      finished = true;
      return new Prepared(complete, job.blocks().areKept() ? blocks : null);
    }

    @Override
    public void close() {
      folder.close();
      if (!finished) {
        blocks.unpersist(false);
      }
    }
  }
}
