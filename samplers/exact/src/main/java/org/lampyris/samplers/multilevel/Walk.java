package org.lampyris.samplers.multilevel;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel.Transition;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.rows.RowStates.Generation;

/**
 * Chain within an iteration: its changing state, and the answers of its rows. Modified by the steps
 * of {@link MultilevelKernel} and by {@link LevelModes}; not safe for use by several threads.
 */
final class Walk {
  /** The rows of a chain. */
  @FunctionalInterface
  interface Rows {
    /** Asks about a state of the rows, which leads to the next one. */
    double[] ask(Generation before, EffectsQuestion question);
  }

  private final int chain;
  private final Structure structure;
  private final MultilevelKernel.Plan plan;
  private final Rows rows;

  /** Coefficients and further elements of θ. */
  double[] theta;

  /** The covariances, by grouping. */
  final double[][] phi;

  /** The effects, by grouping; null for the one whose effects are at the rows. */
  @Nullable LevelEffects[] effects;

  EffectsState.Frame frame;

  /** The rows' answer at the chain's position; null if unknown. */
  double @Nullable [] known;

  /** Number of evaluated likelihoods of rows. */
  long evaluations;

  private final @Nullable EffectRecorder[] recorders;
  private Generation at;
  private LevelEffects.@Nullable Displacement pending;
  private double logDensity = Double.NaN;

  /** Starts at a chain's position. */
  Walk(int chain, Structure structure, MultilevelKernel.Plan plan, Rows rows, EffectsState from) {
    this.chain = chain;
    this.structure = structure;
    this.plan = plan;
    this.rows = rows;
    theta = from.theta().clone();
    phi = from.phi().clone();
    effects = from.shared().effects().clone();
    recorders = from.shared().recorders().clone();
    at = from.rows();
    pending = from.pending();
    frame = from.frame();
    known = from.known();
  }

  /** Asks the rows at some θ, with the present effects. */
  double[] ask(
      EffectsQuestion.Task task, double[] there, LevelEffects.@Nullable Displacement local) {
    return ask(task, there, values(), local);
  }

  /** Returns the effects, by grouping; null for those at the rows. */
  double[][] values() {
    double[][] values = new double[effects.length][];
    for (int g = 0; g < values.length; g++) {
      LevelEffects of = effects[g];
      values[g] = of == null ? null : of.values();
    }
    return values;
  }

  /**
   * Asks the rows.
   *
   * @param values the effects, by grouping
   * @param displacement displacement of the effects at the rows; null for none
   */
  double[] ask(
      EffectsQuestion.Task task,
      double[] there,
      double[][] values,
      LevelEffects.@Nullable Displacement displacement) {
    int local = structure.local();
    EffectsQuestion.Local of = null;
    if (local >= 0) {
      of =
          new EffectsQuestion.Local(
              pending, displacement == null ? here(local, true) : displacement);
    }
    double[] answer = rows.ask(at, new EffectsQuestion(chain, there, values, of, task));
    at = at.next();
    pending = null;
    evaluations += plan.rowCount();
    return answer;
  }

  /** Returns the precision of the effects of a grouping. */
  double[] precision(int grouping) {
    return structure.precision(grouping, phi[grouping]);
  }

  /** Returns the displacement that leaves a grouping unchanged. */
  LevelEffects.Displacement here(int grouping, boolean around) {
    double[] from = new double[structure.model().columns()];
    for (int k = 0; k < from.length; k++) {
      from[k] = theta[k] - frame.reference()[k];
    }
    double[] precision = precision(grouping);
    return new LevelEffects.Displacement(
        from,
        from,
        precision,
        precision,
        new double[structure.size(grouping)],
        around ? structure.around(grouping, phi[grouping]) : null);
  }

  /** Returns the rows' answer at the chain's position. */
  double[] known() {
    double[] answer = known;
    if (answer == null) {
      answer = ask(new EffectsQuestion.Evaluate(), theta, null);
      known = answer;
    }
    return answer;
  }

  /** Moves to evaluated coefficients and covariances. */
  void adopt(GlobalDensity.Evaluated to) {
    if (structure.local() >= 0 && !Arrays.equals(to.w(), new double[to.w().length])) {
      pending = to.by()[structure.local()].plain();
    }
    theta = to.theta().clone();
    System.arraycopy(to.phi(), 0, phi, 0, phi.length);
    effects = to.effects();
    known = to.answer();
  }

  /**
   * Returns the density of coefficients and covariances, effects carried along; {@code held} as
   * there.
   */
  GlobalDensity density(double @Nullable [] held) {
    return new GlobalDensity(
        structure,
        theta,
        phi,
        new EffectsState.Shared(effects, recorders),
        frame,
        held,
        known(),
        (there, values, local) -> ask(new EffectsQuestion.Evaluate(), there, values, local));
  }

  /** Moves the effects of nested groupings against each other, and their covariances. */
  void split(NestedMoves.Nesting nesting, Noise noise) {
    LevelEffects inner = Objects.requireNonNull(effects[nesting.inner()]);
    LevelEffects outer = Objects.requireNonNull(effects[nesting.outer()]);
    new NestedMoves(structure, nesting, inner, outer).step(phi, effects, noise);
  }

  /** Moves coefficients against effects, and covariances given effects. */
  void centre(GlobalDensity.Evaluated to, Noise noise) {
    logDensity = structure.prior().logDensity(theta) + to.answer()[0];
    for (int g = 0; g < phi.length; g++) {
      CentredMoves moves = new CentredMoves(structure, g, to.tallies()[g]);
      double before = structure.prior().logDensity(theta);
      for (int e = 0; e < structure.size(g); e++) {
        shift(g, e, moves.shift(e, phi[g], structure.prior(), theta, noise));
      }
      logDensity += structure.prior().logDensity(theta) - before;
      phi[g] = moves.covariance(phi[g], noise);
      logDensity += moves.logDensity(phi[g]);
    }
  }

  /** Takes from an effect of all levels of a grouping. */
  private void shift(int g, int effect, double by) {
    if (by == 0) {
      return;
    }
    LevelEffects of = effects[g];
    if (of == null) {
      LevelEffects.Displacement before = pending == null ? here(g, false) : pending;
      pending = before.shifted(effect, by);
      return;
    }
    double[] values = of.values().clone();
    for (int i = effect; i < values.length; i += of.size()) {
      values[i] -= by;
    }
    effects[g] = of.with(values);
  }

  /** Returns the end of the iteration. */
  Transition<EffectsState> transition(long iteration, StepInfo info) {
    int d = theta.length;
    double[] all = Arrays.copyOf(theta, structure.parameters());
    int to = d;
    for (int g = 0; g < phi.length; g++) {
      double[] reported = structure.covariance(g).reported(phi[g]);
      System.arraycopy(reported, 0, all, to, reported.length);
      to += reported.length;
      LevelEffects of = effects[g];
      EffectRecorder recorder = recorders[g];
      if (of != null && recorder != null) {
        GroupingEffects effects = structure.groupings().get(g).effects();
        recorders[g] = recorder.with(effects.toInput(of.values()), plan.phase(iteration));
      }
    }
    EffectsState state =
        new EffectsState(
            new Point(all, logDensity),
            theta,
            phi,
            new EffectsState.Shared(effects, recorders),
            at,
            pending,
            frame,
            known);
    return new Transition<>(
        state,
        new StepInfo(
            info.acceptanceProbability(), evaluations, info.divergent(), info.tuning(), List.of()));
  }
}
