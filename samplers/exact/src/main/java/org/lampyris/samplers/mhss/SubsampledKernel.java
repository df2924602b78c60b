package org.lampyris.samplers.mhss;

import java.util.List;
import java.util.Objects;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.run.Inside;

/**
 * Metropolis–Hastings that decides by the proxies and a few rows, and is exact: {@link
 * RowDecision.Scalable} or {@link RowDecision.Factorised}.
 *
 * <p>The proxies' ratio is A = p(θ′)e^{ΣT_n(θ′)} q(θ | θ′) / (p(θ)e^{ΣT_n(θ)} q(θ′ | θ)), at a cost
 * that does not depend on the number of rows. The remainder Σ_n δ_n, with δ_n = R_n(θ′) − R_n(θ),
 * |δ_n| ≤ c_n·M(θ, θ′), is decided by the points of the iteration up to the height M. If more
 * points than rows are expected, M·Σc_n ≥ N, all rows are evaluated instead, and the proposal is
 * accepted with probability min(1, A·e^{Σδ_n}). M is symmetric, so the reverse move does the same.
 * If there are proxies about several points, those with the least M(θ, θ′) decide.
 *
 * <p>The log-density of a point comes from the proxies, log p(θ) + Σ_n T_n(θ), up to a constant: no
 * step knows the posterior's. If the constants hold in a ball only (gamma, Poisson, a sampled σ),
 * the target of this kernel is the posterior within it; {@link
 * org.lampyris.samplers.run.RegionKernel} adds the rest.
 *
 * <p>A step reports its acceptance probability given the points: 0 if the proxies rejected. Its
 * mean over steps is the acceptance rate. Each point's row counts two evaluations, of its
 * likelihood at θ and at θ′, and once where a row has several points.
 */
public final class SubsampledKernel implements Inside<Point> {
  /**
   * Target acceptance rate of a random walk in many dimensions if each proposal costs points. Their
   * number is proportional to the step's length ℓ, so ℓ²·2Φ(−ℓ/2)/ℓ should be maximal. That is at ℓ
   * = 1.50 (step size 1.5/√d), with 2Φ(−ℓ/2) = 0.452.
   */
  public static final double JOINT_WALK_ACCEPTANCE = 0.452;

  private final TaylorProxy proxy;
  private final Prior prior;
  private final Remainders proxies;
  private final PointRows rows;
  private final PointStream.Size size;
  private final RowDecision test;

  /**
   * Creates the kernel of one chain.
   *
   * @param proxy the rows' proxies
   * @param prior p(θ)
   * @param collapsed Σ_n T_n
   * @param rows the rows as this chain sees them
   * @param size the number of rows and the sum of their constants
   * @param test how they decide
   */
  public SubsampledKernel(
      TaylorProxy proxy,
      Prior prior,
      CollapsedQuadratic collapsed,
      PointRows rows,
      PointStream.Size size,
      RowDecision test) {
    this(proxy, prior, collapsed, List.of(), rows, size, test);
  }

  /**
   * Creates the kernel of one chain.
   *
   * @param others proxies about other points of the ball, with the same constants
   */
  SubsampledKernel(
      TaylorProxy proxy,
      Prior prior,
      CollapsedQuadratic collapsed,
      List<Remainders> others,
      PointRows rows,
      PointStream.Size size,
      RowDecision test) {
    this.proxy = proxy;
    this.prior = prior;
    this.proxies = new Remainders(proxy.model(), proxy, collapsed, others);
    this.rows = rows;
    this.size = size;
    this.test = test;
  }

  /**
   * Returns the acceptance rate that a kernel's step size is best adapted to.
   *
   * <p>With the proxies first, a rejected proposal costs no row, and a random walk's own 0.234 is
   * as good by evaluations and better by iterations; otherwise it is {@link
   * #JOINT_WALK_ACCEPTANCE}.
   */
  public static double targetAcceptance(RowDecision test, ThetaKernel kernel) {
    return kernel instanceof RandomWalk && !test.proxiesFirst()
        ? JOINT_WALK_ACCEPTANCE
        : kernel.targetAcceptance();
  }

  /** Decides with a probability: an interface so that a test can take either way. */
  public interface Chance {
    /** Returns true with a probability in [0, 1]. */
    boolean flip(double probability);
  }

  @Override
  public Transition<Point> init(double[] theta) {
    return new Transition<>(new Point(theta, logProxy(theta)), new StepInfo(1, 0, false));
  }

  /** {@inheritDoc} There is no z: a point carries its proxies' log-density. */
  @Override
  public Transition<Point> enter(Point before, double[] theta, long iteration) {
    return init(theta);
  }

  @Override
  public Point outside(@Nullable Point before, Point point) {
    return point;
  }

  /** Returns log p(θ) + Σ_n T_n(θ), −∞ outside of the ball. */
  private double logProxy(double[] theta) {
    return proxy.holdsAt(prior.known(theta))
        ? prior.logDensity(theta) + proxies.proxies(theta)
        : Double.NEGATIVE_INFINITY;
  }

  /**
   * {@inheritDoc}
   *
   * @throws UserException (usage) if the θ-kernel has no separate proposal
   * @throws org.lampyris.bounds.model.BoundException if a row's remainder exceeds its bound
   */
  @Override
  public Transition<Point> step(
      Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    ProposalKernel proposal = SamplingAlgorithm.requireProposal(kernel);
    double[] refreshed = proposal.refreshed(point.theta(), Noise.of(rng));
    Point from = refreshed == point.theta() ? point : new Point(refreshed, logProxy(refreshed));
    double[] theta = proposal.propose(from.theta(), rng);
    double correction = proposal.correction(from.theta(), theta);
    return decide(from, theta, correction, iteration, p -> rng.nextDouble() < p);
  }

  /**
   * Decides on a proposal.
   *
   * @param from where the chain is, its log-density known
   * @param to θ′
   * @param correction log q(θ | θ′) − log q(θ′ | θ), and what else the ratio is multiplied by
   * @param iteration whose points are used
   * @param chance decides
   */
  public Transition<Point> decide(
      Point from, double[] to, double correction, long iteration, Chance chance) {
    Point proposed = new Point(to, logProxy(to));
    double logProxies = proposed.logDensity() - from.logDensity() + correction;
    if (!(logProxies > Double.NEGATIVE_INFINITY)) {
      return new Transition<>(from, new StepInfo(0, 0, false));
    }
    double[] here = prior.known(from.theta());
    double[] there = prior.known(to);
    Remainders nearest = proxies.nearest(here, there);
    double height = nearest.factor(here, there);
    if (height * size.total() >= size.rows()) {
      double log = logProxies + rows.differences(here, there);
      return conclude(from, proposed, log, 2 * size.rows(), chance);
    }
    if (nearest.proxy() != proxy) {
      logProxies += nearest.change(here, there) - proxies.change(here, there);
    }
    if (test.proxiesFirst()) {
      if (!chance.flip(Metropolis.acceptanceProbability(0, logProxies))) {
        return new Transition<>(from, new StepInfo(0, 0, false));
      }
      logProxies = 0;
    }
    Points points = new Points(Objects.requireNonNull(nearest.proxy()), here, there, height);
    rows.visit(iteration, height, points);
    return conclude(from, proposed, logProxies + points.factor.log(), points.evaluations, chance);
  }

  private static Transition<Point> conclude(
      Point from, Point proposed, double logRatio, long evaluations, Chance chance) {
    double probability = Metropolis.acceptanceProbability(0, logRatio);
    Point next = chance.flip(probability) ? proposed : from;
    return new Transition<>(next, new StepInfo(probability, evaluations, false));
  }

  /** Evaluates the rows of the points, each row once. */
  private final class Points implements PointRows.Visitor {
    private final TaylorProxy nearest;
    private final double[] from;
    private final double[] to;
    private final double height;
    private final RowDecision.Factor factor = test.begin();
    private long lastBlock = -1;
    private int lastRow = -1;
    private double relative;
    private long evaluations;

    Points(TaylorProxy nearest, double[] from, double[] to, double height) {
      this.nearest = nearest;
      this.from = from;
      this.to = to;
      this.height = height;
    }

    @Override
    public boolean point(ProxyBlock block, int row, double h) {
      if (block.id() != lastBlock || row != lastRow) {
        double limit = block.constant(row) * height;
        relative = limit > 0 ? nearest.difference(block.data(), row, from, to, limit) / limit : 0;
        lastBlock = block.id();
        lastRow = row;
        evaluations += 2;
      }
      return factor.point(relative, h / height);
    }
  }
}
