package org.lampyris.samplers.minibatch;

/**
 * The rows as one chain sees them: in each iteration in the order of another keyed permutation of
 * the whole table, see {@link org.lampyris.samplers.pool.PermutedRows}. In memory, carried to the
 * chain, or asked for by a job; all answer alike, to the bit.
 */
public interface BatchRows {
  /** Returns how many rows there are, N. */
  long rows();

  /**
   * Returns the sum of a term over the rows at the positions {@code low … high − 1} of an
   * iteration's permutation: row by row within a block, the blocks along a fixed tree over their
   * ids. All rows, if it is from 0 to N. Cost: in proportion to the rows, and a job where they are
   * not at hand.
   *
   * @throws org.lampyris.samplers.pool.PoolExhaustedException if not all of them are here
   */
  double[] sum(long iteration, long low, long high, long step, RowTerm term);

  /** Returns a sum after which nothing is known of further ones. */
  default double[] sum(long iteration, long low, long high, RowTerm term) {
    return sum(iteration, low, high, 0, term);
  }

  /** Sums, as {@link #sum} tells, without a look ahead. */
  @FunctionalInterface
  interface Summing {
    /** Returns the sum. */
    double[] sum(long iteration, long low, long high, RowTerm term);
  }

  /** Returns N rows whose sums come from somewhere. */
  static BatchRows of(long rows, Summing summing) {
    return new BatchRows() {
      @Override
      public long rows() {
        return rows;
      }

      @Override
      public double[] sum(long iteration, long low, long high, long step, RowTerm term) {
        return summing.sum(iteration, low, high, term);
      }
    };
  }
}
