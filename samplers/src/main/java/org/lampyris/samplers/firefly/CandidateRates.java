package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The rates q_n with which dark rows become candidates for turning bright, q(z' = 1 | z = 0) in
 * Maclaurin and Adams (2014), section 3.2.
 *
 * <p>Each row of a block is a candidate independently with probability q_n. Candidates are found in
 * time proportional to their number: a unit-rate Poisson process runs over the cumulative hazard
 * H_n = Σ_{m≤n} −log(1 − q_m), and a row is a candidate if at least one event falls on its piece,
 * which has probability 1 − exp(−(H_n − H_{n−1})) = q_n. After an event the process begins anew at
 * the end of that piece, which is sound because it has no memory.
 */
public sealed interface CandidateRates extends Serializable {

  /** A hazard for q = 1: a row is passed over with probability e^−40 ≈ 4·10⁻¹⁸. */
  double LARGEST_HAZARD = 40;

  /** Returns q_n. */
  double rate(BoundBlock block, int row);

  /** Returns log q_n. */
  default double logRate(BoundBlock block, int row) {
    return Math.log(rate(block, row));
  }

  /** Returns H_n, the hazard up to and with a row. */
  double hazardTo(BoundBlock block, int row);

  /** Returns the first row n with H_n ≥ hazard. */
  int rowAt(BoundBlock block, double hazard);

  /** Takes a candidate. */
  @FunctionalInterface
  interface Event {
    /** Is told the iteration, from 0, and the row in the block. */
    void candidate(int iteration, int row);
  }

  /**
   * Draws the candidates of a block in some iterations, ascending in (iteration, row).
   *
   * @param block the block
   * @param iterations how many iterations
   * @param rng the stream of this chain, run of iterations and block
   * @param event told each candidate, bright or dark; may draw from {@code rng}
   */
  default void draw(BoundBlock block, int iterations, UniformRandomProvider rng, Event event) {
    SharedStateContinuousSampler exponential = ZigguratSampler.Exponential.of(rng);
    int last = block.data().rows() - 1;
    double end = hazardTo(block, last);
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
      int row = rowAt(block, position);
      event.candidate(iteration, row);
      position = hazardTo(block, row);
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

  /** One rate for all rows, as in Algorithm 2. */
  final class Uniform implements CandidateRates {
    private static final long serialVersionUID = 1L;
    private final double hazard;
    private final double rate;
    private final double logRate;

    /** Takes q in (0, 1]. */
    public Uniform(double q) {
      this.hazard = hazard(q);
      this.rate = -Math.expm1(-hazard);
      this.logRate = Math.log(rate);
    }

    @Override
    public double rate(BoundBlock block, int row) {
      return rate;
    }

    @Override
    public double logRate(BoundBlock block, int row) {
      return logRate;
    }

    @Override
    public double hazardTo(BoundBlock block, int row) {
      return hazard * (row + 1);
    }

    @Override
    public int rowAt(BoundBlock block, double position) {
      int row = (int) Math.min(block.data().rows() - 1.0, Math.floor(position / hazard));
      return hazardTo(block, row) < position && row < block.data().rows() - 1 ? row + 1 : row;
    }
  }

  /** A rate for each row, from the hazards that the {@link BoundBlock} carries. */
  final class PerRow implements CandidateRates {
    private static final long serialVersionUID = 1L;

    @Override
    public double rate(BoundBlock block, int row) {
      double[] hazard = hazards(block);
      return -Math.expm1(row == 0 ? -hazard[0] : hazard[row - 1] - hazard[row]);
    }

    @Override
    public double logRate(BoundBlock block, int row) {
      double[] known = block.logRates();
      return known == null ? Math.log(rate(block, row)) : known[row];
    }

    @Override
    public double hazardTo(BoundBlock block, int row) {
      return hazards(block)[row];
    }

    @Override
    public int rowAt(BoundBlock block, double position) {
      return block.hazardGuide().rowAt(position);
    }

    private static double[] hazards(BoundBlock block) {
      return block.requireHazard();
    }
  }
}
