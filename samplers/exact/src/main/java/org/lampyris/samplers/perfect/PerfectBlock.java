package org.lampyris.samplers.perfect;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.run.BlockRule;

/**
 * Block of rows with their upper quadratics U_n, one for each shell of the envelope, and the
 * constants c_n by which rows are drawn.
 *
 * <p>U_n is tangent to log L_n at the mode and lies above it in the ball of a shell, ‖θ − θ̂‖ ≤ r.
 * The excess φ_n(θ) = U_n(θ) − log L_n(θ) is therefore not negative there. With B_n, the lower
 * quadratic of the same ball, U_n − B_n = ½δᵀM_nδ with M_n positive semidefinite, so that
 *
 * <pre>0 ≤ φ_n(θ) ≤ U_n(θ) − B_n(θ) ≤ c_n ‖θ − θ̂‖², c_n = ½ tr(M_n Σ̂).</pre>
 *
 * <p>The trace bounds the largest eigenvalue of ½LᵀM_nL and equals it if the row depends on θ
 * through one linear predictor: c_n = ½(κ_B − κ_U)·x_nᵀΣ̂x_n. It is the difference of the two
 * {@link LowerBound#usualGap usual gaps}. c_n has the order of n^(−3/2), so Σ c_n shrinks like
 * 1/√n.
 *
 * <p>Immutable by convention: the arrays are not copied. Source: ours.
 */
public final class PerfectBlock implements RowBlock<PerfectBlock> {
  /** Allowance for rounding in differences of a running sum, which must not lower a bound. */
  private static final double ALLOWANCE = 1 + 1e-9;

  private final DataBlock data;

  /** The upper anchors by shell; none if the log-likelihood is quadratic itself. */
  private final Anchors[] upper;

  /** By shell, for each row the sum of c_n up to and with that row. */
  private final double[][] cumulative;

  private PerfectBlock(DataBlock data, Anchors[] upper, double[][] cumulative) {
    this.data = data;
    this.upper = upper;
    this.cumulative = cumulative;
  }

  @Override
  public DataBlock data() {
    return data;
  }

  /** Returns c_n in a shell. */
  double constant(int shell, int row) {
    double[] sums = cumulative[shell];
    return row == 0 ? sums[0] : sums[row] - sums[row - 1];
  }

  /** Returns Σ_n c_n in a shell. */
  double total(int shell) {
    return cumulative[shell][cumulative[shell].length - 1];
  }

  /** Returns the row on whose piece of the running sum a number in [0, total) falls. */
  private int rowAt(int shell, double position) {
    double[] sums = cumulative[shell];
    int found = Arrays.binarySearch(sums, position);
    int row = found >= 0 ? found + 1 : -found - 1;
    while (row < sums.length - 1 && !(constant(shell, row) > 0)) {
      row++;
    }
    return Math.min(row, sums.length - 1);
  }

  @Override
  public PerfectBlock select(int[] rows) {
    Anchors[] selected = new Anchors[upper.length];
    double[][] sums = new double[upper.length][rows.length];
    for (int k = 0; k < upper.length; k++) {
      selected[k] = upper[k].select(rows);
      for (int i = 0; i < rows.length; i++) {
        sums[k][i] = (i == 0 ? 0 : sums[k][i - 1]) + constant(k, rows[i]);
      }
    }
    return new PerfectBlock(data.select(rows), selected, sums);
  }

  @Override
  public PerfectBlock append(PerfectBlock other) {
    Anchors[] all = new Anchors[upper.length];
    double[][] sums = new double[upper.length][];
    for (int k = 0; k < upper.length; k++) {
      all[k] = upper[k].append(other.upper[k]);
      sums[k] = Arrays.copyOf(cumulative[k], data.rows() + other.data.rows());
      for (int i = 0; i < other.data.rows(); i++) {
        sums[k][data.rows() + i] = total(k) + other.cumulative[k][i];
      }
    }
    return new PerfectBlock(data.append(other.data), all, sums);
  }

  @Override
  public long packedBytes() {
    long bytes = data.packedBytes();
    for (int k = 0; k < upper.length; k++) {
      bytes += upper[k].packedBytes() + (long) Double.BYTES * cumulative[k].length;
    }
    return bytes;
  }

  /**
   * Rule that derives the upper quadratics and the constants of a block.
   *
   * @param model the rows' likelihood
   * @param laplace N(θ̂, Σ̂), where U_n are tangent and by which lengths are measured
   * @param bounds the local bounds of the balls of the shells, from the smallest; none if the
   *     log-likelihood is quadratic, so that U_n = log L_n and no row is ever read
   */
  record Rule(Model model, LaplaceApproximation laplace, List<LowerBound> bounds)
      implements BlockRule<PerfectBlock> {
    /** Relative amount by which rounding may exceed c_n‖θ − θ̂‖². */
    private static final double TOLERANCE = 1e-9;

    /** Copies the list. */
    Rule {
      bounds = List.copyOf(bounds);
    }

    /** {@inheritDoc} Cost O(d²) a row and shell. */
    @Override
    public PerfectBlock resident(DataBlock block) {
      int shells = bounds.size();
      Anchors[] upper = new Anchors[shells];
      double[][] cumulative = new double[shells][];
      boolean alone = shells > 0 && bounds.get(0).functionals() == 1;
      double[] sds = alone ? laplace.sds(block) : new double[0];
      for (int k = 0; k < shells; k++) {
        LowerBound.BothAnchors both = bounds.get(k).bothAnchorsAt(block, laplace.mode());
        upper[k] =
            both.upper()
                .orElseThrow(
                    () ->
                        UserException.usage(
                            "sampler.algorithm: perfect needs a quadratic above the likelihood, and"
                                + " the LowerBound of this family has none. Override"
                                + " upperAnchorsAt in it, or set sampler.algorithm: firefly."));
        cumulative[k] = constants(bounds.get(k), block, sds, both.lower(), upper[k]);
        double sum = 0;
        for (int row = 0; row < cumulative[k].length; row++) {
          sum += ALLOWANCE * Math.max(0, cumulative[k][row]);
          cumulative[k][row] = sum;
        }
      }
      return new PerfectBlock(block, upper, cumulative);
    }

    /**
     * Returns c_n = ½ tr(M_n Σ̂) for each row.
     *
     * @param sds √(x_nᵀΣ̂x_n) if a row has one functional; else empty. Not modified.
     */
    private double[] constants(
        LowerBound bound, DataBlock block, double[] sds, Anchors lower, Anchors upper) {
      double[] constants = new double[block.rows()];
      for (int row = 0; row < constants.length; row++) {
        if (!bound.hasUsualGap()) {
          constants[row] = trace(bound, block, row, lower, upper);
          continue;
        }
        double[] spread =
            sds.length > 0 ? new double[] {sds[row] * sds[row]} : laplace.spread(bound, block, row);
        constants[row] =
            bound.usualGap(block, row, spread, lower) - bound.usualGap(block, row, spread, upper);
      }
      return constants;
    }

    /** Returns ½ tr(M_n Σ̂) from the two quadratics of a row. */
    private double trace(LowerBound bound, DataBlock block, int row, Anchors lower, Anchors upper) {
      DataBlock one = block.select(new int[] {row});
      return trace(
          collapsed(bound, one, upper.select(new int[] {row})),
          collapsed(bound, one, lower.select(new int[] {row})));
    }

    /**
     * Returns ½ tr(MΣ̂) of the difference ½δᵀMδ of two quadratics with one tangent.
     *
     * @param above the upper quadratic, packed. Not modified.
     * @param below the lower one, packed. Not modified.
     */
    private double trace(double[] above, double[] below) {
      int d = laplace.dimension();
      double[] covariance = laplace.covariance();
      double trace = 0;
      int at = 0;
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          double element = above[at] - below[at++];
          trace += (i == j ? 1 : 2) * covariance[i * d + j] * element;
        }
      }
      return trace;
    }

    private double[] collapsed(LowerBound bound, DataBlock block, Anchors anchors) {
      CollapsedQuadratic sum = new CollapsedQuadratic(laplace.mode());
      bound.collapse(block, anchors, sum);
      return sum.packed();
    }

    /** Returns how many numbers the sums of a block are. */
    int sumLength() {
      int packed = CollapsedQuadratic.packedLength(laplace.dimension());
      return Math.max(1, bounds.size()) * (packed + 1);
    }

    /** Adds, by shell, Σ_n U_n about the mode, packed, and Σ_n c_n. */
    void addTo(PerfectBlock block, double[] out) {
      int packed = CollapsedQuadratic.packedLength(laplace.dimension());
      if (bounds.isEmpty()) {
        CollapsedQuadratic sum = new CollapsedQuadratic(laplace.mode());
        new TaylorProxy(model, 2, laplace, Double.POSITIVE_INFINITY).collapse(block.data, sum);
        System.arraycopy(sum.packed(), 0, out, 0, packed);
      }
      for (int k = 0; k < bounds.size(); k++) {
        double[] sum = collapsed(bounds.get(k), block.data, block.upper[k]);
        System.arraycopy(sum, 0, out, k * (packed + 1), packed);
        out[k * (packed + 1) + packed] = block.total(k);
      }
    }

    /**
     * Returns φ_n(θ), clear of rounding.
     *
     * @param limit c_n‖θ − θ̂‖²
     * @throws BoundException if φ_n is negative or above the limit by more than rounding explains
     */
    double excess(PerfectBlock block, int shell, int row, double[] theta, double limit) {
      double excess = -bounds.get(shell).gap(block.data, row, theta, block.upper[shell]);
      double beyond = Math.max(-excess, excess - limit) - TOLERANCE * limit;
      if (beyond > 0
          && !Rounding.explains(beyond, model.largestTerm(block.data, row, theta))
          && !Rounding.explains(beyond, model.largestTerm(block.data, row, laplace.mode()))) {
        throw new BoundException(
            block.data,
            row,
            theta,
            "the upper quadratic exceeds log L by %s, which is not between 0 and %s,"
                .formatted(excess, limit),
            "upperAnchorsAt, anchorsAt or usualGap of its LowerBound");
      }
      return Math.max(0, Math.min(limit, excess));
    }
  }

  /**
   * Proposals that one job tests.
   *
   * @param number the batch's number, from 1
   * @param shells the shell of each proposal
   * @param thetas the proposals
   * @param heights ‖θ − θ̂‖² of each, or 0 if no row is to decide
   */
  @SuppressWarnings("ArrayRecordComponent") // sent once, never compared
  record Batch(long number, int[] shells, double[][] thetas, double[] heights)
      implements Serializable {}

  /**
   * Test of a batch by the points of a Poisson process over (row n, height h) with rate c_n dh, 0 ≤
   * h &lt; ‖θ − θ̂‖², fresh ones for each proposal. A proposal fails if a point lies below
   * φ_n(θ)/c_n, so it passes with probability
   *
   * <pre>Π_n exp(−c_n · φ_n(θ)/c_n) = exp(−Σ_n φ_n(θ)).</pre>
   *
   * <p>The points of all proposals of a batch are drawn together: Poisson(Σ_i ‖θ_i − θ̂‖² Σ_n c_n)
   * in a block, each with a proposal, a row and a height. A stream is keyed by (batch, block), so
   * the answer does not depend on where blocks lie. Once a point has failed a proposal, the block
   * reads no more rows for it.
   *
   * <p>The answer has an element for each proposal: the number of rows read, negative if one of
   * them failed it. Cost in proportion to the points, and one stream a block.
   */
  record Points(Rule rule, Streams streams)
      implements RowQuestions<PerfectBlock, Batch, int[], int[]> {
    @Override
    public List<int[]> add(Place<PerfectBlock> place, List<Batch> questions) {
      List<int[]> shares = new ArrayList<>();
      for (Batch batch : questions) {
        int[] read = new int[batch.thetas.length];
        boolean[] failed = new boolean[read.length];
        for (int shell = 0; shell < rule.bounds().size(); shell++) {
          double[] heights = new double[read.length];
          double sum = 0;
          for (int i = 0; i < heights.length; i++) {
            sum += batch.shells[i] == shell ? batch.heights[i] : 0;
            heights[i] = sum;
          }
          for (PerfectBlock block : place.blocks()) {
            test(block, shell, batch, heights, read, failed);
          }
        }
        for (int i = 0; i < read.length; i++) {
          read[i] = failed[i] ? -read[i] : read[i];
        }
        shares.add(read);
      }
      return shares;
    }

    /**
     * Tests the proposals of a shell by the rows of a block.
     *
     * @param heights the running sum of ‖θ_i − θ̂‖² over the proposals of the shell
     * @param read how many rows each proposal has read; modified
     * @param failed which proposals have failed; modified
     */
    private void test(
        PerfectBlock block,
        int shell,
        Batch batch,
        double[] heights,
        int[] read,
        boolean[] failed) {
      double height = heights[heights.length - 1];
      double mean = height * block.total(shell);
      if (!(mean > 0)) {
        return;
      }
      UniformRandomProvider rng =
          streams.stream(
              Streams.Purpose.CANDIDATES,
              0,
              batch.number * rule.bounds().size() + shell,
              block.id());
      boolean[] failedHere = new boolean[failed.length];
      int points = PoissonSampler.of(rng, mean).sample();
      for (int k = 0; k < points; k++) {
        int found = Arrays.binarySearch(heights, rng.nextDouble() * height);
        int i = found >= 0 ? found + 1 : -found - 1;
        while (i < heights.length && !(batch.heights[i] > 0 && batch.shells[i] == shell)) {
          i++; // an exact hit belongs to the next proposal of the shell
        }
        int row = block.rowAt(shell, rng.nextDouble() * block.total(shell));
        double share = rng.nextDouble();
        if (i < heights.length && !failedHere[i]) {
          double limit = block.constant(shell, row) * batch.heights[i];
          failedHere[i] = share * limit < rule.excess(block, shell, row, batch.thetas[i], limit);
          failed[i] |= failedHere[i];
          read[i]++;
        }
      }
    }

    @Override
    public int[] merge(Batch question, List<int[]> shares) {
      int[] all = new int[question.thetas.length];
      boolean[] failed = new boolean[all.length];
      for (int[] share : shares) {
        for (int i = 0; i < all.length; i++) {
          all[i] += Math.abs(share[i]);
          failed[i] |= share[i] < 0;
        }
      }
      for (int i = 0; i < all.length; i++) {
        all[i] = failed[i] ? -all[i] : all[i];
      }
      return all;
    }
  }
}
