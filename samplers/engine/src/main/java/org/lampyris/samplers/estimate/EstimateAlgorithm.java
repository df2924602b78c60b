package org.lampyris.samplers.estimate;

import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Metropolis–Hastings by estimates of the log-likelihood: see {@link Kernel}. */
public abstract class EstimateAlgorithm implements SamplingAlgorithm {
  /**
   * Estimator with its set-up.
   *
   * @param estimate of the log-likelihood
   * @param usual how many rows an iteration looks at, as a rule
   * @param setup what it took to make this
   */
  public record Estimating(Estimate estimate, double usual, MinibatchRun.Setup setup) {}

  /** Returns the estimator. */
  protected abstract Estimating estimating(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows);

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PROPOSAL);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.FEW_ROWS);
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
  public RunResult run(SamplingContext context, OwnSettings own) {
    double target = SamplingAlgorithm.requireProposal(context.thetaKernel()).targetAcceptance();
    return MinibatchRun.run(context, name(), target, rows -> plan(context, own, rows));
  }

  private MinibatchRun.Plan<Point> plan(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Estimating how = estimating(context, own, rows);
    Estimate estimate = how.estimate();
    Prior prior = context.model().prior();
    return new MinibatchRun.Plan<>(
        (chain, batches) -> new Kernel(prior, batches, estimate),
        (long) Math.max(1, Math.min((double) context.table().rows(), how.usual())),
        how.setup(),
        null);
  }

  /**
   * Metropolis–Hastings with an estimate in place of the log-likelihood. It is drawn for each
   * proposed θ, and kept as long as the chain stays there. If the exponential of the estimate is
   * unbiased, the target is the posterior: pseudo-marginal Metropolis–Hastings.
   *
   * <p>Source: Andrieu and Roberts (2009); Bardenet, Doucet and Holmes (2017), section 4.1.
   *
   * @param prior p(θ)
   * @param rows the rows as this chain sees them
   * @param estimate of the log-likelihood; a point's log-density is log p(θ) and that
   */
  public record Kernel(Prior prior, BatchRows rows, Estimate estimate)
      implements TransitionKernel<Point> {
    /** {@inheritDoc} The first estimate is made when the first step needs it. */
    @Override
    public Transition<Point> init(double[] theta) {
      return new Transition<>(Point.at(theta), new StepInfo(1, 0, false));
    }

    @Override
    public Transition<Point> step(
        Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      ProposalKernel proposal = SamplingAlgorithm.requireProposal(kernel);
      double[] theta = proposal.propose(point.theta(), rng);
      double correction = proposal.correction(point.theta(), theta);
      boolean known = point.isEvaluated();
      double[][] thetas = known ? new double[][] {theta} : new double[][] {theta, point.theta()};
      Estimate.Estimated estimated = estimate.of(thetas, iteration, rows, rng);
      Point proposed = point(theta, estimated.values()[0]);
      Point from = known ? point : point(point.theta(), estimated.values()[1]);
      double probability =
          Metropolis.acceptanceProbability(from.logDensity(), proposed.logDensity() + correction);
      Point next = rng.nextDouble() < probability ? proposed : from;
      return new Transition<>(next, new StepInfo(probability, estimated.evaluations(), false));
    }

    private Point point(double[] theta, double estimated) {
      return new Point(theta, prior.logDensity(theta) + estimated);
    }
  }
}
