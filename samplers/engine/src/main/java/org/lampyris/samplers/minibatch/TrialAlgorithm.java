package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.Set;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings that is decided by batches of rows: see {@link TrialKernel}. */
public abstract class TrialAlgorithm implements SamplingAlgorithm {
  /**
   * Decision rule with its proxies.
   *
   * @param begun v_n at the beginning
   * @param decision decides
   * @param gradient what MALA proposes by; the model and the prior
   * @param renewal when the proxies are expanded again
   * @param usual how many rows an iteration looks at, as a rule
   * @param setup what it took to make this
   */
  public record Deciding(
      Remainders begun,
      BatchDecision decision,
      BatchGradient gradient,
      Remainders.Renewal renewal,
      long usual,
      MinibatchRun.Setup setup)
      implements Serializable {
    /** Returns a decision rule with fixed proxies and gradients over all rows. */
    public static Deciding by(
        SamplingContext context, Remainders begun, BatchDecision decision, long usual) {
      return new Deciding(
          begun,
          decision,
          BatchGradient.plain(context, context.table().rows()),
          Remainders.Renewal.never(context.laplace()),
          usual,
          begun.proxy() == null ? MinibatchRun.Setup.NONE : MinibatchRun.Setup.ofPass(context));
    }
  }

  /** Returns the decision rule. */
  protected abstract Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows);

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.FEW_ROWS);
  }

  @Override
  public String defaultKernel() {
    return "random-walk";
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    SamplingAlgorithm.super.require(model, settings);
    MinibatchRun.requireEqualBlocks(model.isGrouped(), name());
    if (settings.theta().type().filter(TrialKernel::decides).isEmpty()) {
      throw TrialKernel.withoutProposal();
    }
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    double target = context.thetaKernel().targetAcceptance();
    return MinibatchRun.run(context, name(), target, rows -> plan(context, own, rows));
  }

  private MinibatchRun.Plan<TrialKernel.State> plan(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Deciding how = deciding(context, own, rows);
    return new MinibatchRun.Plan<>(
        (chain, batches) ->
            new TrialKernel(batches, how.begun(), how.decision(), how.gradient(), how.renewal()),
        Math.max(1, Math.min(context.table().rows(), how.usual())),
        how.setup(),
        has(Trait.EXACT) ? null : new DecisionErrors(context, knob(own)));
  }
}
