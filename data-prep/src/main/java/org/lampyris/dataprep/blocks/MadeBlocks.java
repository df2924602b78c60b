package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.dataprep.read.TableScan;
import scala.Tuple2;

/** Packs blocks as they are stored, while their rows are read, and adds up their moments. */
public final class MadeBlocks implements Iterator<DataBlock> {
  /**
   * What was seen while consecutive blocks were made.
   *
   * @param first the first of them
   * @param scan what their rows hold
   * @param complete whether all of them were made
   * @param sums their moments
   */
  public record Part(long first, TableScan scan, boolean complete, List<TreeSum.Node> sums)
      implements Serializable {}

  private final EncodedBlocks encoded;
  private final EncodedBlocks.Range range;
  private final BlockPacker packer;
  private final MomentSums moments;
  private final LongAccumulator read;
  private final TreeSum sum;
  private @Nullable Consumer<Part> end;

  /**
   * Begins.
   *
   * @param packer what they are stored by
   * @param read is added the rows to, as they are read
   * @param end is told once, after the last block
   */
  public MadeBlocks(
      EncodedBlocks encoded,
      EncodedBlocks.Range range,
      BlockPacker packer,
      MomentSums moments,
      Consumer<Part> end,
      LongAccumulator read) {
    this.encoded = encoded;
    this.range = range;
    this.packer = packer;
    this.moments = moments;
    this.end = end;
    this.read = read;
    sum = new TreeSum(range.first(), range.first() + range.blocks());
  }

  @Override
  public boolean hasNext() {
    boolean more = encoded.hasNext();
    if (!more && end != null) {
      end.accept(new Part(range.first(), encoded.scan(), encoded.isComplete(), sum.nodes()));
      end = null;
    }
    return more;
  }

  @Override
  public DataBlock next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Tuple2<Long, byte[]> next = encoded.next();
    DataBlock block = packer.block(next._1(), next._2());
    read.add(block.rows());
    double[] out = new double[moments.length()];
    moments.add(next._2(), block, packer, out);
    sum.add(next._1(), out);
    return packer.stored(block);
  }
}
