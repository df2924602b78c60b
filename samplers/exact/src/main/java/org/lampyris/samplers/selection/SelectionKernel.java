package org.lampyris.samplers.selection;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.DecisionErrors;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.random.Streams;

/**
 * Proposals of {@link ReversibleJump}, decided upon by all rows or by batches: Metropolis–Hastings
 * on θ with the prior {@link InclusionPrior}. The zeros of θ show which features are in, so the
 * state is the same as in any trial kernel.
 *
 * @param trial decides
 * @param jump the proposal; its step size is taken from the kernel passed to a step
 * @param begun which features are in at the beginning
 */
record SelectionKernel(TrialKernel trial, ReversibleJump jump, boolean[] begun)
    implements TransitionKernel<TrialKernel.State>, DecisionErrors.Checked {
  static final List<Column> COLUMNS =
      List.of(new Column("model_size", "size", true), new Column("jumped", "jumped", true));

  /** {@inheritDoc} The chain begins at the starting point, taken to the model that it begins in. */
  @Override
  public Transition<TrialKernel.State> init(double[] theta) {
    return trial.init(jump.candidates().model(begun).taken(theta));
  }

  @Override
  public Transition<TrialKernel.State> step(
      TrialKernel.State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    Transition<TrialKernel.State> made =
        trial.step(state, iteration, jump.withStepSize(kernel.stepSize()), rng);
    StepInfo info = made.info();
    boolean[] before = jump.features().in(state.point().theta());
    boolean[] after = jump.features().in(made.state().point().theta());
    List<Double> columns =
        List.of((double) Features.size(after), Arrays.equals(before, after) ? 0.0 : 1.0);
    return new Transition<>(
        made.state(),
        new StepInfo(
            info.acceptanceProbability(),
            info.likelihoodEvaluations(),
            info.divergent(),
            info.tuning(),
            columns));
  }

  @Override
  public TrialKernel.State restored(SamplerState stored) {
    return trial.restored(stored);
  }

  @Override
  public boolean isWrong(
      Point from, long iteration, ThetaKernel kernel, Streams streams, int chain) {
    ThetaKernel sized = jump.withStepSize(kernel.stepSize());
    return trial.isWrong(from, iteration, sized, streams, chain);
  }
}
