package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.SparkForTests;
import org.lampyris.dataprep.blocks.RowOrder.RepeatCounter;
import org.lampyris.executors.jobs.BlockSum;
import scala.Tuple2;

class RowOrderIT {
  private static final JavaSparkContext CONTEXT =
      JavaSparkContext.fromSparkContext(SparkForTests.session().sparkContext());
  private static final int BLOCK_ROWS = 50;

  private static List<Tuple2<Long, byte[]>> blocks(
      List<byte[]> rows, int slices, int partitions, long seed) {
    RowOrder order = new RowOrder(rows.size(), 8, partitions, seed);
    return order.blocks(CONTEXT.parallelize(rows, slices), BLOCK_ROWS, 0).blocks().collect();
  }

  private static List<byte[]> rows(int count, int distinct, Random random) {
    List<byte[]> rows = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      byte[] row = new byte[8];
      ByteBuffer.wrap(row).putLong(random.nextInt(distinct));
      rows.add(row);
    }
    return rows;
  }

  @Test
  void neitherOrderNorPartitionsEnter() {
    Random random = new Random(4);
    for (int distinct : new int[] {1, 3, 1_000_000}) {
      List<byte[]> rows = rows(2_020, distinct, random);
      List<Tuple2<Long, byte[]>> first = blocks(rows, 1, 1, 9);
      assertEquals(41, first.size());
      for (int partitions : new int[] {2, 7, 60}) {
        Collections.shuffle(rows, random);
        List<Tuple2<Long, byte[]>> again = blocks(rows, partitions / 2 + 1, partitions, 9);
        assertEquals(first.size(), again.size());
        for (int b = 0; b < first.size(); b++) {
          assertEquals(b, again.get(b)._1());
          assertArrayEquals(first.get(b)._2(), again.get(b)._2());
        }
      }
    }
  }

  @Test
  void blocksHoldEveryRowOnce() {
    List<byte[]> rows = rows(1_234, 500, new Random(5));
    List<String> found = new ArrayList<>();
    List<Tuple2<Long, byte[]>> blocks = blocks(rows, 3, 4, 1);
    for (Tuple2<Long, byte[]> block : blocks) {
      ByteBuffer in = ByteBuffer.wrap(block._2());
      int count = in.order(ByteOrder.LITTLE_ENDIAN).getInt();
      assertEquals(block._1() == blocks.size() - 1 ? 1_234 % BLOCK_ROWS : BLOCK_ROWS, count);
      for (int n = 0; n < count; n++) {
        byte[] row = new byte[8];
        in.get(row);
        found.add(Arrays.toString(row));
      }
      assertEquals(0, in.remaining());
    }
    assertEquals(
        rows.stream().map(Arrays::toString).sorted().toList(), found.stream().sorted().toList());
  }

  @Test
  void inputThatChangesBetweenLooksIsTold() {
    RowOrder order = new RowOrder(101, 8, 2, 1);
    List<byte[]> rows = rows(100, 7, new Random(1));
    UserException told =
        assertThrows(
            UserException.class, () -> order.blocks(CONTEXT.parallelize(rows, 2), BLOCK_ROWS, 0));
    assertTrue(
        String.valueOf(told.getMessage()).contains("had 101 rows in the first pass and 100"));
  }

  /** Rows of 8 bytes, each of the group that its last byte says. */
  @Test
  void aGroupThatNoBlockCanHoldIsTold() {
    List<byte[]> keyed = new ArrayList<>();
    for (byte[] row : rows(300, 3, new Random(2))) {
      byte[] group = RowKeys.ofContent(new byte[] {row[7]});
      keyed.add(ByteBuffer.allocate(28).putInt(16).put(group).put(row).array());
    }
    RowOrder order = new RowOrder(300, 28, 2, 1);
    assertEquals(
        3,
        order
            .grouped(CONTEXT.parallelize(keyed, 2), new LevelPacking(50, 0, 4_000), key -> "")
            .groups());
    for (LevelPacking small :
        List.of(new LevelPacking(50, 0, 500), new LevelPacking(50, 80, 4_000))) {
      UserException told =
          assertThrows(
              UserException.class,
              () -> order.grouped(CONTEXT.parallelize(keyed, 2), small, key -> "user = 'u'"));
      assertTrue(String.valueOf(told.getMessage()).contains("rows of user = 'u' take"));
    }
  }

  @Test
  void repeatsAreGatheredBeforeTheShuffle() {
    List<byte[]> rows = rows(100_000, 8, new Random(6));
    RepeatCounter counter = new RepeatCounter(rows.iterator());
    List<Tuple2<byte[], byte[]>> pairs = new ArrayList<>();
    counter.forEachRemaining(pairs::add);
    assertEquals(8, pairs.size());
    assertEquals(
        100_000, pairs.stream().mapToLong(pair -> ByteBuffer.wrap(pair._2()).getLong()).sum());
    // Rows that do not repeat are passed on as they are.
    List<byte[]> distinct = new ArrayList<>();
    for (long n = 0; n < 50_000; n++) {
      distinct.add(ByteBuffer.allocate(8).putLong(n).array());
    }
    pairs.clear();
    new RepeatCounter(distinct.iterator()).forEachRemaining(pairs::add);
    assertEquals(50_000, pairs.size());
  }

  @Test
  void equalWidthRangesHoldAboutAsManyKeysEach() {
    RowKeys.Ranges ranges = new RowKeys.Ranges(20);
    int[] counts = new int[20];
    for (long n = 0; n < 20_000; n++) {
      byte[] key = RowKeys.ofContent(ByteBuffer.allocate(8).putLong(n).array());
      counts[ranges.getPartition(key)]++;
    }
    // Binomial with mean 1,000 and standard deviation 31: seven of them is a false alarm of 5e-11.
    assertTrue(Arrays.stream(counts).allMatch(c -> Math.abs(c - 1_000) < 7 * 31));
    byte[] low = new byte[RowKeys.BYTES];
    byte[] high = new byte[RowKeys.BYTES];
    Arrays.fill(high, (byte) -1);
    assertEquals(0, ranges.getPartition(low));
    assertEquals(19, ranges.getPartition(high));
    assertTrue(RowKeys.ORDER.compare(low, high) < 0);
  }

  @Test
  void runsAreAlignedAndHoldEveryBlock() {
    for (long rows : new long[] {1, 50, 51, 5_000, 1_000_003}) {
      for (long wanted : new long[] {1, 3, 16, 1_000}) {
        BlockRuns runs = new BlockRuns((rows - 1) / BLOCK_ROWS + 1, BLOCK_ROWS, wanted);
        long next = 0;
        for (int p = 0; p < runs.numPartitions(); p++) {
          BlockSum.Run run = runs.run(p, next);
          assertEquals(next, run.from());
          next = run.to();
          assertEquals(0, run.from() % (next - run.from()));
          assertEquals(p, runs.getPartition(run.from() * BLOCK_ROWS));
        }
        assertTrue(next >= runs.blocks());
        assertTrue(runs.numPartitions() <= 2 * wanted + 1, wanted + " " + runs.numPartitions());
      }
    }
  }
}
