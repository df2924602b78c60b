package org.lampyris.dataprep.blocks;

import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.TaskRoom;
import scala.Tuple2;
import scala.collection.BufferedIterator;

/**
 * Random order of rows that depends on the seed and on the rows alone: not on their order in the
 * input, its files or its partitions, nor on the partitions used here.
 *
 * <p>Rows are sorted by a hash of their content, equal rows are numbered, and then all are sorted
 * by a hash of the seed, the content and that number. The rank in this order gives a row its block.
 * (Sorting by the seeded hash of the content alone would put equal rows side by side, which is no
 * random order where rows repeat.) Cost: three shuffles.
 *
 * <p>For rows with groups, their {@link LevelHashes} come before the hash of seed, content and
 * number, and before the content where equal rows are numbered; {@link LevelPacking} makes blocks.
 *
 * @param rows how many rows there are, at least one
 * @param seed keys the order
 */
public record RowOrder(long rows, long rowBytes, int least, long seed) {
  /** About how many bytes of rows a task sorts at a time, objects around them included. */
  private static final long TASK_BYTES = 96L << 20;

  private static final long OBJECT_BYTES = 120;

  /**
   * The blocks in ascending order.
   *
   * @param blocks the ids, and the number of rows with their bytes
   * @param spread how they are spread
   * @param count how many there are
   * @param blockRows how many rows a block has at most
   * @param rows how many rows there are in them
   * @param groups how many groups there are; 0 without groups
   */
  public record Blocks(
      JavaPairRDD<Long, byte[]> blocks,
      BlockSum.Spread spread,
      long count,
      int blockRows,
      long rows,
      long groups) {
    /** Returns the first block's rows with their number, in a job on its partition. */
    byte[] first() {
      int partition = ((Partitioner) spread).getPartition(0L);
      return blocks.mapPartitions(Blocks::first).collectPartitions(new int[] {partition})[0].get(0);
    }

    private static Iterator<byte[]> first(Iterator<Tuple2<Long, byte[]>> blocks) {
      Tuple2<Long, byte[]> block = blocks.next();
      while (block._1() != 0) {
        block = blocks.next();
      }
      return List.of(block._2()).iterator();
    }
  }

  private int partitions() {
    long needed = Math.multiplyExact(rows, rowBytes + OBJECT_BYTES) / TASK_BYTES + 1;
    return (int) Math.min(100_000, Math.max(least, needed));
  }

  private BlockRuns runs(long blocks, int keys) {
    return new BlockRuns(blocks, keys, Math.max(least, rows * rowBytes / (64L << 20)));
  }

  /**
   * Returns blocks with a number of rows each, except the last.
   *
   * @param filled how many rows of the first block come from elsewhere
   * @throws UserException (data) if they are not as many as they were
   */
  public Blocks blocks(JavaRDD<byte[]> encoded, int blockRows, int filled) {
    return blocks(placed(encoded, false), blockRows, filled, row -> 1L);
  }

  /**
   * Returns blocks with a number of rows each, with equal rows merged.
   *
   * @param encoded rows with a weight, which is written over
   * @param filled how many rows of the first block come from elsewhere
   * @throws UserException (data) if they are not as many as they were
   */
  public Blocks merged(JavaRDD<byte[]> encoded, int blockRows, int filled) {
    long key = seed;
    JavaPairRDD<byte[], byte[]> placed =
        byContent(encoded).mapPartitionsToPair(counted -> new RowMerging(counted, key));
    return blocks(placed, blockRows, filled, RowMerging::merged);
  }

  /** Number of input rows that a row represents. */
  @FunctionalInterface
  private interface InputRows extends Serializable {
    long of(byte[] row);
  }

  private Blocks blocks(
      JavaPairRDD<byte[], byte[]> unsorted, int blockRows, int filled, InputRows number) {
    JavaPairRDD<byte[], byte[]> placed = unsorted.partitionBy(new RowKeys.Ranges(partitions()));
    long[] first = firstRanks(placed, number);
    long found = first[first.length - 1];
    BlockRuns runs = runs((filled + found - 1) / blockRows + 1, blockRows);
    JavaPairRDD<Long, byte[]> blocks =
        placed
            .mapPartitionsWithIndex(
                (partition, rowsOf) -> pieces(sorted(rowsOf), filled + first[partition], blockRows),
                false)
            .mapToPair(piece -> piece)
            .repartitionAndSortWithinPartitions(runs, Comparator.naturalOrder())
            .mapPartitionsToPair(pieces -> new Joining(pieces, blockRows));
    return new Blocks(blocks, runs, runs.blocks(), blockRows, found, 0);
  }

  /**
   * Returns blocks of whole groups.
   *
   * @param keyed the rows, each with its key {@linkplain LevelHashes#before before} it
   * @param blockRows how many rows of several groups share a block at most
   * @param storedBytes how many bytes a stored row takes; 0 if that differs by row
   * @param name returns what messages call the group of a key
   * @throws UserException (data) if a group takes more than {@link TaskRoom#MOST_BYTES}, or the
   *     rows are not as many as they were
   */
  public Blocks grouped(
      JavaRDD<byte[]> keyed, int blockRows, long storedBytes, Function<byte[], String> name) {
    return grouped(keyed, new LevelPacking(blockRows, storedBytes, TaskRoom.MOST_BYTES), name);
  }

  Blocks grouped(JavaRDD<byte[]> keyed, LevelPacking order, Function<byte[], String> name) {
    JavaPairRDD<byte[], byte[]> sorted =
        placed(keyed, true).repartitionAndSortWithinPartitions(order.buckets(rows), RowKeys.ORDER);
    return order.blocks(sorted, rows, blocks -> runs(blocks, 1), name);
  }

  /** Returns the rows by the keys of their places, not sorted by them. */
  private JavaPairRDD<byte[], byte[]> placed(JavaRDD<byte[]> encoded, boolean grouped) {
    long key = seed;
    return byContent(encoded).mapPartitionsToPair(counted -> new Numbering(counted, key, grouped));
  }

  /** Returns the rows sorted by the keys of their content, with counts before them. */
  private JavaPairRDD<byte[], byte[]> byContent(JavaRDD<byte[]> encoded) {
    return encoded
        .mapPartitionsToPair(RepeatCounter::new)
        .repartitionAndSortWithinPartitions(new RowKeys.Ranges(partitions()), RowKeys.ORDER);
  }

  /**
   * Counts the rows of each range and returns the rank of its first row in the whole, and, last,
   * the total.
   */
  private long[] firstRanks(JavaPairRDD<byte[], byte[]> placed, InputRows number) {
    List<long[]> counts =
        placed
            .mapPartitions(
                found -> {
                  long[] count = new long[2];
                  while (found.hasNext()) {
                    count[0]++;
                    count[1] += number.of(found.next()._2());
                  }
                  return List.of(count).iterator();
                })
            .collect();
    long[] first = new long[counts.size() + 1];
    long read = 0;
    for (int p = 0; p < counts.size(); p++) {
      first[p + 1] = first[p] + counts.get(p)[0];
      read += counts.get(p)[1];
    }
    requireSame(rows, read);
    return first;
  }

  /** Refuses an input that changes while it is read. */
  public static void requireSame(long expected, long found) {
    if (found != expected) {
      throw UserException.data(
          ("the input had %s rows in the first pass and %s in the second. Check that nobody writes"
                  + " to it, and that data.query returns the same rows each time.")
              .formatted(expected, found));
    }
  }

  private static List<Tuple2<byte[], byte[]>> sorted(Iterator<Tuple2<byte[], byte[]>> rows) {
    ArrayList<Tuple2<byte[], byte[]>> list = new ArrayList<>();
    rows.forEachRemaining(list::add);
    list.sort((a, b) -> RowKeys.ORDER.compare(a._1(), b._1()));
    return list;
  }

  /** Cuts the sorted rows of one range at the ends of blocks. */
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

  static byte[] count(int rows) {
    byte[] bytes = new byte[Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(rows);
    return bytes;
  }

  /** Returns the bytes after a {@link #count}, with another count. */
  static byte[] counted(ByteArrayOutputStream written, int rows) {
    byte[] bytes = written.toByteArray();
    System.arraycopy(count(rows), 0, bytes, 0, Integer.BYTES);
    return bytes;
  }

  /** Numbers the rows of the same content, which come one after the other. */
  private static final class Numbering implements Iterator<Tuple2<byte[], byte[]>> {
    private final Iterator<Tuple2<byte[], byte[]>> counted;
    private final long seed;
    private final boolean grouped;
    private byte[] content = new byte[0];
    private byte[] row = new byte[0];
    private byte[] group = new byte[0];
    private long occurrence;
    private long left;

    Numbering(Iterator<Tuple2<byte[], byte[]>> counted, long seed, boolean grouped) {
      this.counted = counted;
      this.seed = seed;
      this.grouped = grouped;
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
        ByteBuffer in = ByteBuffer.wrap(pair._2());
        left = in.getLong();
        group = new byte[grouped ? in.getInt() : 0];
        in.get(group);
        row = Arrays.copyOfRange(pair._2(), in.position(), pair._2().length);
      }
      left--;
      byte[] place = RowKeys.ofPlace(seed, content, occurrence++);
      if (grouped) {
        byte[] key = Arrays.copyOf(group, group.length + place.length);
        System.arraycopy(place, 0, key, group.length, place.length);
        place = key;
      }
      return new Tuple2<>(place, row);
    }
  }

  /** Joins the pieces of a block that several ranges, or pieces of the input, share. */
  static final class Joining implements Iterator<Tuple2<Long, byte[]>> {
    private final BufferedIterator<Tuple2<Long, byte[]>> pieces;
    private final int blockRows;

    Joining(Iterator<Tuple2<Long, byte[]>> pieces, int blockRows) {
      this.pieces = ScalaCollections.asScala(pieces).buffered();
      this.blockRows = blockRows;
    }

    @Override
    public boolean hasNext() {
      return pieces.hasNext();
    }

    @Override
    public Tuple2<Long, byte[]> next() {
      long block = pieces.head()._1() / blockRows;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int rows = 0;
      bytes.writeBytes(count(0));
      while (pieces.hasNext() && pieces.head()._1() / blockRows == block) {
        byte[] piece = pieces.next()._2();
        rows += ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN).getInt();
        bytes.write(piece, Integer.BYTES, piece.length - Integer.BYTES);
      }
      return new Tuple2<>(block, counted(bytes, rows));
    }
  }

  /**
   * Merges equal consecutive rows with counts, and writes their number into the weight. Gives each
   * with the key of its place in the random order. Rows of equal keys and other content, if there
   * are any, are merged as far as they follow one another.
   */
  private static final class RowMerging implements Iterator<Tuple2<byte[], byte[]>> {
    /** Position of the weight in an encoded row: after the response. */
    private static final int WEIGHT_AT = Double.BYTES;

    private final BufferedIterator<Tuple2<byte[], byte[]>> counted;
    private final long seed;
    private byte[] content = new byte[0];
    private long different;

    RowMerging(Iterator<Tuple2<byte[], byte[]>> counted, long seed) {
      this.counted = ScalaCollections.asScala(counted).buffered();
      this.seed = seed;
    }

    @Override
    public boolean hasNext() {
      return counted.hasNext();
    }

    @Override
    public Tuple2<byte[], byte[]> next() {
      Tuple2<byte[], byte[]> first = counted.next();
      byte[] row = row(first);
      long count = count(first);
      while (counted.hasNext() && Arrays.equals(row, row(counted.head()))) {
        count += count(counted.next());
      }
      different = Arrays.equals(content, first._1()) ? different + 1 : 0;
      content = first._1();
      ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).putDouble(WEIGHT_AT, (double) count);
      return new Tuple2<>(RowKeys.ofPlace(seed, content, different), row);
    }

    private static long count(Tuple2<byte[], byte[]> pair) {
      return ByteBuffer.wrap(pair._2()).getLong();
    }

    private static byte[] row(Tuple2<byte[], byte[]> pair) {
      return Arrays.copyOfRange(pair._2(), Long.BYTES, pair._2().length);
    }

    /** Returns how many rows have become this one. */
    static long merged(byte[] row) {
      return (long) ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).getDouble(WEIGHT_AT);
    }
  }

  /**
   * Gathers rows that repeat before they are shuffled: gives each row's key with a count and the
   * row. Without it a table of few distinct rows (an A/B test with a billion rows of three bits)
   * would go to a handful of tasks whole. It holds a limited number of rows, and stops looking
   * where they do not repeat; a row may come several times with counts that add up.
   */
  static final class RepeatCounter implements Iterator<Tuple2<byte[], byte[]>> {
    private static final int HELD = 1 << 14;

    private final Iterator<byte[]> rows;
    private Map<ByteBuffer, long[]> counts = new LinkedHashMap<>();
    private Iterator<Map.Entry<ByteBuffer, long[]>> ready = counts.entrySet().iterator();
    private boolean repeating = true;

    RepeatCounter(Iterator<byte[]> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      return ready.hasNext() || rows.hasNext();
    }

    @Override
    public Tuple2<byte[], byte[]> next() {
      if (!ready.hasNext() && repeating) {
        gather();
      }
      if (ready.hasNext()) {
        Map.Entry<ByteBuffer, long[]> entry = ready.next();
        return pair(entry.getKey().array(), entry.getValue()[0]);
      }
      return pair(rows.next(), 1);
    }

    private void gather() {
      counts = new LinkedHashMap<>();
      long read = 0;
      while (rows.hasNext() && counts.size() < HELD) {
        counts.computeIfAbsent(ByteBuffer.wrap(rows.next()), row -> new long[1])[0]++;
        read++;
      }
      // Fewer than one in eight repeats: looking costs more than it saves.
      repeating = read > counts.size() + counts.size() / 8L;
      ready = counts.entrySet().iterator();
    }

    private static Tuple2<byte[], byte[]> pair(byte[] row, long count) {
      byte[] value = new byte[Long.BYTES + row.length];
      ByteBuffer.wrap(value).putLong(count).put(row);
      return new Tuple2<>(RowKeys.ofContent(row), value);
    }
  }
}
