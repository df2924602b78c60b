package org.lampyris.samplers.sgld;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.DecisionErrors;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.random.Streams;

/**
 * The steps of {@link LangevinKernel} as proposals on which a test decides. Source: Korattikara,
 * Chen and Welling (2014), section 6.4.
 *
 * @param trial decides
 * @param settings ε_k
 */
record CorrectedKernel(TrialKernel trial, LangevinAlgorithm.Settings settings)
    implements TransitionKernel<TrialKernel.State>, DecisionErrors.Checked {
  @Override
  public Transition<TrialKernel.State> init(double[] theta) {
    return trial.init(theta);
  }

  @Override
  public Transition<TrialKernel.State> step(
      TrialKernel.State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    return trial.step(state, iteration, LangevinKernel.step(kernel, settings, iteration), rng);
  }

  @Override
  public TrialKernel.State restored(SamplerState stored) {
    return trial.restored(stored);
  }

  @Override
  public boolean isWrong(
      Point from, long iteration, ThetaKernel kernel, Streams streams, int chain) {
    ThetaKernel step = LangevinKernel.step(kernel, settings, iteration);
    return trial.isWrong(from, iteration, step, streams, chain);
  }
}
