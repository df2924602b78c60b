package org.lampyris.samplers.minibatch;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.ThetaKernelType;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Metropolis–Hastings whose decisions are made by batches of rows.
 *
 * <p>θ′ comes from a kernel without gradients, or from MALA, with the gradient over all rows or
 * over a minibatch, N/m times its sum, as in stochastic gradient Langevin dynamics. The same
 * minibatch then gives the gradient at θ′ for the reverse move, so for every minibatch the test
 * belongs to its own kernel in detailed balance (Korattikara, Chen and Welling 2014, section 6.4).
 * It is drawn without a look at θ, and its rows are the last ones that the test comes to.
 *
 * <p>Each row that a test reads counts two evaluations, at θ and at θ′. It counts one if all rows
 * have been evaluated at θ before, which a chain caches until it leaves θ (Bardenet, Doucet and
 * Holmes 2017, section 8.1.3). A gradient counts one a row, and none where it is known.
 *
 * @param rows the rows as this chain sees them
 * @param begun v_n at the beginning
 * @param decision decides
 * @param gradient what MALA proposes by; the model and the prior
 * @param renewal when the proxies are expanded again
 */
public record TrialKernel(
    BatchRows rows,
    Remainders begun,
    BatchDecision decision,
    BatchGradient gradient,
    Remainders.Renewal renewal)
    implements TransitionKernel<TrialKernel.State>, DecisionErrors.Checked {
  /** A proposal: θ′, log q(θ | θ′) − log q(θ′ | θ), the gradient there, and what it cost. */
  private record Proposed(Point point, double correction, long evaluations) {}

  @Override
  public Transition<State> init(double[] theta) {
    StepInfo info = new StepInfo(0, 0, false);
    return new Transition<>(state(new Point(theta, Double.NaN), false, begun), info);
  }

  /** Returns a state, with the log-density of its point. */
  private State state(Point point, boolean known, Remainders remainders) {
    double[] theta = point.theta();
    double logDensity = gradient.prior().logDensity(theta) + remainders.proxies(theta);
    return new State(new Point(theta, logDensity, point.gradient()), known, remainders);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A step reports the acceptance probability given the rows read.
   *
   * @throws UserException (usage) if the θ-kernel has no separate proposal
   */
  @Override
  public Transition<State> step(
      State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    boolean due = renewal.due(iteration);
    Outcome outcome = decide(state, iteration, kernel, rng, due ? new AllRows() : decision);
    State next = outcome.next;
    if (due) {
      double[] theta = next.point().theta();
      next = state(next.point(), true, renewal.at(gradient.model(), rows, theta, iteration));
    }
    return new Transition<>(next, outcome.info);
  }

  /** Result of a decision. */
  record Outcome(State next, boolean accepted, StepInfo info) {}

  /** Draws a proposal and decides on it. */
  Outcome decide(
      State state,
      long iteration,
      ThetaKernel kernel,
      UniformRandomProvider rng,
      BatchDecision how) {
    Proposed proposed = propose(state, iteration, kernel, rng);
    State there = state(proposed.point, false, state.remainders());
    double rest = there.point().logDensity() - state.point().logDensity() + proposed.correction;
    if (!(rest > Double.NEGATIVE_INFINITY)) {
      return new Outcome(state, false, told(kernel, state, there, 0, proposed.evaluations));
    }
    double[] from = state.point().theta();
    double[] to = there.point().theta();
    Remainders nearest = state.remainders().nearest(from, to);
    if (nearest.proxy() != state.remainders().proxy()) {
      rest += nearest.change(from, to) - state.remainders().change(from, to);
    }
    Trial trial = trial(nearest, from, to, iteration, rest);
    boolean accepted = how.accepts(trial, rng);
    boolean all = trial.isComplete();
    long evaluations = trial.looked() * (state.known() ? 1 : 2) + proposed.evaluations;
    State at = accepted ? there : state;
    State next = new State(at.point(), all || (state.known() && !accepted), at.remainders());
    double probability = trial.estimatedProbability();
    return new Outcome(next, accepted, told(kernel, state, there, probability, evaluations));
  }

  private static StepInfo told(
      ThetaKernel kernel, State from, State to, double probability, long evaluations) {
    double tuning =
        kernel instanceof ProposalKernel proposal
            ? proposal.tuning(from.point().theta(), to.point().theta(), probability)
            : probability;
    return new StepInfo(probability, evaluations, false, tuning, List.of());
  }

  @Override
  public boolean isWrong(
      Point from, long iteration, ThetaKernel kernel, Streams streams, int chain) {
    State state = state(from, false, begun);
    Outcome tested =
        decide(state, iteration, kernel, streams.iteration(chain, iteration), decision);
    Outcome exact =
        decide(state, iteration, kernel, streams.iteration(chain, iteration), new AllRows());
    return tested.accepted != exact.accepted;
  }

  private Trial trial(
      Remainders remainders, double[] from, double[] to, long iteration, double rest) {
    long offset = gradient.isExact(rows) ? 0 : gradient.batch();
    return new Trial(rows, iteration, offset, remainders, from, to, rest);
  }

  /** Returns whether batches of rows can decide on a kernel's proposals. */
  static boolean decides(ThetaKernelType kernel) {
    return kernel.isProposal() || kernel instanceof Mala.Type;
  }

  static UserException withoutProposal() {
    return UserException.usage(
        "batches of rows can decide on proposals only. Choose sampler.kernel: mala, or one of "
            + ConfigText.listed(
                Registry.of(ThetaKernelType.class).names(ThetaKernelType::isProposal), "and")
            + ".");
  }

  private Proposed propose(
      State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    double[] theta = state.point().theta();
    if (kernel instanceof ProposalKernel proposal) {
      double[] to = proposal.propose(theta, rng);
      return new Proposed(Point.at(to), proposal.correction(theta, to), 0);
    }
    if (!(kernel instanceof Mala mala)) {
      throw withoutProposal();
    }
    boolean all = gradient.isExact(rows);
    double[] known = all ? state.point().gradient() : null;
    double[] here = known == null ? gradient.at(theta, iteration, rows) : known;
    Mala.Proposal proposal = mala.propose(theta, here, Noise.of(rng));
    double[] there = gradient.at(proposal.theta(), iteration, rows);
    Point point = new Point(proposal.theta(), Double.NaN, all ? there : null);
    long evaluations = gradient.evaluations(rows) * (known == null ? 2 : 1);
    return new Proposed(point, mala.correction(proposal, there), evaluations);
  }

  /** Reads all rows: Metropolis–Hastings itself. */
  public record AllRows() implements BatchDecision {
    @Override
    public boolean accepts(Trial trial, UniformRandomProvider rng) {
      double threshold = trial.threshold(rng.nextDouble());
      return trial.lookAt(trial.rows()).mean() > threshold;
    }
  }

  /**
   * State of a chain that decides by batches.
   *
   * @param point θ, with log p(θ) + Σ_n T_n(θ), and the gradient over all rows where that is known
   * @param known whether every row's likelihood has been evaluated at θ
   * @param remainders v_n, with other proxies that an iteration may use in their place
   */
  public record State(Point point, boolean known, Remainders remainders) implements SamplerState {
    @Override
    public Kept stored() {
      return new Kept(point, known, remainders.about(), remainders.sum());
    }
  }

  /**
   * State as a checkpoint holds it, without the model.
   *
   * @param about what the proxies are expanded about; null without proxies
   * @param sum what they add up to, see {@code CollapsedQuadratic.packed}; null without proxies
   */
  record Kept(Point point, boolean known, double @Nullable [] about, double @Nullable [] sum)
      implements SamplerState {}

  @Override
  public State restored(SamplerState stored) {
    Kept kept = (Kept) stored;
    return new State(kept.point, kept.known, begun.of(kept.about, kept.sum, renewal));
  }
}
