package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Leaping;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowBlock;

/**
 * Kernel that extends one that holds in a {@link Region} to an exact kernel everywhere. A state is
 * (θ, z) in the region, and θ alone outside.
 *
 * <p>An iteration in the region is one of that kernel, an iteration outside a step of the θ-kernel
 * on the posterior restricted to the outside. Both leave the posterior as it is on their side. Then
 * θ is moved along its ray, so that its distance grows by e^w (in a ball θ′ = θ̂ + e^w(θ − θ̂)),
 * with w symmetric about 0 and |w| at most ω, and accepted with probability
 *
 * <pre>min(1, e^{kw} π(θ′)/π(θ)),</pre>
 *
 * <p>e^{kw} being the Jacobian where k elements move and π the posterior, from all rows. Moves from
 * inside to inside are rejected without evaluation, and so are moves to or from points deeper than
 * {@value #SHELL} inside the edge. That is also symmetric, and a chain that hardly ever comes near
 * the edge pays for no passes. With 20 coefficients and 10⁶ rows, moves from anywhere cost 370
 * evaluations an iteration, and Firefly's own 1.3. Going out drops z, coming in draws it from p(z |
 * θ′). The flows balance, π(θ)p(z | θ)·p(w)·α = π(θ′)·p(−w)·e^{kw}·α′·p(z | θ), so the target is
 * the posterior, whatever the region. A ray leaves wherever the edge is, so that a chain crosses
 * all of it: of a strip the one edge and the other.
 *
 * <p>A θ-kernel may also {@linkplain Leaping leap} across: a proposal that leads from one side to
 * the other is decided by the posterior from all rows, any other one is rejected without
 * evaluation. So a scale that can be near 0 and far from it returns at once, where rays need some
 * hundred iterations in many dimensions.
 *
 * <p>w = ωv³ with v uniform on (−1, 1): lengths of every order, long ones for the tails of heavy
 * priors. In many dimensions a posterior is a shell of the relative width 1/√(2k), which longer
 * moves overshoot, at the cost of a pass each: ω = min({@value #LONGEST}, 2/√k).
 *
 * @param <S> the state
 */
public final class RegionKernel<S extends SamplerState> implements TransitionKernel<S> {
  /** The largest |w|, in a few dimensions. */
  static final double LONGEST = 0.5;

  /** Depth inside the edge, in the region's unit, where moves across it start and end. */
  static final double SHELL = 0.5;

  /**
   * Inputs of chains that leave the region of their kernel, sent to the executors with a segment's
   * work. A small table is sent along whole; otherwise a segment ends when a chain leaves the
   * region, and jobs make its iterations outside.
   *
   * @param <B> a resident block
   * @param region the region
   * @param prior p(θ), everywhere
   * @param streams the run's streams
   * @param likelihood makes passes over all rows
   * @param rows how many rows the table has
   * @param whole all rows; null where they are too many
   */
  public record Around<B extends RowBlock<B>>(
      Region region,
      Prior prior,
      Streams streams,
      LikelihoodPass<B> likelihood,
      long rows,
      @Nullable CarriedTable<B> whole)
      implements Serializable {
    /** Joins the parts. */
    public static <B extends RowBlock<B>> Around<B> of(
        SamplingContext context, Region region, @Nullable CarriedTable<B> whole) {
      return new Around<>(
          region,
          context.model().prior(),
          context.streams(),
          new LikelihoodPass<>(context.model().model()),
          context.table().rows(),
          whole);
    }

    /** Returns the kernel of a chain, everywhere, from the one in the region and all rows. */
    public <S extends SamplerState> TransitionKernel<S> kernel(
        Inside<S> inside, int chain, RowClient<B> all) {
      LikelihoodRows asked = likelihood.rows(rows, all);
      return new RegionKernel<>(inside, region, new PosteriorDensity(prior, asked), chain, streams);
    }

    /** Returns whether a chain that has come there needs more rows than a segment has. */
    public boolean needsAllRows(SamplerState state) {
      return whole == null && !region.holds(state.point().theta());
    }

    /** Returns all rows for use in a segment: sent along, or unavailable. */
    public RowClient<B> inSegment() {
      return whole == null ? RowClient.elsewhere() : whole.client();
    }
  }

  private final Inside<S> inside;
  private final Region region;
  private final PosteriorDensity posterior;
  private final int chain;
  private final Streams streams;

  /** ω. */
  private final double longest;

  /** Smallest distance from the centre at which a move starts and ends. */
  private final double nearest;

  /** The θ whose distance is known: a chain that stays need not measure it again. */
  private double @Nullable [] measured;

  private double measuredDistance;

  /** Creates the kernel of one chain, from the one in the region and the posterior everywhere. */
  public RegionKernel(
      Inside<S> inside, Region region, PosteriorDensity posterior, int chain, Streams streams) {
    this.inside = inside;
    this.region = region;
    this.posterior = posterior;
    this.chain = chain;
    this.streams = streams;
    this.longest = Math.min(LONGEST, 2 / Math.sqrt(region.rayDimension()));
    this.nearest = Math.max(region.radius() - SHELL, region.radius() * Math.exp(-longest));
  }

  @Override
  public Transition<S> init(double[] theta) {
    if (region.holds(theta)) {
      return inside.init(theta);
    }
    Point point = new Point(theta, posterior.value(theta));
    return outside(inside.outside(null, point), new ThetaKernel.Step(point, 1, false));
  }

  @Override
  public Transition<S> step(
      S state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    if (distance(state.point().theta()) <= region.radius()) {
      return leap(cross(inside.step(state, iteration, kernel, rng), iteration), kernel, iteration);
    }
    ThetaKernel.Step step = kernel.step(new Outside(), state.point(), rng);
    Transition<S> made = outside(inside.outside(state, step.point()), step);
    return leap(cross(made, iteration), kernel, iteration);
  }

  @Override
  public S restored(SamplerState stored) {
    return inside.restored(stored);
  }

  private Transition<S> outside(S state, ThetaKernel.Step step) {
    return new Transition<>(
        state, StepInfo.of(step, posterior.takeEvaluations(), inside.columnsOutside()));
  }

  /** Returns how far a θ is from the centre: of a state's, which is not modified, once only. */
  private double distance(double[] theta) {
    if (theta != measured) {
      measured = theta;
      measuredDistance = region.distance(theta);
    }
    return measuredDistance;
  }

  /** Proposes to cross the edge of the region, or to move along the ray outside. */
  private Transition<S> cross(Transition<S> made, long iteration) {
    Point from = made.state().point();
    double distance = distance(from.theta());
    if (distance < nearest) {
      return made;
    }
    UniformRandomProvider rng = streams.stream(Streams.Purpose.CROSSING, chain, iteration, 0);
    double v = 2 * rng.nextDouble() - 1;
    double w = longest * v * v * v;
    double[] to = region.onRay(from.theta(), Math.exp(w));
    boolean wasInside = distance <= region.radius();
    boolean isInside = region.holds(to);
    if (isInside && (wasInside || region.distance(to) < nearest)) {
      return made;
    }
    return attempt(made, to, region.rayDimension() * w, rng, iteration);
  }

  /** Proposes to cross the edge of the region by a move of the θ-kernel's own, if it has one. */
  private Transition<S> leap(Transition<S> made, ThetaKernel kernel, long iteration) {
    if (!(kernel instanceof Leaping leaping)) {
      return made;
    }
    UniformRandomProvider rng = streams.stream(Streams.Purpose.CROSSING, chain, iteration, 1);
    double[] from = made.state().point().theta();
    Leaping.Leap leap = leaping.leap(from, Noise.of(rng));
    return leap == null || region.holds(leap.to()) == (distance(from) <= region.radius())
        ? made
        : attempt(made, leap.to(), leap.correction(), rng, iteration);
  }

  /** Accepts θ′ with probability min(1, π(θ′)/π(θ)·e^correction), π from all rows. */
  private Transition<S> attempt(
      Transition<S> made,
      double[] to,
      double correction,
      UniformRandomProvider rng,
      long iteration) {
    Point from = made.state().point();
    // In the region the log-density of the point is another one's, or of θ and z together.
    Point here = distance(from.theta()) <= region.radius() ? Point.at(from.theta()) : from;
    double[] log = here.logDensities(posterior, to);
    double probability = Metropolis.acceptanceProbability(log[0], log[1] + correction);
    S next = made.state();
    long evaluations = 0;
    List<Double> columns = made.info().columns();
    if (rng.nextDouble() < probability) {
      if (region.holds(to)) {
        Transition<S> entered = inside.enter(next, to, iteration);
        next = entered.state();
        evaluations = entered.info().likelihoodEvaluations();
        columns = entered.info().columns();
      } else {
        next = inside.outside(next, new Point(to, log[1]));
        columns = inside.columnsOutside();
      }
    }
    StepInfo info = made.info();
    return new Transition<>(
        next,
        new StepInfo(
            info.acceptanceProbability(),
            info.likelihoodEvaluations() + evaluations + posterior.takeEvaluations(),
            info.divergent(),
            info.tuning(),
            columns));
  }

  /** The posterior outside the region. */
  private final class Outside implements LogDensity {
    @Override
    public int dimension() {
      return posterior.dimension();
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      posterior.values(thetas, out);
      for (int k = 0; k < thetas.length; k++) {
        if (region.holds(thetas[k])) {
          out[k] = Double.NEGATIVE_INFINITY;
        }
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      return region.holds(theta)
          ? Double.NEGATIVE_INFINITY
          : posterior.valueAndGradient(theta, gradient);
    }
  }

  /**
   * Reach of the draws, and how many of them lie outside the region of the algorithm's own kernel.
   * Iterations outside read all rows.
   *
   * @param region the region
   * @param distance the largest distance of a draw, as the region measures it
   * @param outside how many draws lie outside
   * @param excursions how often a chain has gone outside, from draw to draw
   * @param visits how often one has come within {@value #SHELL} of the edge, or beyond
   * @param draws how many draws there are
   */
  public record Reach(
      Region region, double distance, long outside, long excursions, long visits, long draws) {
    /** Share of draws outside from which a cheaper algorithm is suggested. */
    private static final double OFTEN = 0.01;

    /** With k excursions the share outside has a relative standard error of some √(2/k). */
    private static final int ENOUGH = 10;

    /**
     * Probability of as many visits by draws of a normal posterior, below which they show a tail.
     */
    private static final double UNLIKELY = 1e-4;

    /** Measures all draws. */
    public static Reach of(Region region, List<ChainTrace> traces) {
      double[][] distances =
          traces.parallelStream()
              .map(trace -> trace.draws().stream().mapToDouble(region::distance).toArray())
              .toArray(double[][]::new);
      double largest = 0;
      long outside = 0;
      long excursions = 0;
      long visits = 0;
      long draws = 0;
      for (double[] chain : distances) {
        double before = 0;
        for (double distance : chain) {
          largest = Math.max(largest, distance);
          outside += isBeyond(distance, region.radius()) ? 1 : 0;
          excursions += crosses(before, distance, region.radius());
          visits += crosses(before, distance, region.radius() - SHELL);
          before = distance;
        }
        draws += chain.length;
      }
      return new Reach(region, largest, outside, excursions, visits, draws);
    }

    private static int crosses(double from, double to, double edge) {
      return isBeyond(to, edge) && !isBeyond(from, edge) ? 1 : 0;
    }

    private static boolean isBeyond(double distance, double edge) {
      return !(distance <= edge);
    }

    /**
     * Returns the finding that chains come to the edge more often than draws of a normal posterior
     * would, and cross it too rarely to measure what lies outside; empty if they stay away from it,
     * or cross it often. R̂ and ESS of chains that have hardly seen a tail do not show it.
     */
    public Optional<Decision> rarelyCrossed() {
      double expected = draws * region.normalBeyond(region.radius() - SHELL);
      if (visits == 0
          || excursions >= ENOUGH
          || PoissonDistribution.of(Math.max(Double.MIN_NORMAL, expected))
                  .survivalProbability((int) Math.min(Integer.MAX_VALUE, visits - 1))
              > UNLIKELY) {
        return Optional.empty();
      }
      return Optional.of(
          Decision.of(
              Decision.FOUND,
              String.format(
                  Locale.ROOT,
                  "The draws come to the edge of the ball of the bounds, and %s. So the share of"
                      + " the posterior outside is known roughly, and sds of long tails may be too"
                      + " small. Raise sampler.draws, or set sampler.algorithm: metropolis.",
                  excursions == 0
                      ? "no chain left it"
                      : "chains left it only "
                          + excursions
                          + (excursions == 1 ? " time" : " times"))));
    }

    /** Returns it as a decision. */
    public Decision decision() {
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("distance", distance);
      figures.put("radius", region.radius());
      figures.put("outside", (double) outside);
      figures.put("excursions", (double) excursions);
      figures.put("visits", (double) visits);
      figures.put("draws", (double) draws);
      return Decision.of("reach", figures, line());
    }

    /** Returns a line about it. */
    public String line() {
      return String.format(
          Locale.ROOT,
          "draws reach %.3g %s. The bounds hold within %.3g; %,d of %,d draws lie outside%s",
          distance,
          region.unit(),
          region.radius(),
          outside,
          draws,
          outside > OFTEN * draws
              ? ", and there an iteration reads all rows. sampler.algorithm metropolis or mhss may"
                  + " be cheaper on this table."
              : "");
    }
  }
}
