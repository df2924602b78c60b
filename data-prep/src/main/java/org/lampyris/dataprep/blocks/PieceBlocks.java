package org.lampyris.dataprep.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.LongAccumulator;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.EncodedBlocks.Range;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.executors.jobs.BlockRanges;

/**
 * The blocks of a table in the order of the input whose pieces have known numbers of rows: each
 * partition is a run of blocks, whose rows its task reads. Of a piece that two tasks share, each
 * reads from its beginning.
 */
public final class PieceBlocks {
  /** How many rows may be read for each that is stored. */
  private static final double MOST_READ = 1.5;

  private final InputPieces pieces;
  private final List<InputPieces.Run> runs;
  private final List<Range> ranges;

  private PieceBlocks(InputPieces pieces, List<InputPieces.Run> runs, List<Range> ranges) {
    this.pieces = pieces;
    this.runs = runs;
    this.ranges = ranges;
  }

  /**
   * Plans who reads what.
   *
   * @param counts how many rows each piece has
   * @param spread how blocks are spread
   * @param blockRows how many rows each has, the last one excepted
   * @return empty if many rows would be read in vain
   */
  public static Optional<PieceBlocks> of(
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
        : Optional.of(new PieceBlocks(pieces, runs, ranges));
  }

  /**
   * Returns the blocks, made anew from the input by each job.
   *
   * @param form the form of rows
   * @param packer what they are stored by
   * @param read is added the rows to, as they are read
   * @param seen is given what was seen in the rows of each partition
   */
  public JavaRDD<DataBlock> blocks(
      InputColumns columns,
      RowForm form,
      RowRecoder recoder,
      BlockPacker packer,
      MomentSums moments,
      CollectionAccumulator<MadeBlocks.Part> seen,
      LongAccumulator read) {
    List<Range> of = List.copyOf(ranges);
    return pieces.inRuns(
        runs,
        (run, cells) -> {
          Range range = of.get(run);
          EncodedBlocks encoded = new EncodedBlocks(cells, range, columns, form, recoder);
          return new MadeBlocks(encoded, range, packer, moments, seen::add, read);
        });
  }
}
