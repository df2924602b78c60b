package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.samplers.kernel.LogDensity;

/**
 * Density of joint moves of all parameters other than effects, from the chain's position: (θ', φ')
 * = (θ, φ) + Fw. The effects are carried along as in {@link LevelEffects}, b_j ↦ b'_j with y_j
 * unchanged. As |∂b'/∂y| = 1/det K', that is, up to a constant,
 *
 * <p>log p(θ') + Σ_g log p(φ'_g) + Σ_j (log N(b'_j; 0, Σ'_g) − log det K'_j) + Σ_n log L_n(θ', b').
 *
 * <p>or, of moves of θ alone, with b' = b and without the Jacobian, which is the same everywhere.
 *
 * <p>The chain is at w = 0. Each evaluation is a pass over all rows. Not safe for use by several
 * threads.
 */
final class GlobalDensity implements LogDensity {
  private final Structure structure;
  private final EffectsState.Shared shared;
  private final double[] theta;
  private final double[][] phi;
  private final EffectsState.Frame frame;
  private final double[] factor;
  private final boolean isHeld;
  private final Rows rows;
  private final List<Evaluated> evaluated = new ArrayList<>();

  /** Asks the rows. */
  @FunctionalInterface
  interface Rows {
    /** Returns the answer at θ, with these effects, and with those at the rows displaced. */
    double[] ask(double[] theta, double[][] effects, LevelEffects.@Nullable Displacement local);
  }

  /** End of a move, with its evaluation. */
  record Evaluated(
      double[] w,
      double[] theta,
      double[][] phi,
      @Nullable LevelEffects[] effects,
      LevelEffects.Displacement[] by,
      double[] answer,
      LevelEffects.Tally[] tallies,
      double value) {}

  /**
   * Takes the chain's position.
   *
   * @param held the shape of moves of θ alone, with all effects as they are; null for moves of all
   * @param known the rows' answer at w = 0
   */
  GlobalDensity(
      Structure structure,
      double[] theta,
      double[][] phi,
      EffectsState.Shared shared,
      EffectsState.Frame frame,
      double @Nullable [] held,
      double[] known,
      Rows rows) {
    this.structure = structure;
    this.theta = theta;
    this.phi = phi;
    this.shared = shared;
    this.frame = frame;
    this.isHeld = held != null;
    this.factor = held == null ? frame.factor() : held;
    this.rows = rows;
    evaluate(new double[structure.parameters()], known);
  }

  @Override
  public int dimension() {
    return structure.parameters();
  }

  /** Returns the evaluation of a point. */
  Evaluated at(double[] w) {
    return evaluated.stream()
        .filter(one -> Arrays.equals(one.w, w))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a point that was not evaluated"));
  }

  @Override
  public void values(double[][] ws, double[] out) {
    for (int k = 0; k < ws.length; k++) {
      Evaluated there = known(ws[k]);
      out[k] = there == null ? Double.NEGATIVE_INFINITY : there.value;
    }
  }

  @Override
  public double valueAndGradient(double[] w, double[] gradient) {
    Evaluated there = known(w);
    Arrays.fill(gradient, 0);
    if (there == null) {
      return Double.NEGATIVE_INFINITY;
    }
    double[] slope = gradient(there);
    for (int i = 0; i < slope.length; i++) {
      for (int j = 0; j < slope.length; j++) {
        gradient[j] += factor[i * slope.length + j] * slope[i];
      }
    }
    return there.value;
  }

  private @Nullable Evaluated known(double[] w) {
    for (Evaluated one : evaluated) {
      if (Arrays.equals(one.w, w)) {
        return one;
      }
    }
    return evaluate(w.clone(), null);
  }

  private @Nullable Evaluated evaluate(double[] w, double @Nullable [] answered) {
    int p = w.length;
    double[] move = new double[p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        move[i] += factor[i * p + j] * w[j];
      }
    }
    double[] to = theta.clone();
    for (int k = 0; k < to.length; k++) {
      to[k] += move[k];
    }
    double value = structure.prior().logDensity(to);
    int columns = structure.model().columns();
    double[] from = new double[columns];
    double[] moved = new double[columns];
    for (int k = 0; k < columns; k++) {
      from[k] = theta[k] - frame.reference()[k];
      moved[k] = (isHeld ? theta[k] : to[k]) - frame.reference()[k];
    }
    double[][] phis = new double[phi.length][];
    LevelEffects.Displacement[] by = new LevelEffects.Displacement[phi.length];
    @Nullable LevelEffects[] effects = new LevelEffects[phi.length];
    double[][] values = new double[phi.length][];
    int at = to.length;
    for (int g = 0; g < phi.length; g++) {
      phis[g] = phi[g].clone();
      for (int k = 0; k < phis[g].length; k++) {
        phis[g][k] += move[at++];
      }
      value += structure.covariance(g).logPrior(phis[g]);
      by[g] =
          new LevelEffects.Displacement(
              from,
              moved,
              structure.precision(g, phi[g]),
              structure.precision(g, phis[g]),
              new double[structure.size(g)],
              structure.around(g, phis[g]));
      LevelEffects of = shared.effects()[g];
      if (of != null) {
        LevelEffects there = of.displaced(by[g]);
        effects[g] = there;
        values[g] = there.values();
      }
    }
    if (!(value > Double.NEGATIVE_INFINITY)) {
      return null;
    }
    LevelEffects.Displacement local = structure.local() < 0 ? null : by[structure.local()];
    double[] answer = answered == null ? rows.ask(to, values, local) : answered;
    value += answer[0];
    LevelEffects.Tally[] tallies = new LevelEffects.Tally[phi.length];
    for (int g = 0; g < phi.length; g++) {
      tallies[g] = tally(g, by[g], values, answer);
      value += tallies[g].logDensity();
    }
    Evaluated there = new Evaluated(w, to, phis, effects, by, answer, tallies, value);
    evaluated.add(there);
    return there;
  }

  private LevelEffects.Tally tally(
      int g, LevelEffects.Displacement by, double[][] values, double[] answer) {
    int q = structure.size(g);
    int columns = structure.model().columns();
    LevelEffects of = shared.effects()[g];
    if (of == null) {
      return new LevelEffects.Tally(q, columns, answer, structure.layout().tallyAt());
    }
    double[] sums = new double[LevelEffects.tally(q, columns)];
    LevelEffects.Stride slopes =
        new LevelEffects.Stride(structure.layout().sumsAt(g, values) + 1, LevelStep.sums(q));
    of.addTally(by, answer, slopes, sums, 0);
    return new LevelEffects.Tally(q, columns, sums, 0);
  }

  private double[] gradient(Evaluated there) {
    double[] all = new double[dimension()];
    double[] ofTheta = new double[theta.length];
    structure.prior().addGradient(there.theta, ofTheta);
    for (int k = 0; k < theta.length; k++) {
      all[k] = ofTheta[k] + there.answer[1 + k];
    }
    int at = theta.length;
    for (int g = 0; g < phi.length; g++) {
      LevelEffects.Tally tally = there.tallies[g];
      for (int k = 0; k < structure.model().columns(); k++) {
        all[k] += isHeld ? 0 : tally.slope(k);
      }
      EffectCovariance covariance = structure.covariance(g);
      covariance.addPriorGradient(there.phi[g], all, at);
      for (int k = 0; k < covariance.parameters(); k++) {
        all[at++] += tally.covarianceSlope(k);
      }
    }
    return all;
  }
}
