package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The rates q_n with which the dark rows of a block become candidates for turning bright, q(z' = 1
 * | z = 0) in Maclaurin and Adams (2014), section 3.2.
 *
 * <p>Each row is a candidate independently with probability q_n. Candidates are found in time
 * proportional to their number: a unit-rate Poisson process runs over the cumulative hazard H_n =
 * Σ_{m≤n} −log(1 − q_m), and a row is a candidate if at least one event falls on its piece, which
 * has probability 1 − exp(−(H_n − H_{n−1})) = q_n. After an event the process begins anew at the
 * end of that piece, which is sound because it has no memory.
 */
public interface BlockRates extends Serializable {
  /** A hazard for q = 1: a row is passed over with probability e^−40 ≈ 4·10⁻¹⁸. */
  double LARGEST_HAZARD = 40;

  /** Returns q_n. */
  double rate(int row);

  /** Returns log q_n. */
  default double logRate(int row) {
    return Math.log(rate(row));
  }

  /** Returns H_n, the hazard up to and with a row. */
  double hazardTo(int row);

  /** Returns the first row n with H_n ≥ hazard. */
  int rowAt(double hazard);

  /** Returns how many rows there are. */
  int rows();

  /** Returns the rates of some rows, in this order. Candidates cannot be drawn from them. */
  BlockRates select(int[] rows);

  /** Returns the rates of selected rows, then those of other selected ones of the same block. */
  BlockRates append(BlockRates other);

  /** Takes a candidate. */
  @FunctionalInterface
  interface Event {
    /** Is told the iteration, from 0, and the row in the block. */
    void candidate(int iteration, int row);
  }

  /**
   * Draws candidates in some iterations, ascending in (iteration, row).
   *
   * @param rng the stream of this chain, run of iterations and block
   * @param event told each candidate, bright or dark; may draw from {@code rng}
   */
  default void draw(int iterations, UniformRandomProvider rng, Event event) {
    SharedStateContinuousSampler exponential = ZigguratSampler.Exponential.of(rng);
    int last = rows() - 1;
    double end = hazardTo(last);
    int iteration = 0;
    double position = 0;
    while (true) {
      position += exponential.sample();
      if (position > end) {
        // The process has no memory: what it overshoots the last row by, it has of a next
        // iteration.
        double passed = Math.floor(position / end);
        if (iteration + passed >= iterations) {
          return;
        }
        iteration += (int) passed;
        position = Math.max(0, position - passed * end);
      }
      int row = rowAt(position);
      event.candidate(iteration, row);
      position = hazardTo(row);
      if (row == last) {
        position = 0;
        if (++iteration == iterations) {
          return;
        }
      }
    }
  }

  /** Returns −log(1 − q), at most {@link #LARGEST_HAZARD}. */
  static double hazard(double q) {
    if (!(q > 0 && q <= 1)) {
      throw new IllegalArgumentException("a candidate rate is in (0, 1], not " + q);
    }
    return Math.min(LARGEST_HAZARD, -Math.log1p(-q));
  }
}
