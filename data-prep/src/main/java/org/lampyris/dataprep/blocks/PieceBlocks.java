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
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.table.TableSchema.Layout;
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
   * reads it so and blocks are dense.
   */
  JavaRDD<DataBlock> blocks(
      InputColumns columns, RowForm form, RowRecoder recoder, BlockPasses.Plan plan, Sink seen) {
    List<Range> of = List.copyOf(ranges);
    BlockPacker packer = plan.packer();
    MomentSums moments = plan.moments();
    BlockRanges all = spread;
    InputPieces.RunUse<DataBlock> making =
        (run, cells) -> {
          BatchCells batches = cells instanceof BatchCells found ? found : null;
          InputColumns read = batches == null ? columns : columns.withoutNumbers();
          RowEncoder encoder = new RowEncoder(read, form, null, batches != null);
          EncodedBlocks encoded =
              new EncodedBlocks(cells, batches, of.get(run), encoder, recoder.begin(), seen.read());
          return new Making(encoded, all, run, packer, moments)
              .beside(() -> encoded.numbers)
              .ending(
                  sums -> {
                    boolean complete = encoded.isComplete();
                    TableScan scan =
                        batches == null ? encoder.scan : batches.scan(columns, encoder.scan);
                    seen.parts().add(new Part(run, sums, scan, complete));
                  });
        };
    return packer.layout() == Layout.DENSE
            && packer.columns() <= MomentSums.CROSS_COLUMNS
            && pieces.haveBatches(columns)
        ? pieces.inRunsOfBatches(runs, columns, making)
        : pieces.inRuns(runs, making);
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
   * Makes encoded blocks from rows as they are read: ids, and the number of rows with their recoded
   * bytes. From a row on that cannot be used no block is made, and rows are looked at alone.
   */
  private static final class EncodedBlocks implements Iterator<Tuple2<Long, byte[]>> {
    private final Iterator<RowCells> cells;
    private final @Nullable BatchCells batches;
    private final Range range;
    private final RowEncoder encoder;
    private final RowRecoder.Partition recoder;
    private final LongAccumulator read;
    private boolean usable = true;
    private long taken;
    private long block;
    private byte @Nullable [] next;

    /** The numbers of the block, if they are read by column. */
    private double @Nullable [][] numbers;

    EncodedBlocks(
        Iterator<RowCells> cells,
        @Nullable BatchCells batches,
        Range range,
        RowEncoder encoder,
        RowRecoder.Partition recoder,
        LongAccumulator read) {
      this.cells = cells;
      this.batches = batches;
      this.range = range;
      this.encoder = encoder;
      this.recoder = recoder;
      this.read = read;
      block = range.first - 1;
    }

    @Override
    public boolean hasNext() {
      if (next == null && usable && taken < range.rows) {
        next = make();
      }
      return next != null;
    }

    @Override
    public Tuple2<Long, byte[]> next() {
      byte[] bytes = hasNext() ? next : null;
      if (bytes == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return new Tuple2<>(++block, bytes);
    }

    /** Returns whether all rows were present and usable, once there is no next block. */
    boolean isComplete() {
      return usable;
    }

    /** Returns the next block; null if one of its rows is unusable: then the rest is scanned. */
    private byte @Nullable [] make() {
      for (long n = 0; taken == 0 && n < range.skipped && cells.hasNext(); n++) {
        cells.next();
      }
      int wanted = (int) Math.min(range.blockRows, range.rows - taken);
      if (batches != null) {
        batches.keep();
      }
      for (int n = 0; n < wanted && usable; n++) {
        taken++;
        usable = cells.hasNext() && encoder.add(cells.next());
      }
      if (batches != null) {
        numbers = batches.kept();
        usable &= numbers != null;
      }
      if (!usable) {
        while (taken < range.rows && cells.hasNext()) {
          encoder.scan.add(cells.next());
          taken++;
        }
        return null;
      }
      read.add(wanted);
      EncodedRows rows = encoder.take(Piece.NONE, Integer.BYTES, false);
      recoder.learn(rows);
      recoder.recode(RowRecoder.little(rows.bytes).putInt(0, wanted), Integer.BYTES, wanted);
      return rows.bytes;
    }
  }
}
