package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.FullPasses;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Regression with random effects: {@link MultilevelKernel}. */
public final class MultilevelAlgorithm implements SamplingAlgorithm {
  /** How often an iteration reads every row, about. */
  private static final double READS = 5;

  /** Iterations for an effective draw, about: {@code docs/benchmarks.md}. */
  private static final double ITERATIONS = 2;

  @Override
  public String name() {
    return "multilevel";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(Settings.SECTION);
  }

  @Override
  public List<Class<?>> sentClasses() {
    List<Class<?>> classes = new ArrayList<>(EffectsShare.classes());
    classes.addAll(
        List.of(
            GroupedBlock.class,
            GroupedBlock[].class,
            PlaceEffects.class,
            LevelEffects.class,
            LevelEffects[].class,
            EffectRecorder.class,
            EffectRecorder[].class,
            float[].class,
            short[].class));
    return classes;
  }

  /** {@inheritDoc} The kept draws of effects are spread over the wanted draws. */
  @Override
  public Set<Trait> traits() {
    return Set.of(
        Trait.EXACT, Trait.DRAWS_EFFECTS, Trait.KNOWS_LOG_POSTERIOR, Trait.RESUMED_TO_SAME_DRAWS);
  }

  @Override
  public String defaultKernel() {
    return "pcnl";
  }

  /** {@inheritDoc} Known where {@code auto} weighs it against effects as coefficients. */
  @Override
  public Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
    List<TableEffects> random = context.model().random();
    if (random.isEmpty()) {
      return Optional.empty();
    }
    long effects = random.stream().mapToLong(of -> of.levels() * of.size()).sum();
    int own = (int) (context.model().columns() - effects);
    int ofRow = random.stream().mapToInt(TableEffects::size).sum();
    return Optional.of(
        new ExpectedCost(
            0,
            FullPasses.isCarried(context) ? 0 : READS * ExpectedCost.JOB / context.chains(),
            ExpectedCost.inPass(context.model().model(), own + ofRow),
            READS * context.table().rows(),
            ITERATIONS));
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    return run(
        context,
        own.of(Settings.class),
        context.model().random().stream().map(TableEffects::drawn).toList());
  }

  static RunResult run(SamplingContext context, Settings settings, List<TableEffects> groupings) {
    if (!(context.model().model() instanceof PredictorModel model)) {
      throw UserException.usage(
          "model.random is for families with one linear predictor. Remove it, or choose another"
              + " model.family.");
    }
    int kept = settings.kept(groupings, context.chains());
    int draws = context.inputs().chains().draws();
    new DriverRoom(groupings, context.chains(), model.columns(), draws, kept)
        .require(Runtime.getRuntime().maxMemory());
    int parameters =
        model.dimension() + groupings.stream().mapToInt(of -> of.effects().parameters()).sum();
    SamplingContext framed = context.with(framed(context.inputs(), context.kernel(), parameters));
    return ChainRuns.run(
        framed,
        framed.thetaKernel().targetAcceptance(),
        () -> new MultilevelRun(framed, model, groupings, settings));
  }

  /** Returns inputs with the kernel for a density in coordinates in which it is about N(·, I). */
  private static RunInputs framed(RunInputs inputs, RunInputs.Kernel kernel, int parameters) {
    double[] identity = new double[parameters * parameters];
    for (int k = 0; k < parameters; k++) {
      identity[k * parameters + k] = 1;
    }
    return inputs.with(
        RunInputs.Kernel.of(
            kernel.making(),
            new LaplaceApproximation(new double[parameters], identity),
            ProductPrior.of(Collections.nCopies(parameters, new UnivariatePrior.Flat())),
            kernel.targetAcceptance()));
  }

  /**
   * The section {@code sampler.multilevel}.
   *
   * @param steps how many steps the effects of a group make in an iteration, where its rows lie
   *     together
   * @param refresh the share of those groups that draw new proposals in every iteration
   * @param keepDraws how many draws of every effect are kept of each chain, evenly spaced; null for
   *     {@value #FEW} where the effects are few
   */
  public record Settings(int steps, double refresh, @Nullable Integer keepDraws)
      implements Serializable {
    private static final int FEW = 100;

    /** Largest size of draws of effects that are kept by default, 64 MiB. */
    private static final long MOST_UNASKED = (64L << 20) / Float.BYTES;

    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            "multilevel",
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.whole("steps", 1, 1, 1000),
                    section.number("refresh", 1, Interval.PROBABILITY),
                    keepDraws(section)));

    private static @Nullable Integer keepDraws(Section section) {
      Long asked = section.whole("keep_draws", 0, Integer.MAX_VALUE);
      return asked == null ? null : asked.intValue();
    }

    /** Returns how many draws of every effect are kept of each of some chains. */
    public int kept(List<TableEffects> groupings, int chains) {
      if (keepDraws != null) {
        return keepDraws;
      }
      long effects = groupings.stream().mapToLong(of -> of.levels() * of.size()).sum();
      return effects * chains <= MOST_UNASKED / FEW ? FEW : 0;
    }
  }

  /**
   * Memory of the driver for effects whose rows do not lie together. For each effect and chain it
   * holds the recorder, twice while it receives a draw; the ridge and shape; and some 8-byte
   * numbers: the effects' present, proposed and new values, with the rows' answers there, as they
   * arrive and joined.
   *
   * @param columns how many coefficients there are
   * @param draws how many draws each chain makes
   * @param kept how many draws of each effect and chain are kept
   */
  record DriverRoom(List<TableEffects> groupings, int chains, int columns, int draws, int kept) {
    /** Numbers of 8 bytes held at a time for each effect, in addition to the sums' shares. */
    private static final int NUMBERS = 16;

    /** Number of shares of a level's sums held at a time. */
    private static final int SHARES = 4;

    /** Largest share of the driver's memory for them. */
    private static final double SHARE = 0.6;

    /** Returns how many bytes the effects of a grouping take; 0 for one whose rows lie together. */
    long bytes(TableEffects of) {
      if (of.together()) {
        return 0;
      }
      long size = of.size();
      long shape = LevelEffects.shapeSums(of.size(), columns);
      long level =
          size * (EffectRecorder.bytes(draws, kept) * 5 / 4 + 8 * NUMBERS)
              + (4 + 8 * SHARES) * shape;
      return of.levels() * level * chains;
    }

    /**
     * Checks that there is room.
     *
     * @param memory how many bytes the driver has
     * @throws UserException (usage) if there is not
     */
    void require(long memory) {
      long all = groupings.stream().mapToLong(this::bytes).sum();
      TableEffects most = null;
      for (TableEffects of : groupings) {
        most = most == null || bytes(of) > bytes(most) ? of : most;
      }
      if (most == null) {
        return;
      }
      long numbers = most.levels() * LevelEffects.shapeSums(most.size(), columns);
      if (numbers > Integer.MAX_VALUE && !most.together()) {
        throw UserException.usage(
            Text.of(
                "'%s' has %,d levels, more than the driver can number. Name it in data.group_by, or"
                    + " merge its levels in data.query.",
                most.effects().group(), most.levels()));
      }
      if (all > SHARE * memory) {
        throw UserException.usage(
            Text.of(
                "the effects of '%s' (%,d levels) are held by the driver, because its rows do not"
                    + " lie together. With %d chains they take about %,d MB, but the driver has %,d"
                    + " MB in all. Give it %,d MB (--driver-memory), draw fewer chains, or name it"
                    + " in data.group_by.",
                most.effects().group(),
                most.levels(),
                chains,
                all >> 20,
                memory >> 20,
                (long) Math.ceil(all / SHARE) >> 20));
      }
    }
  }
}
