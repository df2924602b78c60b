package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowId;

class RowSelectionTest {
  private static final int BLOCK_ROWS = 1000;
  private static final int BLOCKS = 12;
  private static final int ROWS = BLOCK_ROWS * (BLOCKS - 1) + 7;
  private static final int CHAIN = 3;
  private static final long SEED = 41;

  private static BoundBlock block(long id, int rows) {
    DenseBlock data = new DenseBlock(id, 1, new double[rows], new double[rows], null);
    return new BoundBlock(data, Anchors.perRow(new double[rows], 1), null);
  }

  private static List<BoundBlock> table() {
    return LongStream.range(0, BLOCKS)
        .mapToObj(id -> block(id, id == BLOCKS - 1 ? ROWS % BLOCK_ROWS : BLOCK_ROWS))
        .toList();
  }

  /** Returns the numbers in the table of the rows that a place selects, in the order it has. */
  private static List<Long> selected(
      RowSelection selection, List<BoundBlock> blocks, long iteration, long size) {
    List<Long> numbers = new ArrayList<>();
    selection.select(blocks, CHAIN, iteration, size, id -> numbers.add(number(id)));
    return numbers;
  }

  private static long number(long id) {
    return RowId.block(id) * BLOCK_ROWS + RowId.row(id);
  }

  /**
   * A place with fewer rows than are selected asks about each; others find theirs, and sort them
   * or, from a thousandth of the table, mark them.
   */
  @Test
  void theRowsThatThePermutationPutsFirstAreSelectedWhereverTheyAre() {
    RowSelection random = new RowSelection.Random(SEED, ROWS, BLOCK_ROWS);
    List<BoundBlock> table = table();
    for (long iteration = 1; iteration <= 6; iteration++) {
      for (long size : new long[] {0, 1, 5, 9, 10, 11, 400, 999, 1000, 5000, 5001, ROWS}) {
        RowPermutation permutation = new RowPermutation(SEED, CHAIN, iteration, ROWS);
        List<Long> expected =
            LongStream.range(0, ROWS).filter(n -> permutation.position(n) < size).boxed().toList();
        assertEquals(size, expected.size());
        for (int cut = 0; cut <= BLOCKS; cut++) {
          List<Long> both =
              new ArrayList<>(selected(random, table.subList(0, cut), iteration, size));
          both.addAll(selected(random, table.subList(cut, BLOCKS), iteration, size));
          assertEquals(expected, both, size + " rows, cut at block " + cut);
        }
      }
    }
  }

  @Test
  void aScheduleComesToEveryRowOnceInAPeriod() {
    List<BoundBlock> table = table();
    for (int period : new int[] {1, 2, 7, 1000, 1001, 3000, ROWS, 20_000}) {
      RowSelection scheduled = new RowSelection.Scheduled(period, BLOCK_ROWS);
      List<Long> all = new ArrayList<>();
      for (long iteration = 1; iteration <= period; iteration++) {
        List<Long> whole = selected(scheduled, table, iteration, 0);
        List<Long> parts = new ArrayList<>();
        for (BoundBlock block : table) {
          parts.addAll(selected(scheduled, List.of(block), iteration, 0));
        }
        assertEquals(whole, parts, "period " + period);
        long turn = iteration % period;
        assertTrue(whole.stream().allMatch(n -> n % period == turn), "period " + period);
        all.addAll(whole);
      }
      assertEquals(
          LongStream.range(0, ROWS).boxed().toList(),
          all.stream().sorted().toList(),
          "period " + period);
    }
  }

  @Test
  void rowsAreFoundByTheirNumbersOnlyInARunOfFullBlocks() {
    RowSelection random = new RowSelection.Random(SEED, ROWS, BLOCK_ROWS);
    List<BoundBlock> gap = List.of(block(2, BLOCK_ROWS), block(4, BLOCK_ROWS));
    assertThrows(IllegalArgumentException.class, () -> selected(random, gap, 1, 5));
    List<BoundBlock> torn = List.of(block(2, 4), block(3, BLOCK_ROWS));
    assertThrows(IllegalArgumentException.class, () -> selected(random, torn, 1, ROWS));
  }

  @Test
  void theCandidatesOfAnIterationAreTheRowsThatItSelects() {
    Streams streams = new Streams(SEED);
    RowSelection random = new RowSelection.Random(SEED, ROWS, BLOCK_ROWS);
    RowSelection.Size size = RowSelection.Size.distinctOf(50, ROWS);
    List<BoundBlock> place = table().subList(3, 9);
    List<List<Long>> drawn = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    new BrightnessKernel.Candidates(new ExplicitBrightness(random), streams, CHAIN, size)
        .draw(0, 5, 3, place, (offset, id, number) -> drawn.get(offset).add(number(id)));
    for (int i = 0; i < 3; i++) {
      long selected = size.of(streams, CHAIN, 5 + i);
      assertEquals(selected(random, place, 5 + i, selected), drawn.get(i), "iteration " + (5 + i));
    }
  }
}
