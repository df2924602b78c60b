package org.lampyris.samplers.multilevel;

import java.util.function.Function;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.random.Noise;

/**
 * Approximate density of a covariance with the effects integrated out: log p(φ) + Σ_j log ∫ N(b; 0,
 * Σ) exp(h_jᵀb − ½bᵀH_jb) db. It looks at no row, and proposes a φ far from where the chain is; one
 * evaluation of the rows then decides, with the effects carried along.
 *
 * <p>Slices of random coordinates are in detailed balance with this density, q(φ → φ') π̃(φ) = q(φ'
 * → φ) π̃(φ'). A proposal is therefore accepted with probability min(1, π(φ')π̃(φ) / (π(φ)π̃(φ'))),
 * which is 1 if the approximation of the rows is exact. Source: Liu (2001), section 9.4.3, the
 * surrogate transition; the density is a Laplace approximation.
 */
final class MarginalCovariance implements LogDensity {
  /** Lines that a proposal moves along, for each coordinate. */
  private static final int UPDATES = 3;

  private static final double WIDTH = 2;
  private static final int BRACKET = 10;

  private final Structure structure;
  private final int grouping;
  private final EffectCovariance covariance;
  private final LevelEffects effects;
  private final LevelEffects.Displacement here;

  /**
   * Takes the effects of a grouping.
   *
   * @param here the displacement that leaves them where they are
   */
  MarginalCovariance(
      Structure structure, int grouping, LevelEffects effects, LevelEffects.Displacement here) {
    this.structure = structure;
    this.grouping = grouping;
    this.covariance = structure.covariance(grouping);
    this.effects = effects;
    this.here = here;
  }

  /**
   * Makes a step of φ, with the effects carried along; one evaluation of the rows.
   *
   * @param phi of all groupings
   * @param densities returns the density of moves of a shape, from where the chain is
   * @return where the chain comes to
   */
  GlobalDensity.Evaluated step(
      double[][] phi, Function<double[], GlobalDensity> densities, Noise noise) {
    Point from = new Point(phi[grouping], value(phi[grouping]));
    Point to = propose(from, noise);
    int p = structure.parameters();
    double[] identity = new double[p * p];
    for (int k = 0; k < p; k++) {
      identity[k * p + k] = 1;
    }
    GlobalDensity density = densities.apply(identity);
    double[][] moves = new double[2][p];
    int at = structure.model().dimension();
    for (int g = 0; g < grouping; g++) {
      at += phi[g].length;
    }
    for (int k = 0; k < dimension(); k++) {
      moves[1][at + k] = to.theta()[k] - phi[grouping][k];
    }
    double[] values = new double[2];
    density.values(moves, values);
    double ratio = values[1] - values[0] + from.logDensity() - to.logDensity();
    boolean accepted = noise.flip(Double.isNaN(ratio) ? 0 : Math.min(1, Math.exp(ratio)));
    return density.at(moves[accepted ? 1 : 0]);
  }

  private Point propose(Point from, Noise noise) {
    return new Slice(
            Preconditioner.identity(dimension()),
            WIDTH,
            Slice.Directions.RANDOM_COORDINATE,
            UPDATES * dimension(),
            BRACKET)
        .step(this, from, noise)
        .point();
  }

  @Override
  public int dimension() {
    return covariance.parameters();
  }

  @Override
  public void values(double[][] phis, double[] out) {
    for (int k = 0; k < phis.length; k++) {
      double value =
          covariance.logPrior(phis[k])
              + effects.logMarginal(here, structure.precision(grouping, phis[k]));
      out[k] = Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
    }
  }
}
