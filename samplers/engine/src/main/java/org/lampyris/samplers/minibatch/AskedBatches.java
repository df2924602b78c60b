package org.lampyris.samplers.minibatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows as one chain sees them that asks for sums by jobs. Where it is known how large the
 * following batches are, a job answers for as many of them as there were rows before, so that a
 * test of k looks takes about log₂ k jobs, and evaluates at most twice the rows that it looks at.
 *
 * <p>Not safe for use by several threads.
 */
final class AskedBatches implements BatchRows {
  private final long rows;
  private final int chain;
  private final Function<BatchQuestions.Question, double[]> answering;
  private BatchQuestions.@Nullable Question asked;
  private double[] answer = {};

  AskedBatches(long rows, int chain, Function<BatchQuestions.Question, double[]> answering) {
    this.rows = rows;
    this.chain = chain;
    this.answering = answering;
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public double[] sum(long iteration, long low, long high, long step, RowTerm term) {
    BatchQuestions.Question known = asked;
    // The very term: it is one object for all looks of a trial.
    int at =
        known == null || known.iteration() != iteration || known.term() != term
            ? -1
            : known.indexOf(low, high);
    if (at < 0) {
      known = new BatchQuestions.Question(chain, iteration, bounds(low, high, step), term);
      answer = answering.apply(known);
      asked = known;
      at = 0;
    }
    return Arrays.copyOfRange(answer, at * term.length(), (at + 1) * term.length());
  }

  /** Returns where the batch, and those that follow it, begin and end. */
  private long[] bounds(long low, long high, long step) {
    List<Long> bounds = new ArrayList<>(List.of(low, high));
    if (step > 0 && low > 0) {
      for (long end = high; end < Math.min(rows, 2 * low); ) {
        end = Math.min(rows, end + step);
        bounds.add(end);
      }
    }
    return bounds.stream().flatMapToLong(LongStream::of).toArray();
  }
}
