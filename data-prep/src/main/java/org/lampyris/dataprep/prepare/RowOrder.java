package org.lampyris.dataprep.prepare;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.config.UserException;
import scala.Tuple2;

/**
 * Puts rows into a random order that depends on the seed and on the rows alone: not on their order
 * in the input, its files or its partitions, nor on the partitions used here.
 *
 * <p>Rows are sorted by a hash of their content, rows of the same content are numbered, and then
 * all are sorted by a hash of the seed, the content and that number. The rank in this order gives a
 * row its block. (Sorting by the seeded hash of the content alone would put equal rows side by
 * side, which is no random order where rows repeat.) Cost: three shuffles.
 */
final class RowOrder {
  /** About how many bytes of rows a task sorts at a time, objects around them included. */
  private static final long TASK_BYTES = 96L << 20;

  private static final long OBJECT_BYTES = 120;

  private final long rows;
  private final long rowBytes;
  private final int least;

  /**
   * Plans the work.
   *
   * @param rows how many rows there are, at least one
   * @param rowBytes about how long an encoded row is
   * @param least the least number of partitions
   */
  RowOrder(long rows, long rowBytes, int least) {
    this.rows = rows;
    this.rowBytes = rowBytes;
    this.least = least;
  }

  private int partitions() {
    long needed = Math.multiplyExact(rows, rowBytes + OBJECT_BYTES) / TASK_BYTES + 1;
    return (int) Math.min(100_000, Math.max(least, needed));
  }

  /** Returns how blocks of so many rows are best spread. */
  BlockRuns runs(int blockRows) {
    return new BlockRuns(rows, blockRows, Math.max(least, rows * rowBytes / (64L << 20)));
  }

  /**
   * Returns the blocks in ascending order: the id, and the number of rows with their bytes.
   *
   * @param encoded the rows
   * @param runs how blocks are spread, from {@link #runs}
   * @param seed keys the order
   */
  JavaPairRDD<Long, byte[]> blocks(JavaRDD<byte[]> encoded, BlockRuns runs, long seed) {
    RowKeys.Ranges ranges = new RowKeys.Ranges(partitions());
    JavaPairRDD<byte[], byte[]> placed =
        encoded
            .mapPartitionsToPair(RepeatCounter::new)
            .repartitionAndSortWithinPartitions(ranges, RowKeys.ORDER)
            .mapPartitionsToPair(counted -> new Numbering(counted, seed))
            .partitionBy(ranges);
    long[] first = firstRanks(placed);
    int blockRows = runs.blockRows();
    return placed
        .mapPartitionsWithIndex(
            (partition, iterator) -> pieces(sorted(iterator), first[partition], blockRows), false)
        .mapToPair(piece -> piece)
        .repartitionAndSortWithinPartitions(runs, Comparator.naturalOrder())
        .mapPartitionsToPair(pieces -> new Joining(pieces, blockRows));
  }

  /** Counts the rows of each range and returns the rank that its first row has in the whole. */
  private long[] firstRanks(JavaPairRDD<byte[], byte[]> placed) {
    List<Long> counts =
        placed
            .mapPartitions(
                iterator -> {
                  long count = 0;
                  for (; iterator.hasNext(); iterator.next()) {
                    count++;
                  }
                  Iterator<Long> one = List.of(count).iterator();
                  return one;
                })
            .collect();
    long[] first = new long[counts.size()];
    long rank = 0;
    for (int p = 0; p < first.length; p++) {
      first[p] = rank;
      rank += counts.get(p);
    }
    if (rank != rows) {
      throw UserException.data(
          "the input had "
              + rows
              + " rows at the first look and "
              + rank
              + " at the second; see that nobody writes to it, and that data.query gives the same"
              + " rows each time");
    }
    return first;
  }

  private static List<Tuple2<byte[], byte[]>> sorted(Iterator<Tuple2<byte[], byte[]>> rows) {
    ArrayList<Tuple2<byte[], byte[]>> list = new ArrayList<>();
    rows.forEachRemaining(list::add);
    list.sort((a, b) -> RowKeys.ORDER.compare(a._1(), b._1()));
    return list;
  }

  /** Cuts the sorted rows of one range where blocks end. */
  private static Iterator<Tuple2<Long, byte[]>> pieces(
      List<Tuple2<byte[], byte[]>> sorted, long firstRank, int blockRows) {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < sorted.size();
      }

      @Override
      public Tuple2<Long, byte[]> next() {
        long rank = firstRank + next;
        long room = blockRows - rank % blockRows;
        int count = (int) Math.min(room, sorted.size() - next);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(count(count));
        for (int k = 0; k < count; k++) {
          bytes.writeBytes(sorted.get(next++)._2());
        }
        return new Tuple2<>(rank, bytes.toByteArray());
      }
    };
  }

  private static byte[] count(int rows) {
    byte[] bytes = new byte[Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(rows);
    return bytes;
  }

  /** Numbers the rows of the same content, which come one after the other. */
  private static final class Numbering implements Iterator<Tuple2<byte[], byte[]>> {
    private final Iterator<Tuple2<byte[], byte[]>> counted;
    private final long seed;
    private byte[] content = new byte[0];
    private byte[] row = new byte[0];
    private long occurrence;
    private long left;

    Numbering(Iterator<Tuple2<byte[], byte[]>> counted, long seed) {
      this.counted = counted;
      this.seed = seed;
    }

    @Override
    public boolean hasNext() {
      return left > 0 || counted.hasNext();
    }

    @Override
    public Tuple2<byte[], byte[]> next() {
      if (left == 0) {
        Tuple2<byte[], byte[]> pair = counted.next();
        if (!Arrays.equals(content, pair._1())) {
          content = pair._1();
          occurrence = 0;
        }
        left = ByteBuffer.wrap(pair._2()).getLong();
        row = Arrays.copyOfRange(pair._2(), Long.BYTES, pair._2().length);
      }
      left--;
      return new Tuple2<>(RowKeys.ofPlace(seed, content, occurrence++), row);
    }
  }

  /** Joins the pieces of a block that two ranges share. */
  private static final class Joining implements Iterator<Tuple2<Long, byte[]>> {
    private final Iterator<Tuple2<Long, byte[]>> pieces;
    private final int blockRows;
    private Tuple2<Long, byte[]> ahead = new Tuple2<>(-1L, new byte[0]);

    Joining(Iterator<Tuple2<Long, byte[]>> pieces, int blockRows) {
      this.pieces = pieces;
      this.blockRows = blockRows;
    }

    @Override
    public boolean hasNext() {
      return ahead._1() >= 0 || pieces.hasNext();
    }

    @Override
    public Tuple2<Long, byte[]> next() {
      if (ahead._1() < 0) {
        ahead = pieces.next();
      }
      long block = ahead._1() / blockRows;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int rows = 0;
      bytes.writeBytes(count(0));
      while (ahead._1() >= 0 && ahead._1() / blockRows == block) {
        byte[] piece = ahead._2();
        rows += ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN).getInt();
        bytes.write(piece, Integer.BYTES, piece.length - Integer.BYTES);
        ahead = pieces.hasNext() ? pieces.next() : new Tuple2<>(-1L, new byte[0]);
      }
      byte[] joined = bytes.toByteArray();
      System.arraycopy(count(rows), 0, joined, 0, Integer.BYTES);
      return new Tuple2<>(block, joined);
    }
  }
}
