package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.PermutedRows;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.RowNumbers;

/**
 * Rows that an explicit update of brightness resamples, selected independently of θ and z, and
 * without communication between the places that hold the rows.
 */
public interface RowSelection extends Serializable {
  /**
   * Names the selected rows of a run of blocks in ascending order.
   *
   * @param blocks the blocks of one place: all those between its first and its last one
   * @param iteration the iteration, from 1
   * @param size how many rows of the table the iteration selects; not used by every selection
   * @param selected receives the {@linkplain RowId global id} of each selected row
   */
  void select(List<BoundBlock> blocks, int chain, long iteration, long size, LongConsumer selected);

  /** Selects every row: a full Gibbs draw of z, as a chain comes into a ball. */
  record All() implements RowSelection {
    @Override
    public void select(
        List<BoundBlock> blocks, int chain, long iteration, long size, LongConsumer selected) {
      for (BoundBlock block : blocks) {
        for (int row = 0; row < block.data().rows(); row++) {
          selected.accept(RowId.of(block.id(), row));
        }
      }
    }
  }

  /**
   * Selects {@code size} rows of the table uniformly without replacement: the first rows of a keyed
   * pseudo-random permutation. Draws with replacement come down to the same with a random number of
   * rows, because a second Gibbs draw of a row is as good as the first.
   *
   * <p>Cost for a place: as many steps as rows are selected in the whole table, or as the place has
   * rows, whichever is less.
   *
   * @param blockRows how many rows a full block has
   */
  record Random(long seed, long rows, int blockRows) implements RowSelection {
    /** With at least a share of 1/MANY of its rows found, marking them is faster than sorting. */
    private static final int MANY = 1024;

    @Override
    public void select(
        List<BoundBlock> blocks, int chain, long iteration, long size, LongConsumer selected) {
      if (blocks.isEmpty()) {
        return;
      }
      RowPermutation permutation = new RowPermutation(seed, chain, iteration, rows);
      RowNumbers numbers = new RowNumbers(blocks, blockRows);
      long span = numbers.end() - numbers.first();
      if (size >= span) {
        for (long number = numbers.first(); number < numbers.end(); number++) {
          if (permutation.position(number) < size) {
            selected.accept(numbers.id(number));
          }
        }
      } else if (size >= rows / MANY && span <= Integer.MAX_VALUE) {
        BitSet marked = new BitSet((int) span);
        PermutedRows.find(
            permutation,
            0,
            size,
            numbers,
            (number, position) -> marked.set((int) (number - numbers.first())));
        marked.stream().forEachOrdered(row -> selected.accept(numbers.id(numbers.first() + row)));
      } else {
        LongStream.Builder found = LongStream.builder();
        PermutedRows.find(
            permutation, 0, size, numbers, (number, position) -> found.accept(number));
        found.build().sorted().forEachOrdered(number -> selected.accept(numbers.id(number)));
      }
    }
  }

  /**
   * Selects every period-th row, shifted by one from iteration to iteration, so that each row has
   * its turn once in a period. The chain is then not reversible but its target is invariant.
   *
   * @param period the number of iterations in which each row is selected once
   * @param blockRows how many rows a full block has
   */
  record Scheduled(int period, int blockRows) implements RowSelection {
    public Scheduled {
      if (period < 1) {
        throw new IllegalArgumentException("period " + period);
      }
    }

    @Override
    public void select(
        List<BoundBlock> blocks, int chain, long iteration, long size, LongConsumer selected) {
      if (blocks.isEmpty()) {
        return;
      }
      RowNumbers numbers = new RowNumbers(blocks, blockRows);
      long first = numbers.first();
      for (long number = first + Math.floorMod(iteration - first, (long) period);
          number < numbers.end();
          number += period) {
        selected.accept(numbers.id(number));
      }
    }
  }

  /** Number of different rows that an explicit update of brightness resamples in one iteration. */
  interface Size extends Serializable {
    /** Returns the number for an iteration, from its unused stream. */
    long draw(UniformRandomProvider rng);

    /**
     * Returns the number for an iteration, from 1, which may lie in the future. It is the first
     * number that an iteration draws ({@code FireflyKernel.step}), so it can be computed without
     * the chain.
     */
    default long of(Streams streams, int chain, long iteration) {
      return draw(streams.iteration(chain, iteration));
    }

    /** Returns a fixed number of rows: a draw without replacement, or a number that is not used. */
    static Size fixed(long rows) {
      return rng -> rows;
    }

    /**
     * Returns the number of different rows among {@code draws} rows drawn with replacement, as in
     * lines 3 and 4 of Algorithm 1 (Maclaurin and Adams 2014). Given that number, every set of so
     * many rows is equally likely. Cost: O(draws).
     */
    static Size distinctOf(long draws, long rows) {
      return rng -> {
        long distinct = 0;
        for (long i = 0; i < draws; i++) {
          if (rng.nextLong(rows) >= distinct) {
            distinct++;
          }
        }
        return distinct;
      };
    }
  }
}
