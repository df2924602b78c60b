package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.random.Streams;

/** How many different rows an explicit update of brightness resamples in one iteration. */
public interface SelectionSize extends Serializable {
  /** Returns the number for an iteration, by its stream, from which nothing has been drawn yet. */
  long draw(UniformRandomProvider rng);

  /**
   * Returns the number for an iteration, from 1, that may be yet to come. It is the first thing
   * that an iteration draws ({@code FireflyKernel.step}), so that it can be told without the chain.
   */
  default long of(Streams streams, int chain, long iteration) {
    return draw(streams.iteration(chain, iteration));
  }

  /** Returns a fixed number of rows: a draw without replacement, or a number that is not used. */
  static SelectionSize fixed(long rows) {
    return rng -> rows;
  }

  /**
   * Returns how many different rows there are among {@code draws} rows drawn with replacement, as
   * in lines 3 and 4 of Algorithm 1 (Maclaurin and Adams 2014). Given that number, every set of so
   * many rows is equally likely. Cost: O(draws).
   */
  static SelectionSize distinctOf(long draws, long rows) {
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
