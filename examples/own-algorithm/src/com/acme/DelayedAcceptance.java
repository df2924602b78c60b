package com.acme;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.run.FullPasses;
import org.lampyris.samplers.run.LikelihoodRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Metropolis–Hastings with delayed acceptance: a proposal θ′ that a surrogate s of the posterior π
 * rejects costs no pass over the rows.
 *
 * <p>First, θ′ ~ q(θ′ | θ) passes with probability min(1, s(θ′)q(θ | θ′) / (s(θ)q(θ′ | θ))). Then,
 * what the surrogate got wrong is corrected: θ′ is accepted with probability min(1, π(θ′)s(θ) /
 * (π(θ)s(θ′))), at the cost of one pass. Each factor of the product balances its own share of the
 * ratio, so that π is invariant for any s.
 *
 * <p>The surrogate is the Laplace approximation with its standard deviations times an inflation of
 * at least 1: where it fell off faster than the posterior, chains would stick in the tails.
 *
 * <p>Source: Christen and Fox (2005), section 2; Banterle, Grazian, Lee and Robert (2019), section
 * 2, for the product of factors.
 */
public final class DelayedAcceptance implements SamplingAlgorithm {

  /**
   * The section {@code sampler.delayed}.
   *
   * @param inflation how many times the Laplace approximation's standard deviations the surrogate
   *     has, at least 1
   */
  public record Settings(double inflation) implements Serializable {}

  private static final Interval AT_LEAST_ONE =
      new Interval(1, true, Double.POSITIVE_INFINITY, false);

  private static final OwnSection<Settings> SECTION =
      new OwnSection<>(
          "delayed",
          Settings.class,
          (section, defaults) -> new Settings(section.number("inflation", 1.2, AT_LEAST_ONE)));

  @Override
  public String name() {
    return "delayed";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(SECTION);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.KNOWS_LOG_POSTERIOR);
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PROPOSAL);
  }

  @Override
  public String defaultKernel() {
    return "random-walk";
  }

  @Override
  public List<Column> columns() {
    return List.of(new Column("surrogate_accepted", "surrogate", true));
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    // What a kernel is made of may travel to the executors; the context stays here.
    double inflation = own.of(Settings.class).inflation();
    Prior prior = context.model().prior();
    LaplaceApproximation laplace = context.laplace();
    return FullPasses.run(
        context,
        SamplingAlgorithm.requireProposal(context.thetaKernel()).targetAcceptance(),
        (chain, rows) -> new Kernel(prior, rows, laplace, inflation));
  }

  /** The kernel of one chain. The log-density of its points is the posterior's. */
  private record Kernel(
      Prior prior, LikelihoodRows rows, LaplaceApproximation laplace, double inflation)
      implements TransitionKernel<Point> {

    @Override
    public Transition<Point> init(double[] theta) {
      return new Transition<>(evaluated(theta), info(1, rows.rows(), 1, true));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Tells of the second stage's probability, 0 where there was none: its mean over steps is
     * the acceptance rate. The step size is tuned by the first stage's, which is always known.
     */
    @Override
    public Transition<Point> step(
        Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      ProposalKernel proposal = SamplingAlgorithm.requireProposal(kernel);
      double[] theta = proposal.propose(point.theta(), rng);
      double before = surrogate(point.theta());
      double after = surrogate(theta);
      double first =
          Metropolis.acceptanceProbability(
              before, after + proposal.correction(point.theta(), theta));
      if (!(rng.nextDouble() < first)) {
        return new Transition<>(point, info(0, 0, first, false));
      }
      Point proposed = evaluated(theta);
      double second =
          Metropolis.acceptanceProbability(
              point.logDensity() - before, proposed.logDensity() - after);
      Point next = rng.nextDouble() < second ? proposed : point;
      return new Transition<>(next, info(second, rows.rows(), first, true));
    }

    /** Returns log s(θ), up to a constant. */
    private double surrogate(double[] theta) {
      double distance = laplace.distance(theta) / inflation;
      return -0.5 * distance * distance;
    }

    /** Returns θ with log π(θ) = log p(θ) + Σ_n log L_n(θ), by a pass over all rows. */
    private Point evaluated(double[] theta) {
      double sum = rows.ask(new double[][] {theta}, false)[0];
      return new Point(theta, prior.logDensity(theta) + sum);
    }

    private static StepInfo info(double accepted, long evaluations, double tuning, boolean passed) {
      return new StepInfo(accepted, evaluations, false, tuning, List.of(passed ? 1.0 : 0.0));
    }
  }
}
