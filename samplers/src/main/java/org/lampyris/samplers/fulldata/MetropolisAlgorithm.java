package org.lampyris.samplers.fulldata;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.run.ResidentChains;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings on all rows. */
public final class MetropolisAlgorithm implements SamplingAlgorithm {
  /** Effective draws of an iteration by Hamiltonian trajectories: a rule of thumb. */
  public static final double DRAWS = 0.8;

  @Override
  public String name() {
    return "metropolis";
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  @Override
  public boolean looksAtFewRows() {
    return false;
  }

  @Override
  public OptionalDouble evaluationsPerDraw(SamplingContext context, SamplerSettings settings) {
    int gradients = 1 + settings.own().of(Hmc.Settings.class).leapfrogSteps();
    return OptionalDouble.of((double) context.table().rows() * gradients / DRAWS);
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    return ResidentChains.run(
        context, context.thetaKernel().targetAcceptance(), () -> new FullDataRun(context));
  }

  @Override
  public List<Class<?>> sentClasses() {
    return List.of(PlainBlock.class);
  }
}
