package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Regression with random effects: {@link MultilevelKernel}. */
public final class MultilevelAlgorithm implements SamplingAlgorithm {
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

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public boolean drawsEffects() {
    return true;
  }

  /** {@inheritDoc} Here that of all that is drawn, effects included. */
  @Override
  public boolean knowsLogPosterior() {
    return true;
  }

  /** {@inheritDoc} Here what is kept of effects is spread over the draws that are wanted. */
  @Override
  public Resumption resumption() {
    return Resumption.SAME_DRAWS;
  }

  @Override
  public boolean looksAtFewRows() {
    return false;
  }

  @Override
  public String defaultKernel() {
    return "pcnl";
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    return run(context, own.of(Settings.class), context.model().random());
  }

  static RunResult run(SamplingContext context, Settings settings, List<TableEffects> groupings) {
    if (!(context.model().model() instanceof PredictorModel model)) {
      throw UserException.usage(
          "model.random is for families of one linear predictor; leave it out, or choose another"
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
   * @param refresh the share of those groups that make them, drawn anew in every iteration
   * @param keepDraws how many draws of every effect are kept of each chain, evenly spaced; null for
   *     {@value #FEW} where the effects are few
   */
  public record Settings(int steps, double refresh, @Nullable Integer keepDraws)
      implements Serializable {
    private static final int FEW = 100;

    /** What is kept unasked takes no more than 64 MiB. */
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
    int kept(List<TableEffects> groupings, int chains) {
      if (keepDraws != null) {
        return keepDraws;
      }
      long effects = groupings.stream().mapToLong(of -> of.levels() * of.size()).sum();
      return effects * chains <= MOST_UNASKED / FEW ? FEW : 0;
    }
  }

  /**
   * What the driver holds of the effects whose rows do not lie together. Of each effect and chain
   * it is the recorder, twice while it is told of a draw; the ridge and shape; and some numbers of
   * 8 bytes: where the effects are, are proposed to be and come to, with the rows' answers there,
   * as they come and joined.
   *
   * @param columns how many coefficients there are
   * @param draws how many draws each chain makes
   * @param kept how many draws of each effect and chain are kept
   */
  record DriverRoom(List<TableEffects> groupings, int chains, int columns, int draws, int kept) {
    /** How many numbers of 8 bytes there are at a time of each effect besides the sums' shares. */
    private static final int NUMBERS = 16;

    /** How many shares of a level's sums there are at a time. */
    private static final int SHARES = 4;

    /** Which part of the driver's memory they may take. */
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
     * Sees that there is room.
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
                "'%s' has %,d levels, more than the driver can number; name it in data.group_by, or"
                    + " make fewer levels of it in data.query",
                most.effects().group(), most.levels()));
      }
      if (all > SHARE * memory) {
        throw UserException.usage(
            Text.of(
                "the effects of '%s' (%,d levels), whose rows do not lie together, are held by the"
                    + " driver: with %d chains that takes some %,d MB, and it has %,d MB in all;"
                    + " give it %,d MB (--driver-memory), draw fewer chains, or name it in"
                    + " data.group_by",
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
