package org.lampyris.dataprep.blocks;

import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaPairRDD;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.LevelRuns;
import scala.Tuple2;
import scala.collection.BufferedIterator;

/**
 * Packs whole groups into blocks in the order of their keys. A block starts where the next group
 * does not fit in the previous one, so a group with more rows than a block has a block of its own.
 *
 * <p>To run in parallel and still depend on rows and seed alone, groups are split into buckets by
 * their keys. The number of buckets follows from the numbers of rows and of rows a block, and no
 * block crosses the end of a bucket.
 *
 * @param blockRows how many rows of several groups share a block at most
 * @param rowBytes how many bytes a stored row takes; 0 if that differs by row
 */
record LevelPacking(int blockRows, long rowBytes, long mostBytes) implements Serializable {
  /** About how many blocks a bucket has: its last one is half empty. */
  private static final long BUCKET_BLOCKS = 16;

  private static final int MOST_BUCKETS = 100_000;

  /** Returns the split of keys into buckets, for a number of rows. */
  RowKeys.Ranges buckets(long rows) {
    long blocks = (rows - 1) / blockRows + 1;
    return new RowKeys.Ranges((int) Math.min(MOST_BUCKETS, Math.max(1, blocks / BUCKET_BLOCKS)));
  }

  /** Content of a bucket, with the key of its largest group. */
  private static final class Tally {
    private static final int LENGTH = 7;
    long rows;
    long blocks;
    long groups;
    long mostRows;
    long mostBytes;
    byte[] largest = new byte[RowKeys.BYTES];

    long[] toArray() {
      ByteBuffer key = ByteBuffer.wrap(largest);
      return new long[] {rows, blocks, groups, mostRows, mostBytes, key.getLong(), key.getLong()};
    }
  }

  /**
   * Returns the blocks in ascending order, each with its groups behind its rows.
   *
   * @param sorted the rows by their keys, in the buckets of {@link #buckets}
   * @param spread returns how so many blocks are best spread
   * @param name returns what messages call the group of a key
   * @throws UserException (data) if a group is too large for a block
   */
  RowOrder.Blocks blocks(
      JavaPairRDD<byte[], byte[]> sorted,
      long expected,
      Function<Long, BlockRuns> spread,
      Function<byte[], String> name) {
    List<long[]> tallies =
        sorted.mapPartitions(rows -> List.of(tally(rows).toArray()).iterator()).collect();
    long[] firstBlock = new long[tallies.size()];
    long[] firstGroup = new long[tallies.size()];
    long[] total = new long[Tally.LENGTH];
    for (int b = 0; b < firstBlock.length; b++) {
      long[] tally = tallies.get(b);
      firstBlock[b] = total[1];
      firstGroup[b] = total[2];
      for (int k = 0; k < 3; k++) {
        total[k] += tally[k];
      }
      total[3] = Math.max(total[3], tally[3]);
      if (tally[4] > mostBytes) {
        throw tooLarge(tally, name);
      }
    }
    RowOrder.requireSame(expected, total[0]);
    BlockRuns runs = spread.apply(total[1]);
    JavaPairRDD<Long, byte[]> blocks =
        sorted
            .mapPartitionsWithIndex(
                (bucket, rows) -> new Filling(rows, firstBlock[bucket], firstGroup[bucket]), false)
            .mapToPair(block -> block)
            .repartitionAndSortWithinPartitions(runs, Comparator.naturalOrder());
    return new RowOrder.Blocks(
        blocks, runs, total[1], (int) Math.max(blockRows, total[3]), total[0], total[2]);
  }

  private UserException tooLarge(long[] tally, Function<byte[], String> name) {
    byte[] key = ByteBuffer.allocate(RowKeys.BYTES).putLong(tally[5]).putLong(tally[6]).array();
    return UserException.data(
        Text.of(
            "the rows of a group lie in one block of at most %,d MiB, but the rows of %s take %,d"
                + " MiB. Split that group in data.query, or name another column in data.group_by.",
            mostBytes >> 20, name.apply(key), tally[4] >> 20));
  }

  private Tally tally(Iterator<Tuple2<byte[], byte[]>> rows) {
    Tally tally = new Tally();
    Groups groups = new Groups(rows, false);
    long inBlock = 0;
    while (groups.hasNext()) {
      Group group = groups.next();
      boolean fits = fits(inBlock, group);
      inBlock = fits ? inBlock + group.rows : group.rows;
      tally.rows += group.rows;
      tally.blocks += fits ? 0 : 1;
      tally.groups++;
      tally.mostRows = Math.max(tally.mostRows, group.rows);
      long bytes = Math.max(group.bytes, group.rows * rowBytes);
      if (bytes > tally.mostBytes) {
        tally.mostBytes = bytes;
        tally.largest = group.key;
      }
    }
    return tally;
  }

  private boolean fits(long inBlock, Group group) {
    return inBlock > 0 && inBlock + group.rows <= blockRows;
  }

  /** The rows of a group. */
  private static final class Group {
    final byte[] key;
    final ByteArrayOutputStream content = new ByteArrayOutputStream();
    long rows;
    long bytes;

    Group(byte[] key) {
      this.key = key;
    }

    boolean has(byte[] rowKey) {
      return Arrays.equals(key, 0, key.length, rowKey, 0, key.length);
    }
  }

  /** Collects sorted rows by group, the prefix of their keys. */
  private static final class Groups implements Iterator<Group> {
    private final BufferedIterator<Tuple2<byte[], byte[]>> rows;
    private final boolean keep;

    /** Starts collecting groups, with their content if {@code keep} is set. */
    Groups(Iterator<Tuple2<byte[], byte[]>> rows, boolean keep) {
      this.rows = ScalaCollections.asScala(rows).buffered();
      this.keep = keep;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public Group next() {
      Group group = new Group(Arrays.copyOf(rows.head()._1(), RowKeys.BYTES));
      while (rows.hasNext() && group.has(rows.head()._1())) {
        byte[] content = rows.next()._2();
        group.rows++;
        group.bytes += content.length;
        if (keep) {
          group.content.writeBytes(content);
        }
      }
      return group;
    }
  }

  /** Makes the blocks of a bucket. */
  private final class Filling implements Iterator<Tuple2<Long, byte[]>> {
    private final BufferedIterator<Group> groups;
    private long block;
    private long group;

    Filling(Iterator<Tuple2<byte[], byte[]>> rows, long firstBlock, long firstGroup) {
      groups = ScalaCollections.asScala(new Groups(rows, true)).buffered();
      block = firstBlock;
      group = firstGroup;
    }

    @Override
    public boolean hasNext() {
      return groups.hasNext();
    }

    @Override
    public Tuple2<Long, byte[]> next() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.writeBytes(RowOrder.count(0));
      List<Integer> sizes = new ArrayList<>();
      long rows = 0;
      while (groups.hasNext() && (rows == 0 || fits(rows, groups.head()))) {
        Group next = groups.next();
        rows += next.rows;
        sizes.add(Math.toIntExact(next.rows));
        bytes.writeBytes(next.content.toByteArray());
      }
      byte[] runs = LevelRuns.of(group, sizes).toBytes();
      bytes.writeBytes(runs);
      bytes.writeBytes(RowOrder.count(runs.length));
      group += sizes.size();
      return new Tuple2<>(block++, RowOrder.counted(bytes, Math.toIntExact(rows)));
    }
  }
}
