package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.blocks.BlockPasses.Made;
import org.lampyris.dataprep.blocks.BlockPasses.Part;
import org.lampyris.dataprep.blocks.BlockPasses.Plan;
import org.lampyris.dataprep.blocks.BlockPasses.Sink;
import org.lampyris.dataprep.blocks.PrepareJob.Prepared;
import org.lampyris.dataprep.blocks.RowEncoder.EncodedRows;
import org.lampyris.dataprep.blocks.TableDescription.Scaled;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Layout;
import org.lampyris.executors.table.TaskRoom;

/**
 * Preparation of a Parquet table while it is read: rows become stored blocks in their order, and
 * are not kept in between.
 *
 * <p>A first job counts the rows of each piece of a file, and the classes and levels, from those
 * columns alone. The first rows determine a point near the columns' means and the smaller layout.
 * If all rows show that the other layout is smaller, they are read again. The table is that which
 * {@link PrepareJob} makes of rows that are kept, bit for bit.
 */
record OnePass(
    BlockPasses passes,
    DataSection data,
    Input input,
    InputColumns columns,
    FormulaTable formula,
    RowForm form) {
  /** Smallest number of first rows to read. */
  private static final int LOOKED_AT = 4096;

  /** In how many pieces they may lie. */
  private static final int MOST_PIECES = 8;

  /** Returns the table; empty if rows must be kept before they can be stored. */
  Optional<Prepared> prepare(Dataset<Row> shaped) throws IOException {
    if (columns.groupBy() != null
        || !columns.groups().isEmpty()
        || columns.missing() == Columns.Missing.DROP) {
      return Optional.empty();
    }
    Optional<InputPieces> pieces = InputPieces.of(columns.select(shaped));
    InputColumns levels = columns.levelsOnly();
    Optional<InputPieces> same =
        pieces.flatMap(of -> InputPieces.of(levels.select(shaped)).filter(of::areThoseOf));
    return same.isEmpty() ? Optional.empty() : prepare(pieces.get(), same.get(), levels);
  }

  private Optional<Prepared> prepare(InputPieces pieces, InputPieces ofLevels, InputColumns levels)
      throws IOException {
    passes.progress().accept("counting rows, classes and levels");
    List<RowCounts> parts = count(ofLevels, levels);
    long[] counts = parts.stream().flatMapToLong(part -> Arrays.stream(part.rows)).toArray();
    TableScan counted = TableScan.of(levels, parts.stream().map(part -> part.scan).toList());
    long rows = counted.rows();
    int wanted = (int) Math.min(rows, Math.max(LOOKED_AT, data.packing().blockRows()));
    int from = piecesOf(counts, wanted);
    if (rows == 0 || from == 0) {
      return Optional.empty();
    }
    EncodedRows first = first(pieces, from, wanted);
    TableScan seen = Objects.requireNonNull(first.scan);
    boolean complete = first.rows == seen.rows() && seen.leftOut() == 0;
    if (!complete || new Merging(data.packing().aggregate(), columns, seen).mayMerge(form)) {
      return Optional.empty();
    }
    Design design;
    try {
      design =
          TableDescription.design(
              data, input, columns, seen.withLevelsOf(columns, counted), formula.formula(), null);
    } catch (UserException e) {
      // What is wrong is told by all rows.
      return Optional.empty();
    }
    Layout layout = data.packing().layout(design, seen);
    PieceRows of = new PieceRows(this, pieces, counts, rows, design, first);
    TableSchema.Packing packing =
        of.packing(layout, TableDescription.blockRows(data, design, seen, layout));
    return passes.run(of, of.plan(packing).first(design.intercept()));
  }

  /** Counts the rows of each piece, and scans these columns, in one job. */
  private static List<RowCounts> count(InputPieces pieces, InputColumns columns) {
    JavaRDD<TableScan> scans =
        pieces.each(
            cells -> {
              TableScan scan = TableScan.begin(columns);
              cells.forEachRemaining(scan::add);
              return List.of(scan).iterator();
            });
    return PartitionJob.run(scans, new Count(columns));
  }

  private record Count(InputColumns columns) implements PartitionJob.Task<TableScan, RowCounts> {
    @Override
    public RowCounts run(int partition, Iterator<TableScan> pieces) {
      List<TableScan> all = new ArrayList<>();
      pieces.forEachRemaining(all::add);
      return new RowCounts(
          all.stream().mapToLong(TableScan::rows).toArray(), TableScan.of(columns, all));
    }
  }

  /**
   * Numbers of rows in the pieces of a partition, with a scan of some columns. A plain class, for
   * Kryo's sake.
   */
  static final class RowCounts implements Serializable {
    final long[] rows;
    final TableScan scan;

    private RowCounts(long[] rows, TableScan scan) {
      this.rows = rows;
      this.scan = scan;
    }
  }

  /** Returns the number of pieces that hold a number of first rows; 0 if they are too many. */
  private static int piecesOf(long[] rows, long wanted) {
    long seen = 0;
    int filled = 0;
    for (int k = 0; k < rows.length && filled <= MOST_PIECES; k++) {
      seen += rows[k];
      filled += rows[k] > 0 ? 1 : 0;
      if (seen >= wanted && filled <= MOST_PIECES) {
        return k + 1;
      }
    }
    return 0;
  }

  /** Reads a number of first rows in one task, after a place for their count. */
  private EncodedRows first(InputPieces pieces, int from, int wanted) {
    InputColumns of = columns;
    RowForm as = form;
    return pieces
        .inRuns(
            List.of(new InputPieces.Run(0, from)),
            (run, cells) -> {
              RowEncoder encoder = new RowEncoder(of, as, null, false);
              for (int n = 0; n < wanted && cells.hasNext(); n++) {
                encoder.add(cells.next());
              }
              return List.of(encoder.take(Piece.NONE, Integer.BYTES, true)).iterator();
            })
        .collect()
        .get(0);
  }

  /**
   * The rows of a table by the pieces of its files.
   *
   * @param counts how many rows each piece has
   * @param rows how many there are in all
   * @param design how rows become numbers, as far as classes and levels have to do with it
   * @param first the first rows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record PieceRows(
      OnePass job, InputPieces pieces, long[] counts, long rows, Design design, EncodedRows first)
      implements BlockPasses.Rows {
    TableSchema.Packing packing(Layout layout, int blockRows) {
      return new TableSchema.Packing(
          rows, blockRows, (rows - 1) / blockRows + 1, layout, job.data.packing().storage());
    }

    private RowRecoder recoder() {
      return new RowRecoder(design, job.form);
    }

    Plan plan(TableSchema.Packing packing) {
      BlockPacker packer = new BlockPacker(design, job.form, packing.layout(), packing.storage());
      int count = (int) Math.min(rows, packing.blockRows());
      byte[] block = first.bytes.clone();
      RowRecoder.Partition recoder = recoder().begin();
      recoder.learn(first);
      int end = recoder.recode(RowRecoder.little(block).putInt(0, count), Integer.BYTES, count);
      int classes = design.label().classes().size();
      return new Plan(
          packing, packer, new MomentSums(packer, Arrays.copyOf(block, end), false, classes));
    }

    @Override
    public String said(boolean again) {
      return again ? "once more: " : "one pass: ";
    }

    @Override
    public Long unread() {
      return rows;
    }

    @Override
    public Optional<Made> made(Plan plan, Sink seen) {
      BlockRanges ranges =
          BlockTable.ranges(
              plan.packing(),
              design.columns().size(),
              job.data.partitions(),
              TaskRoom.of(job.passes.spark().sparkContext()));
      return PieceBlocks.of(pieces, counts, ranges, plan.packing().blockRows())
          .map(of -> of.blocks(job.columns, job.form, recoder(), plan, seen))
          .map(of -> new Made(of.map(PackedBlock::of), PackedBlock.type(false, false, false), of));
    }

    /**
     * @throws UserException if the rows do not suit a regression
     */
    @Override
    public Optional<TableDescription> table(List<Part> parts) {
      TableScan scan = TableScan.of(job.columns, parts.stream().map(Part::scan).toList());
      RowOrder.requireSame(rows, scan.rows());
      TableDescription table =
          TableDescription.of(job.data, job.input, job.columns, scan, job.formula, null, null);
      Design found = table.design();
      return parts.stream().allMatch(Part::complete)
              && found.features().equals(design.features())
              && found.label().equals(design.label())
          ? Optional.of(table)
          : Optional.empty();
    }

    @Override
    public Plan plan(TableDescription table, Plan known) {
      Layout layout = job.data.packing().layout(table.design(), table.scan());
      TableSchema.Packing packing = packing(layout, table.blockRows(layout));
      return packing.equals(known.packing()) ? known : plan(packing);
    }

    @Override
    public TableSchema schema(TableDescription table, TableSchema.Packing packing, Scaled scaled) {
      BlockPasses passes = job.passes;
      return table.schema(
          packing, job.form, scaled, null, null, false, passes.request().seed(), passes.progress());
    }

    @Override
    public void write(String folder) {}
  }
}
