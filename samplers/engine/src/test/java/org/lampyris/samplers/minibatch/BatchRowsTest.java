package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.rows.PermutedRows;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PoolExhaustedException;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.testdata.LogisticTable;

/** A batch's sum, wherever its rows are: the same bits. */
class BatchRowsTest {
  private static final long SEED = 5;
  private static final int CHAIN = 2;
  private static final long FIRST = 11;
  private static final List<PlainBlock> BLOCKS =
      LogisticTable.blocks().stream().map(PlainBlock::new).toList();
  private static final BatchQuestions QUESTIONS =
      new BatchQuestions(SEED, LogisticTable.ROWS, LogisticTable.BLOCK_ROWS);

  /** Σ x_n, and Σ n² of the numbers in the block: neither is exact in binary. */
  private record Sums() implements BatchRows.Term {
    @Override
    public int length() {
      return 2;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      for (int row : rows) {
        out[0] += block.feature(row, 1);
        out[1] += 0.1 * block.id() + Math.exp(block.feature(row, 2));
      }
    }
  }

  private static BatchRows asked(List<List<PlainBlock>> places) {
    return BatchRows.of(
        LogisticTable.ROWS,
        (iteration, low, high, term) -> {
          BatchQuestions.Question question =
              new BatchQuestions.Question(CHAIN, iteration, low, high, term);
          List<TreeSum.Node[]> shares = new ArrayList<>();
          for (List<PlainBlock> blocks : places) {
            long from = blocks.get(0).id();
            Place<PlainBlock> place = new Place<>(from, from + blocks.size(), blocks);
            shares.addAll(QUESTIONS.add(place, List.of(question)));
          }
          return QUESTIONS.merge(question, shares);
        });
  }

  private static List<Pool<PlainBlock>> pools(int first) {
    List<Pool<PlainBlock>> pools = new ArrayList<>();
    for (List<PlainBlock> place : List.of(BLOCKS.subList(4, 6), BLOCKS.subList(0, 4))) {
      pools.add(
          first == 0
              ? Pool.whole(FIRST, 5, place)
              : Pool.draw(
                  new PermutedRows<>(
                      SEED, CHAIN, LogisticTable.ROWS, LogisticTable.BLOCK_ROWS, first),
                  FIRST,
                  5,
                  first,
                  place));
    }
    return pools;
  }

  @Test
  void whereverTheRowsAre() {
    BatchRows one = asked(List.of(BLOCKS));
    List<BatchRows> others =
        List.of(
            asked(List.of(BLOCKS.subList(0, 1), BLOCKS.subList(1, 4), BLOCKS.subList(4, 6))),
            BatchRows.whole(QUESTIONS, CHAIN, pools(0)),
            BatchRows.first(QUESTIONS, pools(60)));
    for (long iteration = FIRST; iteration < FIRST + 5; iteration++) {
      for (long[] batch : new long[][] {{0, 1}, {0, 30}, {30, 60}, {17, 19}, {5, 5}}) {
        double[] expected = one.sum(iteration, batch[0], batch[1], new Sums());
        for (BatchRows other : others) {
          assertArrayEquals(expected, other.sum(iteration, batch[0], batch[1], new Sums()));
        }
      }
    }
    assertThrows(PoolExhaustedException.class, () -> others.get(2).sum(FIRST, 0, 61, new Sums()));
    assertArrayEquals(
        one.sum(FIRST, 0, LogisticTable.ROWS, new Sums()),
        others.get(1).sum(FIRST, 0, LogisticTable.ROWS, new Sums()));
  }

  /** The rows are those that the permutation puts there, and each row is somewhere. */
  @Test
  void aBatchIsWhatThePermutationPutsThere() {
    BatchRows rows = asked(List.of(BLOCKS));
    RowPermutation permutation = new RowPermutation(SEED, CHAIN, 12, LogisticTable.ROWS);
    double expected =
        IntStream.range(20, 45)
            .mapToLong(permutation::numberAt)
            .mapToDouble(
                n ->
                    BLOCKS
                        .get((int) n / LogisticTable.BLOCK_ROWS)
                        .data()
                        .feature((int) n % LogisticTable.BLOCK_ROWS, 1))
            .sum();
    assertEquals(expected, rows.sum(12, 20, 45, new Sums())[0], 1e-12);
    double[] all = rows.sum(12, 0, LogisticTable.ROWS, new Sums());
    double[] parts = new double[2];
    for (long[] part : new long[][] {{0, 33}, {33, 100}, {100, LogisticTable.ROWS}}) {
      double[] sum = rows.sum(12, part[0], part[1], new Sums());
      Arrays.setAll(parts, i -> parts[i] + sum[i]);
    }
    assertArrayEquals(all, parts, 1e-12);
  }

  /** 24 looks at four rows each take six jobs: the sums are the same, to the bit. */
  @Test
  void aJobAnswersForFurtherLooks() {
    BatchRows one = asked(List.of(BLOCKS));
    int[] jobs = new int[1];
    BatchQuestions.Ahead ahead =
        new BatchQuestions.Ahead(
            LogisticTable.ROWS,
            CHAIN,
            question -> {
              jobs[0]++;
              return RowClient.inMemory(BLOCKS).ask(QUESTIONS, question);
            });
    Sums term = new Sums();
    for (int low = 0; low < 96; low += 4) {
      assertArrayEquals(
          one.sum(12, low, low + 4, term), ahead.sum(12, low, low + 4, 4, term), "from " + low);
    }
    assertEquals(6, jobs[0]);
    // Another term and another iteration are asked for anew.
    assertArrayEquals(one.sum(12, 92, 96, term), ahead.sum(12, 92, 96, 4, new Changed()));
    assertArrayEquals(one.sum(13, 92, 96, term), ahead.sum(13, 92, 96, 4, term));
  }

  /** Another object that sums the same. */
  private record Changed() implements BatchRows.Term {
    @Override
    public int length() {
      return 2;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      new Sums().addTo(block, rows, out);
    }
  }
}
