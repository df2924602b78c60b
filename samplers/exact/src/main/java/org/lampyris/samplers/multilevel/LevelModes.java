package org.lampyris.samplers.multilevel;

import java.util.Arrays;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Shapes of a chain's moves with random effects, made at the chain's position: the modes and
 * curvatures of groups, and the frame in which coefficients and covariances move.
 *
 * @param walk the chain, whose shapes and frame are set
 */
record LevelModes(Structure structure, MultilevelKernel.Plan plan, Walk walk) {
  /** Rounds over the groupings in which ridges of several are made. */
  private static final int RIDGE_ROUNDS = 6;

  /** Rounds in which the modes of one grouping are found. */
  private static final int MODE_ROUNDS = 2;

  /** Initial standard deviation, in units of the effect of one row's information. */
  private static final double FIRST_SD = 0.5;

  /** Spread of the chains' initial values, natural log. */
  private static final double FIRST_SPREAD = 0.7;

  /**
   * Additional curvature of φ. If groups carry little information on it, it moves little together
   * with the coefficients, and by itself, given the effects.
   */
  private static final double PRIOR_CURVATURE = 4;

  /**
   * Number of levels below which a grouping carries so little information on φ that the
   * coefficients' spread, with effects carried along, depends on φ. Every other step of
   * coefficients then leaves effects unchanged, which has one shape for all φ. With 20 levels φ
   * itself, which moves in half of the iterations only, loses more by that than coefficients gain.
   */
  private static final int FEW = 10;

  /** Sets the initial standard deviations. */
  void begin(int chain) {
    double[] spread = walk.ask(new EffectsQuestion.Spread(), walk.theta, null);
    Noise noise = Noise.of(plan.streams().stream(Streams.Purpose.INITIAL, chain, 1, 0));
    int k = 0;
    for (int g = 0; g < walk.phi.length; g++) {
      for (int e = 0; e < structure.size(g); e++) {
        double one = Math.sqrt(plan.rowCount() / spread[k++]);
        double sd = FIRST_SD * one * Math.exp(FIRST_SPREAD * noise.normal());
        walk.phi[g][e] = Double.isFinite(sd) ? Math.log(sd) : 0;
      }
    }
  }

  /** Makes the shapes of groups and the frame at the chain's position. */
  void make() {
    int rounds = structure.count() == 1 ? MODE_ROUNDS : RIDGE_ROUNDS;
    for (int r = 0; r < rounds; r++) {
      for (int g = 0; g < structure.count(); g++) {
        shape(g);
      }
      // What was made about another place is gone: all is about this one.
      walk.frame =
          new EffectsState.Frame(walk.frame.factor(), walk.theta.clone(), walk.frame.held());
    }
    frame();
    walk.known = null;
  }

  private float[][] ridges() {
    float[][] all = new float[walk.effects.length][];
    for (int g = 0; g < all.length; g++) {
      LevelEffects of = walk.effects[g];
      all[g] = of == null ? null : of.ridge();
    }
    return all;
  }

  private void shape(int g) {
    LevelEffects of = walk.effects[g];
    EffectsQuestion.Task task = new EffectsQuestion.Shape(g, ridges());
    if (of == null) {
      walk.ask(task, walk.theta, null);
      return;
    }
    double[][] values = walk.values();
    LevelEffects modes = of.modes(walk.here(g, false));
    values[g] = modes.values();
    walk.effects[g] = of.shaped(walk.ask(task, walk.theta, values, null), modes, walk.precision(g));
  }

  /** Makes F with FFᵀ the inverse of the curvature in (θ, φ). */
  private void frame() {
    boolean few =
        plan.sweeps() > 1 || structure.groupings().stream().allMatch(of -> of.levels() < FEW);
    double[] factor = factor(true);
    walk.frame = new EffectsState.Frame(factor, walk.frame.reference(), few ? factor(false) : null);
  }

  /** Returns F; if effects are not carried, θ's factor, and zeros. */
  private double[] factor(boolean carried) {
    int columns = structure.model().columns();
    int dimension = walk.theta.length;
    double[][][] derivatives = new double[walk.phi.length][][];
    Arrays.setAll(derivatives, g -> structure.derivatives(g, walk.phi[g]));
    int m = columns + Arrays.stream(walk.phi).mapToInt(of -> of.length).sum();
    double[] gram =
        walk.ask(new EffectsQuestion.Gram(ridges(), derivatives, carried), walk.theta, null);
    int at = columns;
    for (int g = 0; g < walk.phi.length; g++) {
      LevelEffects of = walk.effects[g];
      if (of != null && carried) {
        of.addInformation(walk.precision(g), derivatives[g], gram, m, at);
      }
      at += walk.phi[g].length;
    }
    int p = structure.parameters();
    double[] curvature = new double[p * p];
    for (int i = 0; i < m; i++) {
      int a = i < columns ? i : i + dimension - columns;
      for (int j = 0; j <= i; j++) {
        int b = j < columns ? j : j + dimension - columns;
        curvature[a * p + b] = gram[i * m + j];
        curvature[b * p + a] = gram[i * m + j];
      }
    }
    double[] prior = new double[dimension];
    structure.prior().addCurvature(walk.theta, prior);
    for (int k = 0; k < p; k++) {
      curvature[k * p + k] += k < dimension ? Math.max(0, -prior[k]) : PRIOR_CURVATURE;
      if (k >= columns && k < dimension) {
        curvature[k * p + k] += sharedCurvature(k);
      }
    }
    double[] factor =
        Cholesky.scaled(curvature, p)
            .map(of -> Cholesky.lower(of.inverse(), p))
            .orElseGet(() -> diagonal(curvature, p));
    if (!carried) {
      // φ stays as it is; it does not go with θ here, so that no other element changes.
      for (int k = dimension; k < p; k++) {
        factor[k * p + k] = 0;
      }
    }
    return factor;
  }

  /** Returns −∂²/∂θ_k² of the log-likelihood, from its slopes near the chain's position. */
  private double sharedCurvature(int k) {
    double step = 0.01;
    double[] slopes = new double[2];
    for (int s = 0; s < 2; s++) {
      double[] there = walk.theta.clone();
      there[k] += s == 0 ? -step : step;
      slopes[s] = walk.ask(new EffectsQuestion.Evaluate(), there, null)[1 + k];
    }
    return Math.max(1, (slopes[0] - slopes[1]) / (2 * step));
  }

  private double[] diagonal(double[] curvature, int p) {
    double[] all = new double[p * p];
    for (int k = 0; k < p; k++) {
      double c = curvature[k * p + k];
      all[k * p + k] = c > 0 && c < Double.POSITIVE_INFINITY ? 1 / Math.sqrt(c) : 1;
    }
    return all;
  }
}
