package org.lampyris.samplers.program.moves;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.chain.TransitionKernel.Transition;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.mhss.PointRows;
import org.lampyris.samplers.mhss.PointStream;
import org.lampyris.samplers.mhss.ProxyBlock;
import org.lampyris.samplers.mhss.RowDecision;
import org.lampyris.samplers.mhss.SubsampledKernel;
import org.lampyris.samplers.mode.LikelihoodSum;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;

/**
 * Metropolis–Hastings of one node with scalable subsampling: exact, with as few local sections as
 * the bounds on Taylor remainders allow. With the polynomials about a mode and steps as long as the
 * posterior is wide, that number does not grow with the rows.
 *
 * <p>It needs a node that rows depend on through one linear predictor into an observed value with
 * bounded derivatives, as the trace shows. Other nodes are refused, naming the node that prevents
 * it. Begins with the search for the mode, a few passes, and one for the constants. The points of a
 * window of steps are drawn at once, with their rows, so that the steps in between ask nothing of
 * where the rows are.
 *
 * <p>If derivatives are bounded in a ball about the mode only, as a Poisson count's are, the ball
 * has a radius of √d + 5 standard deviations. A proposal from or to beyond is decided by all rows.
 * Both decisions are reversible for each pair of values, so the step is exact.
 *
 * <p>Source: Prado, Nemeth and Sherlock (2024), by {@link SubsampledKernel}; what is here is how
 * the algorithm follows from a program. Not safe for use by several threads.
 */
public final class BoundedMh implements Move, AutoCloseable {
  private static final int ORDER = 2;
  private static final double TOLERANCE = 1e-3;
  private static final int MOST_PASSES = 100;

  /** Radius of the ball beyond √d, in standard deviations, as of the local bounds of Firefly. */
  private static final double BEYOND = 5;

  /** Chains have numbers below this; each node's chains have their own points. */
  private static final int CHAINS = 1 << 20;

  private final LinearSection section;
  private final ResidentRows<ProxyBlock> rows;
  private final TaylorProxy proxy;
  private final CollapsedQuadratic collapsed;
  private final PointStream.Size size;
  private final PointStream points;
  private final ProposalKernel proposal;
  private final RowDecision test;
  private final Map<Integer, SubsampledKernel> kernels = new HashMap<>();

  /**
   * Returns the step of a normal drift.
   *
   * @param drift the sd of each element's proposal
   * @throws UserException (usage) with the node that prevents it
   */
  public static BoundedMh drift(ProgramRows rows, Node target, double drift) {
    return new BoundedMh(
        rows,
        target,
        laplace -> new RandomWalk(Preconditioner.identity(laplace.dimension()), drift),
        new RowDecision.Scalable(true));
  }

  /**
   * Returns the step of a Crank–Nicolson proposal about the mode's normal approximation.
   *
   * @param beta β, in (0, 1]
   * @throws UserException (usage) with the node that prevents it
   */
  public static BoundedMh crankNicolson(ProgramRows rows, Node target, double beta) {
    return new BoundedMh(
        rows,
        target,
        laplace -> new CrankNicolson(laplace.mode(), Preconditioner.of(laplace), beta),
        new RowDecision.Scalable(true));
  }

  BoundedMh(
      ProgramRows of,
      Node target,
      Function<LaplaceApproximation, ProposalKernel> how,
      RowDecision test) {
    Trace trace = of.trace();
    LinearSection linear = LinearSection.of(trace, target);
    of.sum(1, (block, out) -> linear.require(trace, block.data()));
    LinearModel model = new LinearModel(linear.density().likelihood(), target.dimension());
    LaplaceApproximation laplace = mode(of, target, model);
    TaylorProxy everywhere = new TaylorProxy(model, ORDER, laplace, Double.POSITIVE_INFINITY);
    double unbounded =
        of.sum(
                1,
                (block, out) -> {
                  double[] bounds = everywhere.derivativeBounds(block.data());
                  out[0] = Arrays.stream(bounds).allMatch(Double::isFinite) ? 0 : 1;
                })[0];
    TaylorProxy taylor =
        unbounded == 0
            ? everywhere
            : new TaylorProxy(model, ORDER, laplace, Math.sqrt(target.dimension()) + BEYOND);
    int packed = CollapsedQuadratic.packedLength(target.dimension());
    this.section = linear;
    this.proxy = taylor;
    this.test = test;
    this.proposal = how.apply(laplace);
    this.rows = of.keep(block -> ProxyBlock.of(taylor, block));
    double[] sums =
        rows.sum(
            packed + 1,
            (block, out) -> {
              CollapsedQuadratic sum = taylor.emptySum();
              taylor.collapse(block.data(), sum);
              System.arraycopy(sum.packed(), 0, out, 0, packed);
              out[packed] = block.total();
            });
    this.collapsed =
        new CollapsedQuadratic(taylor.emptySum().origin(), Arrays.copyOf(sums, packed));
    this.size = new PointStream.Size(of.size().rows(), sums[packed]);
    UniformRandomProvider rng = of.streams().stream(Streams.Purpose.CANDIDATES, 0, 0, target.id());
    double thickness = new PointStream.Heights(taylor::factor, proposal, laplace, rng).largest();
    this.points =
        new PointStream(
            of.streams(), 1, EventSource.suitingWindow(thickness * size.total()), thickness);
  }

  /** Returns the mode given the program's first values: of the likelihood if v is not normal. */
  private static LaplaceApproximation mode(ProgramRows of, Node target, LinearModel model) {
    Trace trace = of.trace();
    int d = target.dimension();
    UnivariatePrior prior =
        Distributions.asNormal(trace.entry(target).drawn(), Given.of(trace.globals(), 0))
            .<UnivariatePrior>map(normal -> new UnivariatePrior.Normal(normal[0], normal[1]))
            .orElseGet(UnivariatePrior.Flat::new);
    List<String> names =
        IntStream.range(0, d).mapToObj(j -> "%s[%d]".formatted(target, j)).toList();
    int length = LikelihoodSum.packedLength(d);
    Objective objective =
        theta ->
            new LikelihoodSum(
                d,
                of.sum(
                    length, (block, out) -> LikelihoodSum.addTo(model, theta, block.data(), out)));
    return new MapFinder(ProductPrior.shared(prior, d), names, TOLERANCE, MOST_PASSES)
        .find(objective, null, pass -> {})
        .laplace();
  }

  /** Returns the mode that the polynomials are about; not to be modified. */
  public double[] mode() {
    return proxy.center();
  }

  @Override
  public ProgramState apply(ProgramState from, ProgramRows of) {
    Node target = section.scaffold().target();
    long step = from.step() + 1;
    UniformRandomProvider rng = of.streams().iteration(from.chain(), step);
    Globals now = from.globals();
    double[] value = now.value(target, 0);
    double[] to = proposal.propose(value, rng);
    Globals then = of.trace().with(now, target, 0, to);
    double global = section.scaffold().logGlobal(of.trace(), now, then, 0);
    if (!proxy.holdsAt(value) || !proxy.holdsAt(to)) {
      double log = global + proposal.correction(value, to) + change(of, value, to);
      boolean moves = Math.log(rng.nextDouble()) < log;
      return from.afterTest(moves ? then : now, moves, of.size().rows());
    }
    SubsampledKernel kernel = kernels.computeIfAbsent(from.chain(), this::kernel);
    Transition<Point> decided =
        kernel.decide(
            kernel.init(value).state(),
            to,
            global + proposal.correction(value, to),
            step,
            probability -> rng.nextDouble() < probability);
    boolean accepted = Arrays.equals(decided.state().theta(), to);
    // A section is evaluated at both values.
    return from.afterTest(
        accepted ? then : now, accepted, decided.info().likelihoodEvaluations() / 2);
  }

  /** Returns the change of the log-likelihood of all rows. */
  private double change(ProgramRows of, double[] from, double[] to) {
    double[][] ends = {from, to};
    Model model = proxy.model(); // sent without this
    double[] sums = of.sum(2, (block, out) -> model.addLogLikelihoods(block.data(), ends, out));
    return sums[1] - sums[0];
  }

  /** The prior is part of the ratio's factor, because other nodes may depend on it. */
  private SubsampledKernel kernel(int chain) {
    int number = chain + CHAINS * section.scaffold().target().id();
    return new SubsampledKernel(
        proxy,
        ProductPrior.shared(new UnivariatePrior.Flat(), proxy.dimension()),
        collapsed,
        new PointRows.Windows(new PointRows.Asked(proxy, points.of(number), RowClient.alone(rows))),
        size,
        test);
  }

  @Override
  public void close() {
    rows.close();
  }
}
