package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.function.IntConsumer;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.samplers.random.RowPermutation;

/**
 * Which rows an explicit update of brightness resamples, decided without a look at θ or z, and
 * without the blocks having to agree with each other.
 */
public interface RowSelection extends Serializable {

  /**
   * Names the selected rows of a block in ascending order.
   *
   * @param block the block
   * @param update the z-step: its iteration, and how many rows of the table it selects
   * @param chain the chain's number
   * @param selected told each selected row
   */
  void select(
      DataBlock block, FireflyQuestion.BrightnessUpdate update, int chain, IntConsumer selected);

  /** Selects every row: a full Gibbs draw of z, as a chain begins. */
  final class All implements RowSelection {
    private static final long serialVersionUID = 1L;

    @Override
    public void select(
        DataBlock block, FireflyQuestion.BrightnessUpdate update, int chain, IntConsumer selected) {
      for (int row = 0; row < block.rows(); row++) {
        selected.accept(row);
      }
    }
  }

  /**
   * Selects {@code update.selected()} rows of the table uniformly without replacement: those that a
   * keyed pseudo-random permutation of the rows puts first. Draws with replacement come down to the
   * same with a random number of rows, because a second Gibbs draw of a row is as good as the
   * first.
   */
  final class Random implements RowSelection {
    private static final long serialVersionUID = 1L;
    private final long seed;
    private final long rows;
    private final int blockRows;

    /**
     * Takes what identifies a row.
     *
     * @param seed the run's seed
     * @param rows how many rows the table has
     * @param blockRows how many rows a full block has
     */
    public Random(long seed, long rows, int blockRows) {
      this.seed = seed;
      this.rows = rows;
      this.blockRows = blockRows;
    }

    @Override
    public void select(
        DataBlock block, FireflyQuestion.BrightnessUpdate update, int chain, IntConsumer selected) {
      RowPermutation permutation = new RowPermutation(seed, chain, update.iteration(), rows);
      long first = block.id() * blockRows;
      for (int row = 0; row < block.rows(); row++) {
        if (permutation.position(first + row) < update.selected()) {
          selected.accept(row);
        }
      }
    }
  }

  /**
   * Selects every period-th row, shifted by one from iteration to iteration, so that each row has
   * its turn once in a period. The chain is then not reversible but its target is invariant.
   */
  final class Scheduled implements RowSelection {
    private static final long serialVersionUID = 1L;
    private final int period;
    private final int blockRows;

    /**
     * Takes the schedule.
     *
     * @param period the number of iterations in which each row is selected once
     * @param blockRows how many rows a full block has
     */
    public Scheduled(int period, int blockRows) {
      if (period < 1) {
        throw new IllegalArgumentException("period " + period);
      }
      this.period = period;
      this.blockRows = blockRows;
    }

    @Override
    public void select(
        DataBlock block, FireflyQuestion.BrightnessUpdate update, int chain, IntConsumer selected) {
      long first = block.id() * blockRows;
      int row = (int) Math.floorMod(update.iteration() - first, (long) period);
      for (; row < block.rows(); row += period) {
        selected.accept(row);
      }
    }
  }
}
