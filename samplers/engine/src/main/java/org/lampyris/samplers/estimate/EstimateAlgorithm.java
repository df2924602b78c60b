package org.lampyris.samplers.estimate;

import java.util.Set;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings by estimates of the log-likelihood: see {@link EstimateKernel}. */
public abstract class EstimateAlgorithm implements SamplingAlgorithm {
  /**
   * What estimates.
   *
   * @param estimate of the log-likelihood
   * @param usual how many rows an iteration looks at, as a rule
   * @param setup what it took to make this
   */
  public record Estimating(Estimate estimate, double usual, MinibatchRun.Setup setup) {}

  /** Returns what estimates. */
  protected abstract Estimating estimating(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows);

  @Override
  public final Set<Need> needs() {
    return Set.of(Need.PROPOSAL);
  }

  @Override
  public final boolean looksAtFewRows() {
    return true;
  }

  @Override
  public final String defaultKernel() {
    return "random-walk";
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    SamplingAlgorithm.super.require(model, settings);
    MinibatchRun.requireEqualBlocks(model.isGrouped(), name());
  }

  @Override
  public final RunResult run(SamplingContext context, OwnSettings own) {
    double target = SamplingAlgorithm.requireProposal(context.thetaKernel()).targetAcceptance();
    return MinibatchRun.run(context, name(), target, rows -> plan(context, own, rows));
  }

  private MinibatchRun.Plan<Point> plan(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Estimating how = estimating(context, own, rows);
    Estimate estimate = how.estimate();
    Prior prior = context.model().prior();
    return new MinibatchRun.Plan<>(
        (chain, batches) -> new EstimateKernel(prior, batches, estimate),
        (long) Math.max(1, Math.min((double) context.table().rows(), how.usual())),
        how.setup(),
        null);
  }
}
