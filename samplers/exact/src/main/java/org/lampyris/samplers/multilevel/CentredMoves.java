package org.lampyris.samplers.multilevel;

import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.random.Noise;

/**
 * Moves that leave every row's predictor unchanged and so read no rows: of a coefficient against
 * its effects, given their sums (local centring), and of a covariance, given the effects.
 *
 * <p>Sources: Papaspiliopoulos, Stumpf-Fétizon and Zanella (2023), section 3, for the centring of
 * one grouping at a time; Yu and Meng (2011).
 */
final class CentredMoves {
  private static final int SWEEPS = 2;
  private static final int BRACKET = 20;

  private final TableEffects of;
  private final EffectCovariance covariance;
  private final int intercept;

  /** The number of groups, Σ b_j and Σ b_jb_jᵀ. */
  private final double groups;

  private final double[] total;
  private final double[] products;

  /** Takes the sums of a grouping's effects. */
  CentredMoves(Structure structure, int grouping, LevelEffects.Tally tally) {
    this.of = structure.groupings().get(grouping);
    this.covariance = structure.covariance(grouping);
    this.intercept = structure.intercept();
    this.groups = tally.groups();
    this.total = tally.total();
    this.products = tally.products();
  }

  /**
   * Moves one effect of all groups by −c and its coefficient by c, with c drawn given the effects
   * and accepted by the coefficients' prior; returns c.
   *
   * @param theta θ. Modified.
   */
  double shift(int effect, double[] phi, Prior prior, double[] theta, Noise noise) {
    if (intercept < 0 && of.constant(effect) != 0) {
      return 0;
    }
    int q = covariance.size();
    double[] precision = SmallFactor.precision(covariance.factor(phi), q);
    double pull = 0;
    for (int f = 0; f < q; f++) {
      pull += precision[effect * q + f] * total[f];
    }
    double information = groups * precision[effect * q + effect];
    double c = pull / information + noise.normal() / Math.sqrt(information);
    double[] there = theta.clone();
    if (of.column()[effect] >= 0) {
      there[of.column()[effect]] += c * of.lines().get(effect).scale();
    }
    if (intercept >= 0) {
      there[intercept] += c * of.constant(effect);
    }
    double ratio = prior.logDensity(there) - prior.logDensity(theta);
    if (!(ratio > Double.NEGATIVE_INFINITY) || !noise.flip(Math.min(1, Math.exp(ratio)))) {
      return 0;
    }
    System.arraycopy(there, 0, theta, 0, theta.length);
    for (int f = 0; f < q; f++) {
      products[effect * q + f] -= c * total[f];
      products[f * q + effect] -= c * total[f];
    }
    products[effect * q + effect] += groups * c * c;
    total[effect] -= groups * c;
    return c;
  }

  /** Returns another φ, given the effects, by slice sampling. */
  double[] covariance(double[] phi, Noise noise) {
    LogDensity density = new Given();
    double width = Math.min(3, 3 / Math.sqrt(2 * groups));
    Slice slice =
        new Slice(
            Preconditioner.identity(phi.length), width, Slice.Directions.COORDINATE, 1, BRACKET);
    Point point = Point.at(phi);
    for (int s = 0; s < (phi.length == 1 ? 1 : SWEEPS); s++) {
      point = slice.step(density, point, noise).point();
    }
    return point.theta();
  }

  /** Returns log p(φ) + Σ_j log N(b_j; 0, LLᵀ), up to a constant. */
  double logDensity(double[] phi) {
    int q = covariance.size();
    double[] inverse = SmallFactor.inverse(covariance.factor(phi), q);
    double sum = covariance.logPrior(phi);
    for (int e = 0; e < q; e++) {
      sum += groups * Math.log(inverse[e * q + e]);
      double square = 0;
      for (int f = 0; f <= e; f++) {
        for (int h = 0; h <= e; h++) {
          square += inverse[e * q + f] * inverse[e * q + h] * products[f * q + h];
        }
      }
      sum -= 0.5 * square;
    }
    return Double.isNaN(sum) ? Double.NEGATIVE_INFINITY : sum;
  }

  private final class Given implements LogDensity {
    @Override
    public int dimension() {
      return covariance.parameters();
    }

    @Override
    public void values(double[][] phis, double[] out) {
      for (int k = 0; k < phis.length; k++) {
        out[k] = logDensity(phis[k]);
      }
    }
  }
}
