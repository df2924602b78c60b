package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.jspecify.annotations.Nullable;

/**
 * Rates q_n at which the dark rows of a block become candidates for turning bright, q(z' = 1 | z =
 * 0) in Maclaurin and Adams (2014), section 3.2.
 *
 * <p>Each row is a candidate independently with probability q_n. BrightnessKernel.Candidates are
 * found in time proportional to their number. A unit-rate Poisson process runs over the cumulative
 * hazard H_n = Σ_{m≤n} −log(1 − q_m). A row is a candidate if at least one event falls on its
 * piece, which has probability 1 − exp(−(H_n − H_{n−1})) = q_n. After an event the process restarts
 * at the end of that piece, which is correct because it has no memory.
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

  /** Returns the number of rows. */
  int rows();

  /** Returns Σ q_n, the expected number of candidates in an iteration. Cost O(rows). */
  default double expectedCandidates() {
    double sum = 0;
    double before = 0;
    for (int row = 0; row < rows(); row++) {
      double to = hazardTo(row);
      double hazard = to - before;
      // Most rows have a small hazard, and q = hazard to four digits needs no exponential.
      sum += hazard < 1e-4 ? hazard : -Math.expm1(-hazard);
      before = to;
    }
    return sum;
  }

  /**
   * Returns the rates of some rows, in this order. BrightnessKernel.Candidates cannot be drawn from
   * them.
   */
  BlockRates select(int[] rows);

  /** Returns these rates followed by those of other selected rows of the same block. */
  BlockRates append(BlockRates other);

  /** Takes a candidate. */
  @FunctionalInterface
  interface Event {
    /** Receives the iteration, from 0, and the row in the block. */
    void candidate(int iteration, int row);
  }

  /**
   * Draws candidates in some iterations, ascending in (iteration, row).
   *
   * @param rng the stream of this chain, run of iterations and block
   * @param event receives each candidate, bright or dark; may draw from {@code rng}
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

  /** One rate for all rows, as in Algorithm 2 of Maclaurin and Adams (2014). Immutable. */
  final class Uniform implements BlockRates {
    private final double hazard;
    private final double rate;
    private final double logRate;
    private final int rows;

    /** Takes q, in (0, 1], and how many rows the block has. */
    public Uniform(double q, int rows) {
      this.hazard = BlockRates.hazard(q);
      this.rate = -Math.expm1(-hazard);
      this.logRate = Math.log(rate);
      this.rows = rows;
    }

    private Uniform(Uniform same, int rows) {
      this.hazard = same.hazard;
      this.rate = same.rate;
      this.logRate = same.logRate;
      this.rows = rows;
    }

    @Override
    public double rate(int row) {
      return rate;
    }

    @Override
    public double logRate(int row) {
      return logRate;
    }

    @Override
    public double hazardTo(int row) {
      return hazard * (row + 1);
    }

    @Override
    public int rowAt(double position) {
      int row = (int) Math.min(rows - 1.0, Math.floor(position / hazard));
      return hazardTo(row) < position && row < rows - 1 ? row + 1 : row;
    }

    @Override
    public int rows() {
      return rows;
    }

    @Override
    public BlockRates select(int[] selected) {
      return new Uniform(this, selected.length);
    }

    @Override
    public BlockRates append(BlockRates other) {
      return new Uniform(this, rows + other.rows());
    }
  }

  /** A rate for each row, as a running sum of hazards. Immutable by convention. */
  final class OfRows implements BlockRates {
    private final double[] cumulativeHazard;
    private transient @Nullable Guide guide;

    /** Takes H_n for each row, ascending; not copied. */
    public OfRows(double[] cumulativeHazard) {
      this.cumulativeHazard = cumulativeHazard;
    }

    @Override
    public double rate(int row) {
      return -Math.expm1(
          row == 0 ? -cumulativeHazard[0] : cumulativeHazard[row - 1] - cumulativeHazard[row]);
    }

    @Override
    public double hazardTo(int row) {
      return cumulativeHazard[row];
    }

    @Override
    public int rowAt(double hazard) {
      // Two threads may both make a guide, of which either will do: it is immutable.
      Guide made = guide;
      if (made == null) {
        made = new Guide(cumulativeHazard);
        guide = made;
      }
      return made.rowAt(hazard);
    }

    @Override
    public int rows() {
      return cumulativeHazard.length;
    }

    @Override
    public BlockRates select(int[] rows) {
      double[] logRates = new double[rows.length];
      Arrays.setAll(logRates, i -> logRate(rows[i]));
      return new Selected(logRates);
    }

    @Override
    public BlockRates append(BlockRates other) {
      throw new IllegalStateException("the rates of a whole block cannot be joined to others");
    }

    /**
     * Search table for the row at a cumulative hazard, the first n with H_n ≥ h, in a step or two.
     * It holds the start of equal pieces of the whole hazard, one piece for two rows; the search
     * continues row by row. A binary search took most of the time of drawing candidates, for
     * unforeseeable branches.
     *
     * <p>Immutable. Cost O(rows) to make, O(1) on average to ask where hazards are drawn uniformly.
     * Source: Chen and Asau (1974), the guide table.
     */
    static final class Guide {
      private static final int ROWS_A_PIECE = 2;

      private final double[] hazard;
      private final int[] first;
      private final double pieces;

      /** Creates the table of H_n, ascending; not copied. */
      Guide(double[] hazard) {
        this.hazard = hazard;
        this.first = new int[1 + hazard.length / ROWS_A_PIECE];
        this.pieces = first.length / hazard[hazard.length - 1];
        int row = 0;
        for (int piece = 0; piece < first.length; piece++) {
          while (row < hazard.length - 1 && hazard[row] * pieces < piece) {
            row++;
          }
          first[piece] = row;
        }
      }

      /** Returns the first row n with H_n ≥ h, or the number of rows if there is none. */
      int rowAt(double h) {
        int row = first[(int) Math.min(first.length - 1.0, h * pieces)];
        while (row > 0 && hazard[row - 1] >= h) {
          row--;
        }
        while (row < hazard.length && hazard[row] < h) {
          row++;
        }
        return row;
      }
    }
  }

  /** The rates of rows that were taken out of their block: candidates cannot be drawn from them. */
  final class Selected implements BlockRates {
    private final double[] logRates;

    Selected(double[] logRates) {
      this.logRates = logRates;
    }

    @Override
    public double rate(int row) {
      return Math.exp(logRates[row]);
    }

    @Override
    public double logRate(int row) {
      return logRates[row];
    }

    @Override
    public double hazardTo(int row) {
      throw new IllegalStateException("selected rows cannot be drawn from");
    }

    @Override
    public int rowAt(double hazard) {
      throw new IllegalStateException("selected rows cannot be drawn from");
    }

    @Override
    public int rows() {
      return logRates.length;
    }

    @Override
    public BlockRates select(int[] rows) {
      double[] selected = new double[rows.length];
      Arrays.setAll(selected, i -> logRates[rows[i]]);
      return new Selected(selected);
    }

    @Override
    public BlockRates append(BlockRates other) {
      double[] all = Arrays.copyOf(logRates, logRates.length + other.rows());
      for (int i = 0; i < other.rows(); i++) {
        all[logRates.length + i] = other.logRate(i);
      }
      return new Selected(all);
    }
  }
}
