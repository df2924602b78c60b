package org.lampyris.samplers.baseline;

import java.util.List;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.RowTerm;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Metropolis–Hastings with an estimate in the place of the log-likelihood, made anew of a random
 * subset of the rows wherever a θ is proposed, and kept as long as the chain stays there. Each row
 * is in the subset with probability λ. The target is a mixture of the subsets' posteriors, broader
 * than the posterior.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), section 6.1, equation 17, and 19 where the sum is
 * not scaled by 1/λ.
 */
public final class NaiveSubsampling implements SamplingAlgorithm {
  /** So many standard deviations beyond its mean a subset's size hardly ever is. */
  private static final double MARGIN = 6;

  @Override
  public String name() {
    return "naive-subsampling";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(BaselineSettings.SECTION);
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PROPOSAL);
  }

  @Override
  public boolean looksAtFewRows() {
    return true;
  }

  @Override
  public String defaultKernel() {
    return "random-walk";
  }

  @Override
  public List<String> warnings(OwnSettings own) {
    return List.of(BaselineSettings.warning(name()));
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    BaselineSettings settings = own.of(BaselineSettings.class);
    Model model = context.model().model();
    Prior prior = context.model().prior();
    double mean = settings.fraction() * context.table().rows();
    long usual =
        (long) Math.min((double) context.table().rows(), mean + MARGIN * Math.sqrt(mean) + 1);
    ThetaKernel kernel = context.thetaKernel();
    SamplingAlgorithm.requireProposal(kernel);
    return MinibatchRun.run(
        context,
        name(),
        kernel.targetAcceptance(),
        rows ->
            new MinibatchRun.Plan<>(
                (chain, batches) -> new Kernel(model, prior, batches, settings),
                usual,
                MinibatchRun.Setup.NONE,
                null));
  }

  /** The kernel; a point's log-density is log p(θ) and the estimate. */
  record Kernel(Model model, Prior prior, BatchRows rows, BaselineSettings settings)
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
      int count = Math.toIntExact(rows.rows());
      int size = BinomialDistribution.of(count, settings.fraction()).createSampler(rng).sample();
      boolean known = point.isEvaluated();
      double[][] thetas = known ? new double[][] {theta} : new double[][] {theta, point.theta()};
      double[] sums = rows.sum(iteration, 0, size, new Sums(model, thetas));
      double scale = settings.scaled() ? 1 / settings.fraction() : 1;
      Point proposed = new Point(theta, prior.logDensity(theta) + scale * sums[0]);
      Point from =
          known
              ? point
              : new Point(point.theta(), prior.logDensity(point.theta()) + scale * sums[1]);
      double probability =
          Metropolis.acceptanceProbability(from.logDensity(), proposed.logDensity() + correction);
      Point next = rng.nextDouble() < probability ? proposed : from;
      return new Transition<>(next, new StepInfo(probability, (long) size * thetas.length, false));
    }
  }

  /** Σ ℓ_n(θ_k) over a batch. */
  record Sums(Model model, double[][] thetas) implements RowTerm {
    @Override
    public int length() {
      return thetas.length;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      model.addLogLikelihoods(block.select(rows), thetas, out);
    }
  }
}
