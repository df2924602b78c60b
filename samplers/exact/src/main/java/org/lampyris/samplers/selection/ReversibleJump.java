package org.lampyris.samplers.selection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;

/**
 * Proposals within a model and between models, θ having zeros for features that are out. One of the
 * moves that are possible with k of D features is chosen, an update twice as often as each other:
 *
 * <ul>
 *   <li>update: θ_I by a random walk of the covariance P_II⁻¹ ({@link Submodels}) and the step size
 *       ε√(d/k_I), k_I of d elements being there, or by Crank–Nicolson about the approximation;
 *   <li>birth: a feature f that is out enters ({@link Entry}), if k is below K;
 *   <li>death: a feature that is in leaves;
 *   <li>swap: one leaves, and one that was out enters, for features that stand for each other.
 * </ul>
 *
 * <p>Birth and death are each other's inverse, so for a birth log q(θ | θ′) − log q(θ′ | θ) is log
 * P(death; k + 1) P(f leaves) − log P(birth; k) P(f enters) − log q(x), with the features'
 * probabilities from {@link CandidateFeatures}.
 *
 * <p>Source: Green (1995), section 3; Korattikara, Chen and Welling (2014), section 6.3, which has
 * update, birth and death.
 *
 * @param candidates which features are proposed
 * @param most K, how many features may be in
 * @param within what updates θ_I: a {@link RandomWalk} or a {@link CrankNicolson} for all of θ
 */
record ReversibleJump(CandidateFeatures candidates, int most, ProposalKernel within)
    implements ProposalKernel {
  /** Kind of move, with the weight with which it is chosen among possible ones. */
  enum Move {
    UPDATE(2),
    BIRTH(1),
    DEATH(1),
    SWAP(1);

    private final double weight;

    Move(double weight) {
      this.weight = weight;
    }
  }

  /** Returns the features that enter and leave. */
  Features features() {
    return candidates.features();
  }

  private boolean isPossible(Move move, int k) {
    int all = features().count();
    return switch (move) {
      case UPDATE -> k > 0 || features().present(new boolean[all]).length > 0;
      case BIRTH -> k < most;
      case DEATH -> k > 0;
      case SWAP -> k > 0 && k < all;
    };
  }

  private List<Move> possible(int k) {
    List<Move> moves = new ArrayList<>(List.of(Move.values()));
    moves.removeIf(move -> !isPossible(move, k));
    return moves;
  }

  /** Returns the probability of a move with k features in; 0 if it is not possible. */
  double probability(Move move, int k) {
    double all = possible(k).stream().mapToDouble(one -> one.weight).sum();
    return isPossible(move, k) ? move.weight / all : 0;
  }

  private Move draw(int k, Noise noise) {
    List<Move> moves = possible(k);
    double left = noise.uniform(0, moves.stream().mapToDouble(one -> one.weight).sum());
    for (Move move : moves) {
      left -= move.weight;
      if (left < 0) {
        return move;
      }
    }
    return moves.get(moves.size() - 1);
  }

  @Override
  public double[] propose(double[] theta, Noise noise) {
    boolean[] in = features().in(theta);
    Move move = draw(Features.size(in), noise);
    double[] proposal = theta.clone();
    if (move == Move.UPDATE) {
      update(proposal, in, noise);
      return proposal;
    }
    int leaving = move == Move.BIRTH ? -1 : drawn(in, true, -1, noise);
    if (leaving >= 0) {
      in[leaving] = false;
      entry(in, leaving).leave(proposal);
    }
    if (move != Move.DEATH) {
      entry(in, drawn(in, false, leaving, noise)).enter(proposal, noise);
    }
    return proposal;
  }

  private int drawn(boolean[] in, boolean leaving, int except, Noise noise) {
    double[] probabilities = candidates.probabilities(in, leaving, except);
    double left = noise.uniform(0, 1);
    int last = -1;
    for (int f = 0; f < in.length; f++) {
      if (probabilities[f] > 0) {
        last = f;
        left -= probabilities[f];
        if (left < 0) {
          return f;
        }
      }
    }
    return last;
  }

  /** Returns the move by which a feature enters the model of others. */
  private Entry entry(boolean[] others, int feature) {
    return candidates.model(others).entry(features().elements().get(feature));
  }

  private void update(double[] theta, boolean[] in, Noise noise) {
    int[] present = features().present(in);
    double[] moved = within(present).propose(at(theta, present), noise);
    for (int i = 0; i < present.length; i++) {
      theta[present[i]] = moved[i];
    }
  }

  private static double[] at(double[] theta, int[] elements) {
    double[] values = new double[elements.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = theta[elements[i]];
    }
    return values;
  }

  private ProposalKernel within(int[] present) {
    LaplaceApproximation about = candidates.submodels().of(present).density();
    Preconditioner factor = Preconditioner.of(about);
    if (within instanceof CrankNicolson) {
      return new CrankNicolson(about.mode(), factor, within.stepSize());
    }
    double share = Math.sqrt((double) features().dimension() / present.length);
    return new RandomWalk(factor, within.stepSize() * share);
  }

  @Override
  public double correction(double[] theta, double[] proposal) {
    boolean[] in = features().in(theta);
    boolean[] there = features().in(proposal);
    boolean[] both = new boolean[in.length];
    int leaving = -1;
    int entering = -1;
    for (int f = 0; f < in.length; f++) {
      both[f] = in[f] && there[f];
      leaving = in[f] && !there[f] ? f : leaving;
      entering = there[f] && !in[f] ? f : entering;
    }
    if (leaving < 0 && entering < 0) {
      int[] present = features().present(in);
      return within(present).correction(at(theta, present), at(proposal, present));
    }
    return logJump(there, both, entering, leaving, theta)
        - logJump(in, both, leaving, entering, proposal);
  }

  /**
   * Returns the logarithm of the density of a jump.
   *
   * @param in which features are in before it
   * @param others those that are in before and after it
   * @param leaving the feature that leaves, −1 for none
   * @param entering the one that enters
   * @param to where the jump leads to
   */
  private double logJump(boolean[] in, boolean[] others, int leaving, int entering, double[] to) {
    Move move = entering < 0 ? Move.DEATH : leaving < 0 ? Move.BIRTH : Move.SWAP;
    double log = Math.log(probability(move, Features.size(in)));
    if (leaving >= 0) {
      log += Math.log(candidates.probabilities(in, true, -1)[leaving]);
    }
    if (entering >= 0) {
      log += Math.log(candidates.probabilities(others, false, leaving)[entering]);
      log += entry(others, entering).logDensity(to);
    }
    return log;
  }

  /** {@inheritDoc} Jumps do. */
  @Override
  public double tuning(double[] theta, double[] proposal, double probability) {
    boolean jumped = !Arrays.equals(features().in(theta), features().in(proposal));
    return jumped ? Double.NaN : probability;
  }

  @Override
  public double stepSize() {
    return within.stepSize();
  }

  @Override
  public double largestStepSize() {
    return within.largestStepSize();
  }

  @Override
  public ReversibleJump withStepSize(double size) {
    ThetaKernel sized = within.withStepSize(size);
    return new ReversibleJump(candidates, most, (ProposalKernel) sized);
  }

  @Override
  public double targetAcceptance() {
    return within.targetAcceptance();
  }
}
