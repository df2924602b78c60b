package org.lampyris.samplers.multilevel;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.run.ChainSettings;

/**
 * Kernel of a regression with random effects. Each part of an iteration leaves the joint posterior
 * of coefficients, covariances and effects invariant:
 *
 * <ol>
 *   <li>the effects of groups that lie together, each by {@link LevelStep}s at its rows;
 *   <li>the effects of each other grouping, all groups at once, by one {@link LevelStep} each;
 *   <li>the covariances and effects of nested groupings against each other, without rows: {@link
 *       NestedMoves};
 *   <li>the covariance of a grouping of some levels, in every other iteration, the effects carried
 *       along: {@link MarginalCovariance};
 *   <li>coefficients and covariances by the θ-kernel, the effects carried along: {@link
 *       GlobalDensity}; with few groups, in every other iteration coefficients alone;
 *   <li>coefficients against effects, and covariances given effects, without rows: {@link
 *       CentredMoves}.
 * </ol>
 *
 * <p>During warm-up the ridge and the frame are rebuilt at the chain's position, a few times.
 */
final class MultilevelKernel implements TransitionKernel<EffectsState> {
  /**
   * Number of levels below which a grouping's covariance is also moved by itself: for a few dozen
   * groups, an effective draw of a slope's standard deviation took 15 to 70 iterations, for
   * thousands 3.
   */
  private static final long SOME = 200;

  /**
   * Iterations between such moves: at every iteration it would gain no more than it costs, an
   * evaluation of the rows.
   */
  private static final int COVARIANCE_EVERY = 2;

  /** τ of these steps, in (0, 1]: the approximation of the shape is nearly exact. */
  private static final double HELD_STEP = 0.9;

  private final int chain;
  private final Structure structure;
  private final Plan plan;
  private final Walk.Rows rows;

  /** Creates the kernel of a chain. */
  MultilevelKernel(int chain, Structure structure, Plan plan, Walk.Rows rows) {
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
        walk(
            new EffectsState(
                Point.at(theta),
                theta,
                phi,
                new EffectsState.Shared(effects, recorders),
                Generation.first(chain),
                null,
                new EffectsState.Frame(new double[0], theta, null),
                null));
    LevelModes shapes = new LevelModes(structure, plan, walk);
    shapes.begin(chain);
    shapes.make();
    return walk.transition(0, new StepInfo(1, 0, false));
  }

  @Override
  public Transition<EffectsState> step(
      EffectsState state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    Walk walk = walk(state);
    if (plan.shapes(iteration)) {
      new LevelModes(structure, plan, walk).make();
    }
    ThetaKernel.Step step = sweep(walk, iteration, 0, kernel, rng);
    for (int s = 1; s < plan.sweeps(); s++) {
      ThetaKernel.Step next = sweep(walk, iteration, s, kernel, rng);
      step = Double.isNaN(next.tuning()) ? step : next;
    }
    boolean last = iteration == plan.last();
    if (last && structure.local() >= 0) {
      walk.ask(new EffectsQuestion.Keep(), walk.theta, null);
    }
    return walk.transition(iteration, StepInfo.of(step, 0, List.of()));
  }

  private Walk walk(EffectsState from) {
    return new Walk(chain, structure, plan, rows, from);
  }

  /** Makes all moves once. */
  private ThetaKernel.Step sweep(
      Walk walk, long iteration, int of, ThetaKernel kernel, UniformRandomProvider rng) {
    long sweep = plan.sweep(iteration, of);
    boolean settle = iteration <= plan.settled();
    EffectRecorder.Phase before = of == 0 ? plan.phase(iteration - 1) : EffectRecorder.Phase.NONE;
    stepLocal(walk, sweep, settle, before);
    stepShared(walk, sweep, settle);
    structure.nestings().forEach(nesting -> walk.split(nesting, Noise.of(rng)));
    stepCovariance(walk, sweep, rng);
    return stepGlobals(walk, sweep, kernel, rng);
  }

  /** Moves the effects at the rows, after they have been recorded unchanged. */
  private void stepLocal(Walk walk, long sweep, boolean settle, EffectRecorder.Phase before) {
    int local = structure.local();
    if (local < 0) {
      return;
    }
    walk.known =
        walk.ask(
            new EffectsQuestion.Update(
                sweep,
                plan.settings().steps(),
                settle ? 1 : plan.settings().refresh(),
                settle,
                before),
            walk.theta,
            null);
    walk.evaluations += plan.settings().steps() * plan.rowCount();
  }

  private void stepShared(Walk walk, long sweep, boolean settle) {
    for (int g = 0; g < walk.effects.length; g++) {
      LevelEffects of = walk.effects[g];
      if (of != null) {
        stepShared(walk, sweep, settle, g, of);
      }
    }
  }

  private void stepShared(Walk walk, long sweep, boolean settle, int g, LevelEffects of) {
    int q = of.size();
    double[] precision = walk.precision(g);
    UniformRandomProvider rng = plan.streams().stream(Streams.Purpose.LEVELS, chain, sweep, g);
    double[] now = of.values();
    double[] proposal = new double[now.length];
    double[][] values = walk.values();
    int from = structure.layout().sumsAt(g, values);
    int step = LevelStep.sums(q);
    double[] sums = Arrays.copyOfRange(walk.known(), from, from + of.groups() * step);
    LevelStep one = new LevelStep(q, precision, settle, rng);
    LevelStep.Drawn drawn = new LevelStep.Drawn(of.groups(), q);
    LevelEffects.Normals normals = of.normals(walk.here(g, false));
    for (int j = 0; j < of.groups(); j++) {
      one.propose(now, sums, j * step, normals.of(j), proposal, j * q);
      one.keep(j, drawn);
    }
    values[g] = proposal;
    double[] answer = walk.ask(new EffectsQuestion.Evaluate(), walk.theta, values, null);
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
    walk.effects[g] = of.with(after);
    walk.known = all ? answer : null;
  }

  /** Moves the covariance of a grouping of few levels by itself, each such in its turn. */
  private void stepCovariance(Walk walk, long sweep, UniformRandomProvider rng) {
    int[] some =
        IntStream.range(0, walk.effects.length)
            .filter(g -> plan.sweeps() > 1 || structure.groupings().get(g).levels() < SOME)
            .filter(g -> walk.effects[g] != null)
            .toArray();
    if (some.length == 0 || sweep % COVARIANCE_EVERY != 0) {
      return;
    }
    int g = some[(int) (sweep / COVARIANCE_EVERY % some.length)];
    LevelEffects of = walk.effects[g];
    if (of != null) {
      LevelEffects.Displacement here = walk.here(g, false);
      MarginalCovariance marginal = new MarginalCovariance(structure, g, of, here);
      walk.adopt(marginal.step(walk.phi, walk::density, Noise.of(rng)));
    }
  }

  private ThetaKernel.Step stepGlobals(
      Walk walk, long sweep, ThetaKernel kernel, UniformRandomProvider rng) {
    double[] held = walk.frame.held();
    if (held == null || sweep % 2 == 1) {
      return stepGlobals(walk, kernel, null, rng);
    }
    ThetaKernel own =
        new CrankNicolsonLangevin(Preconditioner.identity(structure.parameters()), HELD_STEP);
    ThetaKernel.Step step = stepGlobals(walk, own, held, rng);
    return new ThetaKernel.Step(
        step.point(), step.acceptanceProbability(), step.divergent(), Double.NaN);
  }

  private ThetaKernel.Step stepGlobals(
      Walk walk, ThetaKernel kernel, double @Nullable [] held, UniformRandomProvider rng) {
    GlobalDensity density = walk.density(held);
    double[] here = new double[density.dimension()];
    ThetaKernel.Step step = kernel.step(density, Point.at(here), rng);
    GlobalDensity.Evaluated to = density.at(step.point().theta());
    walk.adopt(to);
    walk.centre(to, Noise.of(rng));
    return step;
  }

  /**
   * Plan of a chain's iterations with random effects, in addition to the model.
   *
   * @param rowCount how many rows there are
   */
  record Plan(
      MultilevelAlgorithm.Settings settings, ChainSettings chains, Streams streams, long rowCount) {
    /** The most sweeps in an iteration. */
    private static final long MOST_SWEEPS = 8;

    /** Number of rows evaluated in about the time of an iteration without any. */
    private static final long CHEAP = 4_000;

    /**
     * Returns how many times an iteration makes all its moves. On a small table the covariances are
     * hardly determined and mix slowly, whereas its rows cost little: with 72 rows (Oats), one
     * sweep an iteration left an effective sample size of 35 of 4,000 draws.
     */
    int sweeps() {
      return (int) Math.max(1, Math.min(MOST_SWEEPS, CHEAP / Math.max(1, rowCount)));
    }

    /**
     * Returns the number of a sweep over all iterations, from its number in an iteration, from 0.
     */
    long sweep(long iteration, int of) {
      return (iteration - 1) * sweeps() + of + 1;
    }

    /** Returns the last iteration in which denser points are always accepted. */
    long settled() {
      return Math.min(50, chains.warmup() / 4);
    }

    long last() {
      return chains.warmup() + (long) chains.draws() * chains.thin();
    }

    /** Returns whether shapes are rebuilt before an iteration. */
    boolean shapes(long iteration) {
      int warmup = chains.warmup();
      return iteration < warmup
          && (iteration == 6
              || iteration == 21
              || iteration == warmup / 6
              || iteration == warmup / 3
              || iteration == warmup * 2 / 3);
    }

    /** Returns the recorders' phase of the effects after an iteration. */
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
}
