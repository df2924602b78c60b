package org.lampyris.samplers.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.testdata.LogisticTable;

class PermutedRowsTest extends EventSourceContract<PlainBlock> {
  private static final int BATCH = 10;
  private static final int ROWS = LogisticTable.ROWS;

  private final List<PlainBlock> blocks =
      LogisticTable.blocks().stream().map(PlainBlock::new).toList();

  @Override
  protected List<PlainBlock> blocks() {
    return blocks;
  }

  @Override
  protected EventSource<PlainBlock> source(int chain) {
    return new PermutedRows<>(6, chain, ROWS, LogisticTable.BLOCK_ROWS, BATCH);
  }

  @Override
  protected List<Double> limits() {
    return List.of(1.0, 9.0, 10.0, 11.0, 40.0);
  }

  /** A position belongs to one row of an iteration, but to some row of each. */
  @Override
  protected boolean numbered() {
    return false;
  }

  @Override
  protected void assertSameRow(PlainBlock whole, int row, PlainBlock selected, int index) {
    // There is nothing but the data.
  }

  /** A batch of m rows, from all places together: positions 0 … m − 1 in order, no row twice. */
  @Test
  void aBatchIsWithoutReplacement() {
    for (List<List<PlainBlock>> places :
        List.of(
            List.of(blocks),
            List.of(blocks.subList(4, 6), blocks.subList(0, 4)),
            blocks.stream().map(List::of).toList())) {
      List<Pool<PlainBlock>> pools =
          places.stream()
              .map(place -> Pool.draw(source(1), 1, 5, Double.POSITIVE_INFINITY, place))
              .toList();
      assertEquals(5L * ROWS, pools.stream().mapToLong(Pool::size).sum());
      PooledEvents<PlainBlock> events = new PooledEvents<>(pools);
      for (long i = 1; i <= 5; i++) {
        for (int m : new int[] {0, 1, 9, 10, 11, 20, 21, 80, ROWS - 1, ROWS}) {
          List<Long> rows = new ArrayList<>();
          List<Double> positions = new ArrayList<>();
          events.visit(
              i,
              m == ROWS ? Double.POSITIVE_INFINITY : m,
              (row, position) -> rows.add(row) && positions.add(position));
          assertEquals(IntStream.range(0, m).mapToObj(k -> (double) k).toList(), positions);
          assertEquals(m, new HashSet<>(rows).size());
        }
      }
    }
  }

  /** Levels double what there is, and the last one has no end. */
  @Test
  void levelsDoubleTheBatch() {
    EventSource<PlainBlock> source = source(1);
    double[] ends = {10, 20, 40, 80, Double.POSITIVE_INFINITY};
    for (int level = 0; level < ends.length; level++) {
      assertEquals(ends[level], source.limitOf(level + 1));
      List<Double> positions = new ArrayList<>();
      source.draw(level, 3, 1, blocks, (offset, row, position) -> positions.add(position));
      int from = level == 0 ? 0 : (int) ends[level - 1];
      int to = (int) Math.min(ROWS, ends[level]);
      assertEquals(
          IntStream.range(from, to).mapToObj(k -> (double) k).toList(),
          positions.stream().sorted().toList());
    }
    assertEquals(1, source.levelsTo(10));
    assertEquals(2, source.levelsTo(10.5));
    assertEquals(5, source.levelsTo(81));
    assertEquals(5, source.levelsTo(Double.POSITIVE_INFINITY));
    assertThrows(IllegalArgumentException.class, () -> new PermutedRows<>(1, 1, 10, 5, 0));
  }

  /**
   * Over 24,000 iterations of a table of 23 rows each row is as often at each of four positions,
   * each pair of rows at the first two and at the ends, and each order of three given rows: seven
   * χ² tests at 10⁻⁶, so that a false alarm has probability 7·10⁻⁶. On 16 rows or fewer the orders
   * are not all as likely: the network that permutes them has two bits in each half there.
   */
  @Test
  void everyOrderIsAsLikely() {
    int n = 23;
    List<PlainBlock> table = small(n);
    int[] positions = {0, 7, n - 2, n - 1};
    long[][] at = new long[positions.length][n];
    long[][] pairs = new long[2][n * n];
    long[] orders = new long[8];
    for (int i = 1; i <= 24_000; i++) {
      List<Integer> order = order(table, n, i);
      for (int k = 0; k < positions.length; k++) {
        at[k][order.get(positions[k])]++;
      }
      pairs[0][order.get(0) * n + order.get(1)]++;
      pairs[1][order.get(0) * n + order.get(n - 1)]++;
      int a = order.indexOf(0);
      int b = order.indexOf(9);
      int c = order.indexOf(22);
      orders[(a < b ? 4 : 0) + (b < c ? 2 : 0) + (c < a ? 1 : 0)]++;
    }
    for (int k = 0; k < positions.length; k++) {
      assertUniform(at[k], "position " + positions[k]);
    }
    for (long[] pair : pairs) {
      long[] different =
          IntStream.range(0, n * n).filter(c -> c / n != c % n).mapToLong(c -> pair[c]).toArray();
      assertEquals(24_000, LongStream.of(different).sum(), "no row twice");
      assertUniform(different, "pairs");
    }
    // All three or none of a < b, b < c, c < a is impossible.
    assertEquals(0, orders[0] + orders[7]);
    assertUniform(Arrays.copyOfRange(orders, 1, 7), "orders");
  }

  private static List<PlainBlock> small(int rows) {
    List<PlainBlock> blocks = new ArrayList<>();
    for (int first = 0; first < rows; first += 4) {
      int count = Math.min(4, rows - first);
      blocks.add(
          new PlainBlock(new DenseBlock(first / 4, 1, new double[count], new double[count], null)));
    }
    return blocks;
  }

  /** Returns the numbers of the rows in an iteration's order. */
  private static List<Integer> order(List<PlainBlock> blocks, int rows, long iteration) {
    List<Integer> order = new ArrayList<>();
    new DrawnEvents<>(new PermutedRows<PlainBlock>(2, 1, rows, 4, 3), blocks)
        .visit(
            iteration,
            Double.POSITIVE_INFINITY,
            (row, position) -> order.add((int) (RowId.block(row) * 4 + RowId.row(row))));
    return order;
  }

  private static void assertUniform(long[] counts, String what) {
    double total = LongStream.of(counts).sum();
    double[] expected =
        DoubleStream.generate(() -> total / counts.length).limit(counts.length).toArray();
    double p = ChiSquareTest.withDefaults().test(expected, counts).getPValue();
    assertTrue(p > 1e-6, what + ": p = " + p);
  }
}
