package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.PickedRows;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PooledEvents;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.RowClient;

/**
 * The rows as one chain sees them: in each iteration in the order of another keyed permutation of
 * the whole table, see {@link org.lampyris.samplers.rows.PermutedRows}. In memory, sent to the
 * chain, or requested by a job; all give the same bits.
 */
public interface BatchRows {
  /** Returns the number of rows, N. */
  long rows();

  /**
   * Returns the sum of a term over the rows at the positions {@code low … high − 1} of an
   * iteration's permutation: row by row within a block, the blocks along a fixed tree over their
   * ids. All rows, if it is from 0 to N. Cost: in proportion to the rows, and a job where they are
   * not at hand.
   *
   * @throws org.lampyris.samplers.rows.PoolExhaustedException if not all of them are here
   */
  double[] sum(long iteration, long low, long high, long step, Term term);

  /** Returns a sum after which nothing is known of further ones. */
  default double[] sum(long iteration, long low, long high, Term term) {
    return sum(iteration, low, high, 0, term);
  }

  /**
   * Returns a term for rows drawn uniformly with replacement: numbers from 1 to N are drawn, and
   * each new one selects the next row of the iteration's permutation.
   *
   * @param draws how many rows
   */
  default double[][] withReplacement(
      long iteration, int draws, Term term, UniformRandomProvider rng) {
    Map<Long, double[]> seen = new HashMap<>();
    double[][] drawn = new double[draws][];
    for (int i = 0; i < draws; i++) {
      long next = seen.size();
      drawn[i] =
          seen.computeIfAbsent(
              rng.nextLong(rows()), number -> sum(iteration, next, next + 1, 1, term));
    }
    return drawn;
  }

  /** Sums, as in {@link #sum}, without looking ahead. */
  @FunctionalInterface
  interface Summing {
    /** Returns the sum. */
    double[] sum(long iteration, long low, long high, Term term);
  }

  /** Returns N rows whose sums come from somewhere. */
  static BatchRows of(long rows, Summing summing) {
    return new BatchRows() {
      @Override
      public long rows() {
        return rows;
      }

      @Override
      public double[] sum(long iteration, long low, long high, long step, Term term) {
        return summing.sum(iteration, low, high, term);
      }
    };
  }

  /** Returns rows that a chain asks for sums. Not safe for use by several threads. */
  static BatchRows asked(BatchQuestions questions, int chain, RowClient<PlainBlock> client) {
    return new BatchQuestions.Ahead(
        questions.rows(), chain, question -> client.ask(questions, question));
  }

  /** Returns all rows, by a chain's pool from each place. */
  static BatchRows whole(BatchQuestions questions, int chain, List<Pool<PlainBlock>> pools) {
    RowClient<PlainBlock> all =
        RowClient.inMemory(
            pools.stream()
                .flatMap(pool -> pool.rows().stream())
                .map(PickedRows::block)
                .sorted(Comparator.comparingLong(PlainBlock::id))
                .toList());
    return of(
        questions.rows(),
        (iteration, low, high, term) ->
            all.ask(questions, new BatchQuestions.Question(chain, iteration, low, high, term)));
  }

  /** Returns each iteration's first rows, by a chain's pool from each place. */
  static BatchRows first(BatchQuestions questions, List<Pool<PlainBlock>> pools) {
    PooledEvents<PlainBlock> events = new PooledEvents<>(pools);
    Rows<PlainBlock> rows = Rows.gathered(events.rows());
    return of(
        questions.rows(),
        (iteration, low, high, term) -> {
          LongStream.Builder ids = LongStream.builder();
          events.visit(
              iteration,
              (double) high,
              (row, position) -> {
                if (position >= low) {
                  ids.add(row);
                }
                return true;
              });
          SortedMap<Long, double[]> shares = new TreeMap<>();
          long[] sorted = ids.build().sorted().toArray();
          BatchQuestions.addTo(rows, sorted, term, 0, term.length(), shares);
          TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
          shares.forEach(sum::add);
          return TreeSum.total(sum.nodes(), term.length());
        });
  }

  /** Term of rows in a sum over a batch: a pure function, sent to the rows. */
  interface Term extends Serializable {
    /** Returns how many numbers the sum has. */
    int length();

    /** Adds the share of some rows of a block, ascending, to {@code out}. Modified. */
    void addTo(DataBlock block, int[] rows, double[] out);
  }
}
