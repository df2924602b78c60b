package org.lampyris.samplers.outside;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.density.SamplerState;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.pass.Posterior;
import org.lampyris.samplers.random.Streams;

/**
 * Makes a kernel that holds in a ball about the mode exact everywhere. A state is (θ, z) in the
 * ball, and θ alone outside.
 *
 * <p>An iteration in the ball is one of that kernel, an iteration outside a step of the θ-kernel on
 * the posterior restricted to the outside. Both leave the posterior as it is on their side. Then θ
 * is moved along its ray from the mode, θ′ = θ̂ + e^w(θ − θ̂), with w symmetric about 0 and |w| at
 * most ω, and accepted with probability
 *
 * <pre>min(1, e^{dw} π(θ′)/π(θ)),</pre>
 *
 * <p>e^{dw} being the Jacobian and π the posterior, from all rows. From inside to inside it is
 * rejected unlooked at, which costs the distance of θ and mostly nothing else: few points are
 * within e^w of the edge. Going out drops z, coming in draws it from p(z | θ′). The flows balance,
 * π(θ)p(z | θ)·p(w)·α = π(θ′)·p(−w)·e^{dw}·α′·p(z | θ), so the target is the posterior, whatever
 * the ball.
 *
 * <p>w = ωv³ with v uniform on (−1, 1): lengths of every order, long ones for the tails of heavy
 * priors. In many dimensions a posterior is a shell of the relative width 1/√(2d), which longer moves
 * overshoot, at the cost of a pass each: ω = min({@value #LONGEST}, 2/√d).
 *
 * @param <S> the state
 */
public final class BallKernel<S extends SamplerState> implements TransitionKernel<S> {
  /** The largest |w|, in a few dimensions. */
  static final double LONGEST = 0.5;

  private final Inside<S> inside;
  private final Ball ball;
  private final Posterior posterior;
  private final int chain;
  private final Streams streams;

  /** ω. */
  private final double longest;

  /**
   * Makes the kernel of one chain.
   *
   * @param inside the kernel in the ball
   * @param ball the ball
   * @param posterior the posterior of the chain, everywhere
   * @param chain the chain's number
   * @param streams the run's streams
   */
  public BallKernel(Inside<S> inside, Ball ball, Posterior posterior, int chain, Streams streams) {
    this.inside = inside;
    this.ball = ball;
    this.posterior = posterior;
    this.chain = chain;
    this.streams = streams;
    this.longest = Math.min(LONGEST, 2 / Math.sqrt(posterior.dimension()));
  }

  @Override
  public Transition<S> init(double[] theta) {
    if (ball.holds(theta)) {
      return inside.init(theta);
    }
    Point point = new Point(theta, posterior.value(theta));
    return outside(inside.outside(null, point), new ThetaKernel.Step(point, 1, false));
  }

  @Override
  public Transition<S> step(
      S state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    if (ball.holds(state.point().theta())) {
      return cross(inside.step(state, iteration, kernel, rng), iteration);
    }
    ThetaKernel.Step step = kernel.step(new Outside(), state.point(), rng);
    return cross(outside(inside.outside(state, step.point()), step), iteration);
  }

  private Transition<S> outside(S state, ThetaKernel.Step step) {
    return new Transition<>(
        state,
        new StepInfo(
            step.acceptanceProbability(),
            posterior.takeEvaluations(),
            step.divergent(),
            step.tuning(),
            inside.columnsOutside()));
  }

  /** Proposes to cross the edge of the ball, or to move along the ray outside. */
  private Transition<S> cross(Transition<S> made, long iteration) {
    Point from = made.state().point();
    double distance = ball.distance(from.theta());
    if (distance * Math.exp(longest) <= ball.radius()) {
      return made;
    }
    UniformRandomProvider rng = streams.stream(Streams.Purpose.CROSSING, chain, iteration, 0);
    double v = 2 * rng.nextDouble() - 1;
    double w = longest * v * v * v;
    double[] to = ball.onRay(from.theta(), Math.exp(w));
    boolean wasInside = distance <= ball.radius();
    boolean isInside = ball.holds(to);
    if (wasInside && isInside) {
      return made;
    }
    // In the ball the log-density of the point is another one's, or of θ and z together.
    Point here = wasInside ? Point.at(from.theta()) : from;
    double[] log = here.logDensities(posterior, to);
    double probability = Metropolis.acceptanceProbability(log[0], log[1] + to.length * w);
    S next = made.state();
    long evaluations = 0;
    List<Double> columns = made.info().columns();
    if (rng.nextDouble() < probability) {
      if (isInside) {
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

  /** A posterior of which the ball is left out. */
  private final class Outside implements LogDensity {
    @Override
    public int dimension() {
      return posterior.dimension();
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      posterior.values(thetas, out);
      for (int k = 0; k < thetas.length; k++) {
        if (ball.holds(thetas[k])) {
          out[k] = Double.NEGATIVE_INFINITY;
        }
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      return ball.holds(theta)
          ? Double.NEGATIVE_INFINITY
          : posterior.valueAndGradient(theta, gradient);
    }
  }
}
