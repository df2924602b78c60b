package org.lampyris.samplers.effects;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.effects.rows.Displacement;
import org.lampyris.samplers.effects.rows.EffectRecorder;
import org.lampyris.samplers.effects.rows.EffectsQuestion;
import org.lampyris.samplers.effects.rows.GroupStep;
import org.lampyris.samplers.effects.rows.LevelEffects;
import org.lampyris.samplers.kernel.Noise;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rowstate.RowStates.Generation;
import org.lampyris.samplers.run.ChainSettings;

/**
 * An iteration of a regression with random effects, each part of which leaves the joint posterior
 * of coefficients, covariances and effects invariant:
 *
 * <ol>
 *   <li>the effects of groups that lie together, each by {@link GroupStep}s beside its rows;
 *   <li>the effects of each other grouping, all groups at once, by one {@link GroupStep} each;
 *   <li>the covariance of a grouping of some levels, in every other iteration, the effects carried
 *       along: {@link MarginalCovariance};
 *   <li>coefficients and covariances by the θ-kernel, the effects carried along: {@link
 *       GlobalDensity}; with few groups, in every other iteration coefficients alone;
 *   <li>coefficients against effects, and covariances given effects, without rows: {@link
 *       CentredMoves}.
 * </ol>
 *
 * <p>In the warm-up the ridge and the frame are made anew where the chain is, a few times.
 */
final class MultilevelKernel implements TransitionKernel<EffectsState> {
  /** Rounds over the groupings by which ridges of several are made. */
  private static final int RIDGE_ROUNDS = 6;

  /** Rounds by which the modes of one grouping are found. */
  private static final int MODE_ROUNDS = 2;

  /** What a standard deviation begins with, in those of the effect of one row's information. */
  private static final double FIRST_SD = 0.5;

  /** By how much those of chains differ, natural log. */
  private static final double FIRST_SPREAD = 0.7;

  /**
   * What φ is taken to curve by besides what groups say: where they say little of it, it moves
   * little together with the coefficients, and by itself, given the effects.
   */
  private static final double PRIOR_CURVATURE = 4;

  /**
   * Groupings of fewer levels say so little of their φ that the coefficients' spread, with effects
   * carried along, is another at each φ: then every other step of coefficients leaves effects as
   * they are, which has one shape for all φ. With 20 levels φ itself, which moves in half of the
   * iterations only, loses more by that than coefficients gain.
   */
  private static final int FEW = 10;

  /**
   * Groupings of fewer levels have their covariance moved by itself as well: of a few dozen groups,
   * 15 to 70 iterations went into an effective draw of a slope's standard deviation, of thousands
   * 3.
   */
  private static final long SOME = 200;

  /**
   * How often that is: at every iteration it gains no more than it costs, an evaluation of the
   * rows.
   */
  private static final int COVARIANCE_EVERY = 2;

  /** τ of these steps, in (0, 1]: what is known of the shape is nearly exact. */
  private static final double HELD_STEP = 0.9;

  private final int chain;
  private final Structure structure;
  private final Plan plan;
  private final Rows rows;

  /**
   * What an iteration goes by besides the model.
   *
   * @param rowCount how many rows there are
   */
  record Plan(MultilevelSettings settings, ChainSettings chains, Streams streams, long rowCount) {
    /** Returns the last iteration in which what is denser is always accepted. */
    long settled() {
      return Math.min(50, chains.warmup() / 4);
    }

    long last() {
      return chains.warmup() + (long) chains.draws() * chains.thin();
    }

    /** Returns whether shapes are made anew before an iteration. */
    boolean shapes(long iteration) {
      int warmup = chains.warmup();
      return iteration < warmup
          && (iteration == 6
              || iteration == 21
              || iteration == warmup / 6
              || iteration == warmup / 3
              || iteration == warmup * 2 / 3);
    }

    /** Returns what the effects after an iteration are to the recorders. */
    EffectRecorder.Phase phase(long iteration) {
      long drawn = iteration - chains.warmup();
      if (drawn > 0) {
        return drawn % chains.thin() == 0 ? EffectRecorder.Phase.KEPT : EffectRecorder.Phase.NONE;
      }
      return iteration > chains.warmup() / 2
          ? EffectRecorder.Phase.SETTLING
          : EffectRecorder.Phase.NONE;
    }
  }

  /** The rows of a chain. */
  @FunctionalInterface
  interface Rows {
    /** Asks about a state of the rows; leads to the next one. */
    double[] ask(Generation before, EffectsQuestion question);
  }

  /** Makes the kernel of a chain. */
  MultilevelKernel(int chain, Structure structure, Plan plan, Rows rows) {
    this.chain = chain;
    this.structure = structure;
    this.plan = plan;
    this.rows = rows;
  }

  @Override
  public Transition<EffectsState> init(double[] theta) {
    int count = structure.count();
    double[][] phi = new double[count][];
    @Nullable LevelEffects[] effects = new LevelEffects[count];
    @Nullable EffectRecorder[] recorders = new EffectRecorder[count];
    for (int g = 0; g < count; g++) {
      phi[g] = new double[structure.covariance(g).parameters()];
      if (g != structure.local()) {
        int levels = Math.toIntExact(structure.groupings().get(g).levels());
        effects[g] = LevelEffects.zero(levels, structure.size(g), structure.model().columns());
        recorders[g] = structure.layout().recorder(levels * structure.size(g));
      }
    }
    Walk walk =
        new Walk(
            new EffectsState(
                Point.at(theta),
                theta,
                phi,
                new EffectsState.Shared(effects, recorders),
                Generation.first(chain),
                null,
                new EffectsState.Frame(new double[0], theta, null),
                null));
    walk.begin();
    walk.shape();
    return walk.transition(0, new StepInfo(1, 0, false));
  }

  @Override
  public Transition<EffectsState> step(
      EffectsState state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    Walk walk = new Walk(state);
    if (plan.shapes(iteration)) {
      walk.shape();
    }
    walk.stepLocal(iteration);
    walk.stepShared(iteration);
    walk.stepCovariance(iteration, rng);
    ThetaKernel.Step step = walk.stepGlobals(iteration, kernel, rng);
    boolean last = iteration == plan.last();
    if (last && structure.local() >= 0) {
      walk.ask(new EffectsQuestion.Keep(), walk.theta, null);
    }
    return walk.transition(iteration, StepInfo.of(step, 0, List.of()));
  }

  /** A chain within an iteration. */
  private final class Walk {
    private double[] theta;
    private final double[][] phi;
    private @Nullable LevelEffects[] effects;
    private final @Nullable EffectRecorder[] recorders;
    private Generation at;
    private @Nullable Displacement pending;
    private EffectsState.Frame frame;
    private double @Nullable [] known;
    private long evaluations;
    private double logDensity = Double.NaN;

    Walk(EffectsState from) {
      theta = from.theta().clone();
      phi = from.phi().clone();
      effects = from.shared().effects().clone();
      recorders = from.shared().recorders().clone();
      at = from.rows();
      pending = from.pending();
      frame = from.frame();
      known = from.known();
    }

    double[] ask(EffectsQuestion.Task task, double[] there, @Nullable Displacement local) {
      return ask(task, there, values(), local);
    }

    private double[][] values() {
      double[][] values = new double[effects.length][];
      for (int g = 0; g < values.length; g++) {
        LevelEffects of = effects[g];
        values[g] = of == null ? null : of.values();
      }
      return values;
    }

    private double[] ask(
        EffectsQuestion.Task task,
        double[] there,
        double[][] values,
        @Nullable Displacement displacement) {
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
      evaluations += plan.rowCount;
      return answer;
    }

    private double[] precision(int grouping) {
      return structure.precision(grouping, phi[grouping]);
    }

    /** Returns the displacement that leaves a grouping where it is. */
    private Displacement here(int grouping, boolean around) {
      double[] from = new double[structure.model().columns()];
      for (int k = 0; k < from.length; k++) {
        from[k] = theta[k] - frame.reference()[k];
      }
      double[] precision = precision(grouping);
      return new Displacement(
          from,
          from,
          precision,
          precision,
          new double[structure.size(grouping)],
          around ? structure.around(grouping, phi[grouping]) : null);
    }

    private double[] known() {
      double[] answer = known;
      if (answer == null) {
        answer = ask(new EffectsQuestion.Evaluate(), theta, null);
        known = answer;
      }
      return answer;
    }

    /** Sets the standard deviations to begin with. */
    void begin() {
      double[] spread = ask(new EffectsQuestion.Spread(), theta, null);
      Noise noise = Noise.of(plan.streams.stream(Streams.Purpose.INITIAL, chain, 1, 0));
      int k = 0;
      for (int g = 0; g < phi.length; g++) {
        for (int e = 0; e < structure.size(g); e++) {
          double one = Math.sqrt(plan.rowCount / spread[k++]);
          double sd = FIRST_SD * one * Math.exp(FIRST_SPREAD * noise.normal());
          phi[g][e] = Double.isFinite(sd) ? Math.log(sd) : 0;
        }
      }
    }

    /** Makes the shapes of groups and the frame where the chain is. */
    void shape() {
      int rounds = structure.count() == 1 ? MODE_ROUNDS : RIDGE_ROUNDS;
      for (int r = 0; r < rounds; r++) {
        for (int g = 0; g < structure.count(); g++) {
          shape(g);
        }
        // What was made about another place is gone: all is about this one.
        frame = new EffectsState.Frame(frame.factor(), theta.clone(), frame.held());
      }
      frame();
      known = null;
    }

    private float[][] ridges() {
      float[][] all = new float[effects.length][];
      for (int g = 0; g < all.length; g++) {
        LevelEffects of = effects[g];
        all[g] = of == null ? null : of.ridge();
      }
      return all;
    }

    private void shape(int g) {
      LevelEffects of = effects[g];
      EffectsQuestion.Task task = new EffectsQuestion.Shape(g, ridges());
      if (of == null) {
        ask(task, theta, null);
        return;
      }
      double[][] values = values();
      LevelEffects modes = of.modes(here(g, false));
      values[g] = modes.values();
      effects[g] = of.shaped(ask(task, theta, values, null), modes, precision(g));
    }

    /** Makes F with FFᵀ the inverse of the curvature in (θ, φ). */
    private void frame() {
      boolean few = structure.groupings().stream().allMatch(of -> of.levels() < FEW);
      double[] factor = factor(true);
      frame = new EffectsState.Frame(factor, frame.reference(), few ? factor(false) : null);
    }

    /** Returns F; with effects as they are in place of carried, that of θ, and zeros. */
    private double[] factor(boolean carried) {
      int columns = structure.model().columns();
      int dimension = theta.length;
      double[][][] derivatives = new double[phi.length][][];
      Arrays.setAll(derivatives, g -> structure.derivatives(g, phi[g]));
      int m = columns + Arrays.stream(phi).mapToInt(of -> of.length).sum();
      double[] gram = ask(new EffectsQuestion.Gram(ridges(), derivatives, carried), theta, null);
      int at = columns;
      for (int g = 0; g < phi.length; g++) {
        LevelEffects of = effects[g];
        if (of != null && carried) {
          of.addInformation(precision(g), derivatives[g], gram, m, at);
        }
        at += phi[g].length;
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
      structure.prior().addCurvature(theta, prior);
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

    /** Returns −∂²/∂θ_k² of the log-likelihood, by its slopes beside where the chain is. */
    private double sharedCurvature(int k) {
      double step = 0.01;
      double[] slopes = new double[2];
      for (int s = 0; s < 2; s++) {
        double[] there = theta.clone();
        there[k] += s == 0 ? -step : step;
        slopes[s] = ask(new EffectsQuestion.Evaluate(), there, null)[1 + k];
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

    void stepLocal(long iteration) {
      int local = structure.local();
      if (local < 0) {
        return;
      }
      known =
          ask(
              new EffectsQuestion.Update(
                  iteration,
                  plan.settings.steps(),
                  iteration <= plan.settled() ? 1 : plan.settings.refresh(),
                  iteration <= plan.settled(),
                  plan.phase(iteration - 1)),
              theta,
              null);
      evaluations += plan.settings.steps() * plan.rowCount;
    }

    void stepShared(long iteration) {
      for (int g = 0; g < effects.length; g++) {
        LevelEffects of = effects[g];
        if (of != null) {
          stepShared(iteration, g, of);
        }
      }
    }

    private void stepShared(long iteration, int g, LevelEffects of) {
      int q = of.size();
      double[] precision = precision(g);
      UniformRandomProvider rng = plan.streams.stream(Streams.Purpose.LEVELS, chain, iteration, g);
      double[] now = of.values();
      double[] proposal = new double[now.length];
      double[][] values = values();
      int from = structure.layout().sumsAt(g, values);
      int step = GroupStep.sums(q);
      double[] sums = Arrays.copyOfRange(known(), from, from + of.groups() * step);
      GroupStep one = new GroupStep(q, precision, iteration <= plan.settled(), rng);
      GroupStep.Drawn drawn = new GroupStep.Drawn(of.groups(), q);
      LevelEffects.Normals normals = of.normals(here(g, false));
      for (int j = 0; j < of.groups(); j++) {
        one.propose(now, sums, j * step, normals.of(j), proposal, j * q);
        one.keep(j, drawn);
      }
      values[g] = proposal;
      double[] answer = ask(new EffectsQuestion.Evaluate(), theta, values, null);
      double[] there = Arrays.copyOfRange(answer, from, from + of.groups() * step);
      double[] after = now.clone();
      boolean all = true;
      for (int j = 0; j < of.groups(); j++) {
        one.resume(j, drawn, now, j * q, sums, j * step);
        if (one.accept(now, proposal, there, j * step, normals.of(j), j * q)) {
          System.arraycopy(proposal, j * q, after, j * q, q);
        } else {
          all = false;
        }
      }
      effects[g] = of.with(after);
      known = all ? answer : null;
    }

    /** Moves the covariance of a grouping of few levels by itself, each such in its turn. */
    void stepCovariance(long iteration, UniformRandomProvider rng) {
      int[] some =
          IntStream.range(0, effects.length)
              .filter(g -> structure.groupings().get(g).levels() < SOME)
              .filter(g -> effects[g] != null)
              .toArray();
      if (some.length == 0 || iteration % COVARIANCE_EVERY != 0) {
        return;
      }
      int g = some[(int) (iteration / COVARIANCE_EVERY % some.length)];
      LevelEffects of = effects[g];
      if (of != null) {
        Displacement here = here(g, false);
        MarginalCovariance known = new MarginalCovariance(structure, g, of, here);
        adopt(known.step(phi, this::density, Noise.of(rng)));
      }
    }

    private void adopt(GlobalDensity.Evaluated to) {
      if (structure.local() >= 0 && !Arrays.equals(to.w(), new double[to.w().length])) {
        pending = to.by()[structure.local()].plain();
      }
      theta = to.theta().clone();
      System.arraycopy(to.phi(), 0, phi, 0, phi.length);
      effects = to.effects();
      known = to.answer();
    }

    private GlobalDensity density(double @Nullable [] held) {
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

    ThetaKernel.Step stepGlobals(long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      double[] held = frame.held();
      if (held == null || iteration % 2 == 1) {
        return stepGlobals(kernel, null, rng);
      }
      ThetaKernel own =
          new CrankNicolsonLangevin(Preconditioner.identity(structure.parameters()), HELD_STEP);
      ThetaKernel.Step step = stepGlobals(own, held, rng);
      return new ThetaKernel.Step(
          step.point(), step.acceptanceProbability(), step.divergent(), Double.NaN);
    }

    private ThetaKernel.Step stepGlobals(
        ThetaKernel kernel, double @Nullable [] held, UniformRandomProvider rng) {
      GlobalDensity density = density(held);
      double[] here = new double[density.dimension()];
      ThetaKernel.Step step = kernel.step(density, Point.at(here), rng);
      GlobalDensity.Evaluated to = density.at(step.point().theta());
      adopt(to);
      centre(to, Noise.of(rng));
      return step;
    }

    /** Moves coefficients against effects, and covariances given effects. */
    private void centre(GlobalDensity.Evaluated to, Noise noise) {
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

    private void shift(int g, int effect, double by) {
      if (by == 0) {
        return;
      }
      LevelEffects of = effects[g];
      if (of == null) {
        Displacement before = pending == null ? here(g, false) : pending;
        pending = before.shifted(effect, by);
        return;
      }
      double[] values = of.values().clone();
      for (int i = effect; i < values.length; i += of.size()) {
        values[i] -= by;
      }
      effects[g] = of.with(values);
    }

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
          recorders[g] = recorder.with(of.values(), plan.phase(iteration));
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
              info.acceptanceProbability(),
              evaluations,
              info.divergent(),
              info.tuning(),
              List.of()));
    }
  }
}
