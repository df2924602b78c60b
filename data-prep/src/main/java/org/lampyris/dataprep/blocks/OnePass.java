package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
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
 * <p>A first job counts the rows of each piece of a file. The first rows determine a point near the
 * columns' means and the smaller layout. Levels, and classes that the first rows may lack, are
 * counted from their columns alone. If all rows show that the other layout is smaller, they are
 * read again. The table is that which {@link PrepareJob} makes of rows that are kept, bit for bit.
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
    // Without a column, Parquet counts rows from the ends of its files.
    Optional<InputPieces> same = same(pieces, shaped.select());
    return same.isEmpty() ? Optional.empty() : prepare(shaped, pieces.get(), same.get());
  }

  /** Returns the pieces of other columns of the same table; empty if they are others. */
  private static Optional<InputPieces> same(Optional<InputPieces> pieces, Dataset<Row> table) {
    return pieces.flatMap(of -> InputPieces.of(table).filter(of::areThoseOf));
  }

  private Optional<Prepared> prepare(Dataset<Row> shaped, InputPieces pieces, InputPieces ofRows)
      throws IOException {
    passes.progress().accept("counting rows");
    long[] counts = ofRows.counts();
    long rows = Arrays.stream(counts).sum();
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
    InputColumns levels = columns.levelsOnly();
    LabelKind label = columns.labelKind();
    boolean known =
        levels.features().isEmpty()
            && (!label.isClass() || (label == LabelKind.BINARY && seen.classes().size() == 2));
    TableScan coded = seen;
    if (!known) {
      Optional<InputPieces> ofLevels = same(Optional.of(pieces), levels.select(shaped));
      if (ofLevels.isEmpty()) {
        return Optional.empty();
      }
      coded = seen.withLevelsOf(columns, scan(ofLevels.get(), levels));
    }
    Design design;
    try {
      design = TableDescription.design(data, input, columns, coded, formula.formula(), null);
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

  /** Scans the columns with classes and levels, in one job. */
  private TableScan scan(InputPieces pieces, InputColumns levels) {
    passes.progress().accept("counting classes and levels");
    return TableScan.of(levels, PartitionJob.run(pieces.scans(levels), new Together(levels)));
  }

  private record Together(InputColumns columns) implements PartitionJob.Task<TableScan, TableScan> {
    @Override
    public TableScan run(int partition, Iterator<TableScan> pieces) {
      List<TableScan> all = new ArrayList<>();
      pieces.forEachRemaining(all::add);
      return TableScan.of(columns, all);
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
              RowEncoder encoder = new RowEncoder(of, as, null);
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
