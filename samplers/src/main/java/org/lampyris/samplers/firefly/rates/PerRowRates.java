package org.lampyris.samplers.firefly.rates;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Candidate rates that follow how often each row is bright: q_n = κ · E[1 − B_n(θ)/L_n(θ)] under
 * the Laplace approximation θ ~ N(θ̂, Σ̂), but at least a multiple of the mean rate and at most 1.
 *
 * <p>The bound of a row depends on θ through a few linear functionals v_kᵀθ alone, which are normal
 * with mean v_kᵀθ̂ and covariance C_kl = v_kᵀΣ̂v_l, so the expectation is an integral in as many
 * dimensions. For one, as in a regression (v = x_n, C the leverage), it is taken by Gauss–Hermite
 * quadrature along θ̂ + t·Σ̂x_n/√C; for P of them, as in a softmax regression, by a
 * spherical-radial cubature at θ̂ + W L^−ᵀz, where W has the columns Σ̂v_k and C = LLᵀ. Cost a row,
 * once: O(Pd² + Pd · nodes), for a softmax O(d² + Pd · nodes).
 *
 * <p>Any rates in (0, 1] leave the posterior exact; these make a row that is often bright a
 * candidate often. The floor keeps a row whose rate is estimated too small from staying dark, or
 * bright, for long.
 */
public final class PerRowRates implements Serializable {
  private static final int NODES = 15;
  private static final int MOST_FUNCTIONALS = 32;

  /** A functional's variance given those before it, as a share of its own, that is rounding. */
  private static final double DEPENDENT = 1e-12;

  private final LowerBound bound;
  private final double[] mode;
  private final double[] covariance;
  private final double kappa;
  private final double floor;
  private final GaussRule quadrature = GaussRule.hermite(NODES);
  private final @Nullable SphericalRadialRule cubature;

  /**
   * Takes the Laplace approximation and the constants of the rule.
   *
   * @param mode θ̂
   * @param covariance Σ̂, row-major
   * @param kappa κ, above 0
   * @param floor the least rate, as a multiple of the mean of κ·E[1 − B_n/L_n]; above 0
   * @throws UserException (usage) if the bound depends on θ through more than 32 functionals
   */
  public PerRowRates(
      LowerBound bound, double[] mode, double[] covariance, double kappa, double floor) {
    if (!(kappa > 0) || !(floor > 0)) {
      throw new IllegalArgumentException("kappa " + kappa + ", floor " + floor);
    }
    if (bound.functionals() > MOST_FUNCTIONALS) {
      throw UserException.usage(
          ("candidate rates for each row are for bounds of at most %s linear functions of the"
                  + " coefficients a row, and this one has %s; choose sampler.firefly.z_kernel:"
                  + " implicit")
              .formatted(MOST_FUNCTIONALS, bound.functionals()));
    }
    this.bound = bound;
    this.cubature = bound.functionals() == 1 ? null : new SphericalRadialRule(bound.functionals());
    this.mode = mode.clone();
    this.covariance = covariance.clone();
    this.kappa = kappa;
    this.floor = floor;
  }

  /** Returns E[1 − B_n/L_n] for each row of a block. */
  public double[] expectedBrightness(DataBlock block, Anchors anchors) {
    return cubature == null ? onALine(block, anchors) : inSpace(cubature, block, anchors);
  }

  private double[] onALine(DataBlock block, Anchors anchors) {
    int d = mode.length;
    double[] direction = new double[d];
    double[] theta = new double[d];
    double[] expected = new double[block.rows()];
    for (int row = 0; row < expected.length; row++) {
      for (int i = 0; i < d; i++) {
        direction[i] = bound.functional(block, row, 0, covariance, i * d);
      }
      double deviation = Math.sqrt(bound.functional(block, row, 0, direction, 0));
      double sum = 0;
      for (int k = 0; k < NODES; k++) {
        double t = deviation > 0 ? quadrature.nodes()[k] / deviation : 0;
        for (int i = 0; i < d; i++) {
          theta[i] = mode[i] + t * direction[i];
        }
        double gap = bound.checked(bound.gap(block, row, theta, anchors), block, row, theta);
        sum += quadrature.weights()[k] * StableMath.brightProbability(gap);
      }
      expected[row] = sum;
    }
    return expected;
  }

  private double[] inSpace(SphericalRadialRule rule, DataBlock block, Anchors anchors) {
    int p = bound.functionals();
    double[][] directions = new double[p][mode.length];
    double[] theta = new double[mode.length];
    double[] expected = new double[block.rows()];
    for (int row = 0; row < expected.length; row++) {
      directions(block, row, directions);
      double sum = 0;
      for (int node = 0; node < rule.size(); node++) {
        System.arraycopy(mode, 0, theta, 0, theta.length);
        for (int k = 0; k < p; k++) {
          double t = rule.node(node, k);
          for (int i = 0; i < theta.length; i++) {
            theta[i] += t * directions[k][i];
          }
        }
        double gap = bound.checked(bound.gap(block, row, theta, anchors), block, row, theta);
        sum += rule.weight(node) * StableMath.brightProbability(gap);
      }
      expected[row] = sum;
    }
    return expected;
  }

  /**
   * Writes the columns of W L^−ᵀ: those of W made orthonormal one after the other in the metric of
   * Σ̂⁻¹. A column that depends on those before it becomes 0.
   */
  private void directions(DataBlock block, int row, double[][] directions) {
    int d = mode.length;
    for (int k = 0; k < directions.length; k++) {
      double[] w = directions[k];
      for (int i = 0; i < d; i++) {
        w[i] = bound.functional(block, row, k, covariance, i * d);
      }
      double variance = bound.functional(block, row, k, w, 0);
      double left = variance;
      for (int l = 0; l < k; l++) {
        // v_kᵀ W_l L^−ᵀ is the element L_kl.
        double factor = bound.functional(block, row, k, directions[l], 0);
        left -= factor * factor;
        for (int i = 0; i < d; i++) {
          w[i] -= factor * directions[l][i];
        }
      }
      double scale = left > DEPENDENT * variance ? 1 / Math.sqrt(left) : 0;
      for (int i = 0; i < d; i++) {
        w[i] *= scale;
      }
    }
  }

  /** Returns a block's rates, from its {@link #expectedBrightness} and the table's mean of it. */
  public RowRates rates(double[] expected, double mean) {
    double least = Math.max(floor * kappa * mean, Double.MIN_NORMAL);
    double[] cumulative = new double[expected.length];
    double sum = 0;
    for (int row = 0; row < cumulative.length; row++) {
      double rate = Math.min(1, Math.max(kappa * expected[row], least));
      sum += BlockRates.hazard(rate);
      cumulative[row] = sum;
    }
    return new RowRates(cumulative);
  }
}
