package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Candidate rates that follow how often each row is bright: q_n = κ · E[1 − B_n(θ)/L_n(θ)] under
 * the Laplace approximation θ ~ N(θ̂, Σ̂), but at least a multiple of the mean rate and at most 1.
 *
 * <p>The bound of a row depends on θ through x_nᵀθ alone, which is normal with mean x_nᵀθ̂ and
 * variance h_n = x_nᵀΣ̂x_n (the leverage), so the expectation is an integral in one dimension: it
 * is taken by Gauss–Hermite quadrature along θ̂ + t·Σ̂x_n/√h_n. Cost: O(d² + d · nodes) a row,
 * once.
 *
 * <p>Any rates in (0, 1] leave the posterior exact; these make a row that is often bright a
 * candidate often. The floor keeps a row whose rate is estimated too small from staying dark, or
 * bright, for long.
 */
public final class PerRowRates implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int NODES = 15;

  private final LowerBound bound;
  private final double[] mode;
  private final double[] covariance;
  private final double kappa;
  private final double floor;
  private final GaussHermite quadrature = new GaussHermite(NODES);

  /**
   * Takes the Laplace approximation and the constants of the rule.
   *
   * @param bound the rows' bound, a function of one linear predictor
   * @param mode θ̂
   * @param covariance Σ̂, row-major
   * @param kappa κ, above 0
   * @param floor the least rate, as a multiple of the mean of κ·E[1 − B_n/L_n]; above 0
   */
  public PerRowRates(
      LowerBound bound, double[] mode, double[] covariance, double kappa, double floor) {
    if (!(kappa > 0) || !(floor > 0)) {
      throw new IllegalArgumentException("kappa " + kappa + ", floor " + floor);
    }
    this.bound = bound;
    this.mode = mode.clone();
    this.covariance = covariance.clone();
    this.kappa = kappa;
    this.floor = floor;
  }

  /** Returns E[1 − B_n/L_n] for each row of a block. */
  public double[] expectedBrightness(DataBlock block, Anchors anchors) {
    int d = mode.length;
    double[] direction = new double[d];
    double[] theta = new double[d];
    double[] expected = new double[block.rows()];
    for (int row = 0; row < expected.length; row++) {
      for (int i = 0; i < d; i++) {
        direction[i] = block.dot(row, covariance, i * d);
      }
      double deviation = Math.sqrt(block.dot(row, direction, 0));
      double sum = 0;
      for (int k = 0; k < NODES; k++) {
        double t = deviation > 0 ? quadrature.node(k) / deviation : 0;
        for (int i = 0; i < d; i++) {
          theta[i] = mode[i] + t * direction[i];
        }
        double gap = bound.gap(block, row, theta, anchors);
        sum += quadrature.weight(k) * StableMath.brightProbability(gap);
      }
      expected[row] = sum;
    }
    return expected;
  }

  /** Returns Σ E[1 − B_n/L_n] over a block that carries {@link #expectedBrightness} as hazards. */
  public double total(BoundBlock block) {
    double sum = 0;
    for (double e : carried(block)) {
      sum += e;
    }
    return sum;
  }

  /**
   * Returns a block with the cumulative hazards of its rates.
   *
   * @param block a block that carries {@link #expectedBrightness} in the place of hazards
   * @param mean the mean of E[1 − B_n/L_n] over the table
   */
  public BoundBlock withHazards(BoundBlock block, double mean) {
    double[] expected = carried(block);
    double least = Math.max(floor * kappa * mean, Double.MIN_NORMAL);
    double[] cumulative = new double[expected.length];
    double sum = 0;
    for (int row = 0; row < cumulative.length; row++) {
      double rate = Math.min(1, Math.max(kappa * expected[row], least));
      sum += CandidateRates.hazard(rate);
      cumulative[row] = sum;
    }
    return new BoundBlock(block.data(), block.anchors(), cumulative);
  }

  /** Returns blocks in memory with their anchors and the hazards of these rates. */
  public List<BoundBlock> inMemory(List<DataBlock> blocks, Function<DataBlock, Anchors> anchors) {
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    List<BoundBlock> expected = new ArrayList<>();
    long rows = 0;
    for (DataBlock block : blocks) {
      Anchors own = anchors.apply(block);
      BoundBlock bound = new BoundBlock(block, own, expectedBrightness(block, own));
      expected.add(bound);
      sum.add(block.id(), new double[] {total(bound)});
      rows += block.rows();
    }
    double mean = TreeSum.total(sum.nodes(), 1)[0] / rows;
    return expected.stream().map(block -> withHazards(block, mean)).toList();
  }

  private static double[] carried(BoundBlock block) {
    double[] carried = block.cumulativeHazard();
    if (carried == null) {
      throw new IllegalStateException("the block carries no expectations");
    }
    return carried;
  }
}
