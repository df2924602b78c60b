package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.BlockPasses.Making;
import org.lampyris.dataprep.blocks.BlockPasses.Part;
import org.lampyris.dataprep.blocks.BlockPasses.Sink;
import org.lampyris.dataprep.blocks.RowEncoder.EncodedRows;
import org.lampyris.dataprep.read.BatchCells;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.executors.jobs.BlockRanges;
import scala.Tuple2;

/**
 * Blocks of a table in the order of the input, if its pieces have known numbers of rows: each
 * partition is a run of blocks, and its task reads their rows. Two tasks that share a piece both
 * read it from its beginning.
 */
final class PieceBlocks {
  /** Largest number of rows read for each one stored. */
  private static final double MOST_READ = 1.5;

  private final InputPieces pieces;
  private final List<InputPieces.Run> runs;
  private final List<Range> ranges;
  private final BlockRanges spread;

  private PieceBlocks(
      InputPieces pieces, List<InputPieces.Run> runs, List<Range> ranges, BlockRanges spread) {
    this.spread = spread;
    this.pieces = pieces;
    this.runs = runs;
    this.ranges = ranges;
  }

  /**
   * Plans which task reads which piece.
   *
   * @param counts how many rows each piece has
   * @param spread how blocks are spread
   * @param blockRows how many rows each has, the last one excepted
   * @return empty if many rows would be read in vain
   */
  static Optional<PieceBlocks> of(
      InputPieces pieces, long[] counts, BlockRanges spread, int blockRows) {
    long[] first = new long[counts.length + 1];
    for (int k = 0; k < counts.length; k++) {
      first[k + 1] = first[k] + counts[k];
    }
    long rows = first[counts.length];
    List<InputPieces.Run> runs = new ArrayList<>();
    List<Range> ranges = new ArrayList<>();
    long read = 0;
    int piece = 0;
    for (int p = 0; p < spread.numPartitions(); p++) {
      long from = spread.from(p) * blockRows;
      long to = Math.min(rows, spread.to(p) * blockRows);
      while (first[piece + 1] <= from) {
        piece++;
      }
      int end = piece + 1;
      while (first[end] < to) {
        end++;
      }
      runs.add(new InputPieces.Run(piece, end));
      ranges.add(new Range(from - first[piece], spread.from(p), to - from, blockRows));
      read += to - first[piece];
    }
    return read > MOST_READ * rows
        ? Optional.empty()
        : Optional.of(new PieceBlocks(pieces, runs, ranges, spread));
  }

  /**
   * Returns the blocks packed by a plan, read from the input again in each job: by column, if Spark
   * reads it so.
   */
  JavaRDD<DataBlock> blocks(
      InputColumns columns, RowForm form, RowRecoder recoder, BlockPasses.Plan plan, Sink seen) {
    List<Range> of = List.copyOf(ranges);
    BlockPacker packer = plan.packer();
    MomentSums moments = plan.moments();
    BlockRanges all = spread;
    // The numbers of a block are all in memory, those that are 0 too.
    if (packer.slots() <= MomentSums.CROSS_COLUMNS && pieces.haveBatches(columns)) {
      return pieces.inRunsOfBatches(
          runs,
          columns,
          (run, cells) -> {
            ColumnBlocks made =
                new ColumnBlocks(
                    cells,
                    of.get(run),
                    new ColumnRows.Reader(cells, columns, form, recoder.begin()),
                    seen.read());
            return new Making(made, all, run, packer, moments)
                .byColumn(() -> made.rows)
                .ending(
                    sums -> seen.parts().add(new Part(run, sums, cells.scan(), made.isComplete())));
          });
    }
    return pieces.inRuns(
        runs,
        (run, cells) -> {
          RowEncoder encoder = new RowEncoder(columns, form, null);
          EncodedBlocks made =
              new EncodedBlocks(cells, of.get(run), encoder, recoder.begin(), seen.read());
          return new Making(made, all, run, packer, moments)
              .ending(
                  sums -> seen.parts().add(new Part(run, sums, encoder.scan, made.isComplete())));
        });
  }

  /**
   * Range of blocks.
   *
   * @param skipped how many rows come before the first block's
   * @param first the first block
   * @param rows how many rows there are in the blocks
   * @param blockRows how many a block has
   */
  private record Range(long skipped, long first, long rows, int blockRows)
      implements Serializable {}

  /**
   * Makes blocks from rows as they are read. From a row on that cannot be used no block is made,
   * and rows are scanned alone.
   */
  private abstract static class ReadBlocks implements Iterator<Tuple2<Long, byte[]>> {
    private final Range range;
    private final LongAccumulator read;
    private boolean usable = true;
    private long taken;
    private long block;
    private byte @Nullable [] next;

    ReadBlocks(Range range, LongAccumulator read) {
      this.range = range;
      this.read = read;
      block = range.first - 1;
    }

    /** Skips the rows before the first block's. */
    abstract void skip(long rows);

    /** Returns the rows of the next block; null if there are fewer, or one is unusable. */
    abstract byte @Nullable [] take(int rows);

    /** Scans the rows that are left, at most so many. */
    abstract void scan(long rows);

    @Override
    public final boolean hasNext() {
      if (next == null && usable && taken < range.rows) {
        next = make();
      }
      return next != null;
    }

    @Override
    public final Tuple2<Long, byte[]> next() {
      byte[] bytes = hasNext() ? next : null;
      if (bytes == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return new Tuple2<>(++block, bytes);
    }

    /** Returns whether all rows were present and usable, once there is no next block. */
    final boolean isComplete() {
      return usable;
    }

    private byte @Nullable [] make() {
      if (taken == 0) {
        skip(range.skipped);
      }
      int wanted = (int) Math.min(range.blockRows, range.rows - taken);
      taken += wanted;
      byte[] rows = take(wanted);
      usable = rows != null;
      if (usable) {
        read.add(wanted);
      } else {
        scan(range.rows - taken);
      }
      return rows;
    }
  }

  /** Makes encoded blocks: the number of rows, and their recoded bytes. */
  private static final class EncodedBlocks extends ReadBlocks {
    private final Iterator<RowCells> cells;
    private final RowEncoder encoder;
    private final RowRecoder.Partition recoder;

    EncodedBlocks(
        Iterator<RowCells> cells,
        Range range,
        RowEncoder encoder,
        RowRecoder.Partition recoder,
        LongAccumulator read) {
      super(range, read);
      this.cells = cells;
      this.encoder = encoder;
      this.recoder = recoder;
    }

    @Override
    void skip(long rows) {
      for (long n = 0; n < rows && cells.hasNext(); n++) {
        cells.next();
      }
    }

    @Override
    byte @Nullable [] take(int count) {
      boolean usable = true;
      for (int n = 0; n < count && cells.hasNext(); n++) {
        usable &= encoder.add(cells.next());
      }
      EncodedRows rows = encoder.take(Piece.NONE, Integer.BYTES, false);
      if (!usable || rows.rows < count) {
        return null;
      }
      recoder.learn(rows);
      recoder.recode(RowRecoder.little(rows.bytes).putInt(0, count), Integer.BYTES, count);
      return rows.bytes;
    }

    @Override
    void scan(long rows) {
      for (long n = 0; n < rows && cells.hasNext(); n++) {
        encoder.scan.add(cells.next());
      }
    }
  }

  /** Makes blocks by column: their rows are beside the bytes, which are none. */
  private static final class ColumnBlocks extends ReadBlocks {
    private static final byte[] NONE = {};

    private final BatchCells cells;
    private final ColumnRows.Reader reader;

    /** The rows of the last block. */
    private @Nullable ColumnRows rows;

    ColumnBlocks(BatchCells cells, Range range, ColumnRows.Reader reader, LongAccumulator read) {
      super(range, read);
      this.cells = cells;
      this.reader = reader;
    }

    @Override
    void skip(long rows) {
      cells.skip(rows);
    }

    @Override
    byte @Nullable [] take(int count) {
      boolean usable = cells.copy(count);
      rows = usable ? reader.rows(count) : null;
      return usable ? NONE : null;
    }

    @Override
    void scan(long rows) {
      cells.scan(rows);
    }
  }
}
