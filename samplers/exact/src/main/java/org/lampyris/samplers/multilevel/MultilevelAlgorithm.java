package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
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
    return List.of(MultilevelSettings.SECTION);
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
    return run(context, own.of(MultilevelSettings.class), context.model().random());
  }

  static RunResult run(
      SamplingContext context, MultilevelSettings settings, List<TableEffects> groupings) {
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
}
