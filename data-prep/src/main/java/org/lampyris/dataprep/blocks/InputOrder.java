package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.blocks.ReadTable.Seen;
import org.lampyris.dataprep.blocks.RowEncoder.EncodedRows;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Tuple2;

/**
 * Order of the input: files by name, and the rows of each file in their order. A row's number
 * depends on the files alone, not on the pieces in which tasks read them, nor on partitions.
 *
 * <p>A block is made where its rows were read. A block with rows from several pieces is made where
 * the first piece was read. Only the other pieces' rows are shuffled.
 */
public final class InputOrder extends Partitioner implements BlockSum.Spread {
  /** By partition, the number of the first row of each piece that was read there. */
  private final long[][] first;

  /** The number of the row after its last. */
  private final long[][] end;

  /** The numbers of the first rows of all pieces, ascending, and which partitions read them. */
  private final long[] begin;

  private final int[] reader;

  private final long rows;
  private final int blockRows;

  private InputOrder(List<Seen> seen, int blockRows, int filled) {
    this.blockRows = blockRows;
    first = seen.stream().map(part -> new long[part.pieces().size()]).toArray(long[][]::new);
    end = seen.stream().map(part -> new long[part.pieces().size()]).toArray(long[][]::new);
    List<int[]> order = new ArrayList<>();
    for (int p = 0; p < first.length; p++) {
      for (int k = 0; k < first[p].length; k++) {
        order.add(new int[] {p, k});
      }
    }
    order.sort(Comparator.comparing((int[] at) -> seen.get(at[0]).pieces().get(at[1])));
    begin = new long[order.size()];
    reader = order.stream().mapToInt(at -> at[0]).toArray();
    long row = filled;
    for (int k = 0; k < begin.length; k++) {
      int[] at = order.get(k);
      begin[k] = row;
      first[at[0]][at[1]] = row;
      row += seen.get(at[0]).rows().get(at[1]);
      end[at[0]][at[1]] = row;
    }
    rows = row;
    // The rows of the first block that come from elsewhere join its others.
    begin[0] = 0;
  }

  /**
   * Returns the blocks of a table that has been read, made again in each job.
   *
   * @param filled how many rows of the first block come from elsewhere
   */
  public static RowOrder.Blocks blocks(
      ReadTable table, RowRecoder recoder, int blockRows, int filled) {
    InputOrder order = new InputOrder(table.seen(), blockRows, filled);
    JavaRDD<EncodedRows> encoded = table.encoded();
    // Of many files there is much to know: every task has it by reference.
    Broadcast<InputOrder> sent =
        JavaSparkContext.fromSparkContext(encoded.context()).broadcast(order);
    JavaRDD<Tuple2<Long, byte[]>> ends =
        encoded
            .mapPartitionsWithIndex(
                (partition, parts) ->
                    new BlockCutter(parts, recoder.begin(), sent.value(), partition, false),
                false)
            .mapToPair(piece -> piece)
            .repartitionAndSortWithinPartitions(order, Comparator.naturalOrder())
            .mapPartitions(pieces -> new RowOrder.Joining(pieces, blockRows));
    JavaPairRDD<Long, byte[]> blocks =
        encoded
            .mapPartitionsWithIndex(
                (partition, parts) ->
                    new BlockCutter(parts, recoder.begin(), sent.value(), partition, true),
                false)
            .zipPartitions(ends, InputOrder::concat)
            .mapToPair(block -> block);
    long count = (order.rows - 1) / blockRows + 1;
    return new RowOrder.Blocks(blocks, order, count, blockRows, order.rows - filled, 0);
  }

  private static Iterator<Tuple2<Long, byte[]>> concat(
      Iterator<Tuple2<Long, byte[]>> whole, Iterator<Tuple2<Long, byte[]>> joined) {
    scala.collection.Iterator<Tuple2<Long, byte[]>> rest = ScalaCollections.asScala(joined);
    return ScalaCollections.asJava(ScalaCollections.asScala(whole).$plus$plus(() -> rest));
  }

  /** Returns the number of the first row of a piece that a partition has read. */
  long first(int partition, int piece) {
    return first[partition][piece];
  }

  /** Returns the number of the row after the last one of a piece that a partition has read. */
  long end(int partition, int piece) {
    return end[partition][piece];
  }

  /** Returns how many rows a block has. */
  int blockRows() {
    return blockRows;
  }

  /** Returns the row after the last one of a row's block. */
  long blockEnd(long row) {
    return Math.min(rows, (row / blockRows + 1) * blockRows);
  }

  /** The blocks that lie in a piece; blocks shared by pieces follow all of them. */
  @Override
  public BlockSum.Run run(int partition, long block) {
    for (int k = 0; k < first[partition].length; k++) {
      long from = (first[partition][k] + blockRows - 1) / blockRows;
      long last = end[partition][k];
      long to = last == rows ? (rows - 1) / blockRows + 1 : last / blockRows;
      if (from <= block && block < to) {
        return new BlockSum.Run(from, to);
      }
    }
    return new BlockSum.Run(block, block + 1);
  }

  @Override
  public int numPartitions() {
    return first.length;
  }

  /** Returns the partition that makes a row's block. The key is the row's number. */
  @Override
  public int getPartition(Object row) {
    int found = Arrays.binarySearch(begin, (Long) row / blockRows * blockRows);
    return reader[found < 0 ? -found - 2 : found];
  }

  /**
   * Cuts the rows of a partition at the ends of blocks: into the blocks within one piece of the
   * input, by id, or into the rest at the ends of pieces, by first row. Each is the number of rows
   * and their bytes.
   */
  private static final class BlockCutter implements Iterator<Tuple2<Long, byte[]>> {
    private final Iterator<EncodedRows> parts;
    private final RowRecoder.Partition recoder;
    private final InputOrder order;
    private final int partition;
    private final boolean whole;

    private ByteBuffer part = ByteBuffer.allocate(0);
    private int left;
    private int at;
    private int run = -1;

    /** The next row, by its number in the table. */
    private long row;

    private long runEnd;
    private @Nullable Tuple2<Long, byte[]> next;
    private ByteBuffer out = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    BlockCutter(
        Iterator<EncodedRows> parts,
        RowRecoder.Partition recoder,
        InputOrder order,
        int partition,
        boolean whole) {
      this.parts = parts;
      this.recoder = recoder;
      this.order = order;
      this.partition = partition;
      this.whole = whole;
    }

    @Override
    public boolean hasNext() {
      while (next == null && advance()) {
        cut();
      }
      return next != null;
    }

    @Override
    public Tuple2<Long, byte[]> next() {
      Tuple2<Long, byte[]> found = hasNext() ? next : null;
      if (found == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return found;
    }

    /** Advances to unread rows, and returns whether there are any. */
    private boolean advance() {
      while (left == 0 && parts.hasNext()) {
        EncodedRows of = parts.next();
        recoder.learn(of);
        if (of.rows > 0) {
          part = RowRecoder.little(of.bytes);
          left = of.rows;
          at = 0;
          if (run < 0 || row == runEnd) {
            run++;
            row = order.first(partition, run);
            runEnd = order.end(partition, run);
            out.clear();
          }
        }
      }
      return left > 0;
    }

    /** Takes the current rows that belong to one block. */
    private void cut() {
      long begin =
          Math.max(order.first(partition, run), row / order.blockRows() * order.blockRows());
      long blockEnd = order.blockEnd(row);
      int count = (int) Math.min(left, blockEnd - row);
      boolean isWhole = begin % order.blockRows() == 0 && blockEnd <= runEnd;
      if (isWhole == whole) {
        copy(count, row == begin);
      } else {
        skip(count);
      }
      row += count;
      left -= count;
      if (isWhole == whole && (row == blockEnd || row == runEnd)) {
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        RowRecoder.little(bytes).putInt(0, (int) (row - begin));
        out.clear();
        next = new Tuple2<>(whole ? begin / order.blockRows() : begin, bytes);
      }
    }

    private void copy(int count, boolean first) {
      if (first) {
        out.clear();
        out.putInt(0);
      }
      for (int n = 0; n < count; n++) {
        int length = recoder.length(part, at);
        int after = recoder.lengthAfter(length);
        if (out.remaining() < after) {
          ByteBuffer larger =
              ByteBuffer.allocate(Math.max(2 * out.capacity(), out.position() + after));
          out = larger.order(ByteOrder.LITTLE_ENDIAN).put(out.flip());
        }
        recoder.recode(part, at, length, out);
        at += length;
      }
    }

    private void skip(int count) {
      if (count < left) {
        for (int n = 0; n < count; n++) {
          at += recoder.length(part, at);
        }
      }
    }
  }
}
