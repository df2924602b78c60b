package org.lampyris.samplers.fulldata;

import java.util.Optional;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.pass.FullDataKernel;
import org.lampyris.samplers.pass.FullPasses;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings on all rows. */
public final class MetropolisAlgorithm implements SamplingAlgorithm {
  @Override
  public String name() {
    return "metropolis";
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public boolean knowsLogPosterior() {
    return true;
  }

  @Override
  public boolean looksAtFewRows() {
    return false;
  }

  @Override
  public Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
    int gradients = 1 + settings.own().of(Hmc.Settings.class).leapfrogSteps();
    double evaluations = (double) context.table().rows() * gradients;
    return Optional.of(new ExpectedCost(evaluations, 1 / Hmc.EFFECTIVE_DRAWS));
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    Prior prior = context.model().prior();
    return FullPasses.run(
        context,
        context.thetaKernel().targetAcceptance(),
        (chain, rows) -> new FullDataKernel(chain, prior, rows));
  }
}
