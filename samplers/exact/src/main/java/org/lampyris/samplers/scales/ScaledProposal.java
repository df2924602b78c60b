package org.lampyris.samplers.scales;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.kernel.Leaping;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.run.RunInputs;

/**
 * {@link ScaledKernel} for algorithms that decide on proposals by a few rows: a proposal moves the
 * coefficients given the scales, or it is the end of a chain of moves of both that reads no row,
 * each with probability ½. Scales given coefficients are drawn {@linkplain #refreshed before}.
 *
 * @param making makes the kernel that proposes coefficients, for a normal approximation
 * @param inner that kernel, with the step size that is used
 * @param prior of the coefficients that the rows know, scales left out
 * @param moves the moves of scales
 */
record ScaledProposal(
    RunInputs.Making making, ProposalKernel inner, ProductPrior prior, ScaleMoves moves)
    implements ProposalKernel, KernelAround, Leaping {
  private int known() {
    return moves.scales().known(0);
  }

  private double[] phi(double[] theta) {
    return Arrays.copyOfRange(theta, known(), theta.length);
  }

  /** Returns the other kernel for the coefficients given φ. */
  private ProposalKernel given(double[] phi) {
    LaplaceApproximation about = moves.normal().at(phi);
    return (ProposalKernel)
        making.kernel(about, prior).about(about.mode()).withStepSize(inner.stepSize());
  }

  /**
   * {@inheritDoc} Coefficients alone are moved given the scales about which their posterior lies.
   */
  @Override
  public double[] propose(double[] theta, Noise noise) {
    if (theta.length == known()) {
      return given(moves.scales().centre()).propose(theta, noise);
    }
    if (noise.flip(0.5)) {
      double[] phi = phi(theta);
      double[] moved = given(phi).propose(Arrays.copyOf(theta, known()), noise);
      double[] all = Arrays.copyOf(moved, theta.length);
      System.arraycopy(phi, 0, all, known(), phi.length);
      return all;
    }
    return surrogate(theta, noise);
  }

  /**
   * Makes a chain of moves that are reversible for π̂ ∝ exp q(θ)·p(b | φ)·p(φ)·p(β), q the
   * quadratic in place of the log-likelihood. It begins and ends with a scale that moves with u
   * held fixed, and between them the kind of each move is drawn at random. So the whole is
   * reversible for π̂. It is short or long, since a long one is rarely accepted where few rows make
   * π̂ rough. Source: Liu (2001), section 9.4, surrogate transitions.
   */
  private double[] surrogate(double[] theta, Noise noise) {
    List<ScaleMoves.Shared> shared = moves.shared();
    double[] at = carried(theta, shared, noise);
    for (int i = noise.flip(0.5) ? 0 : 4 * shared.size(); i > 0; i--) {
      at =
          switch (noise.index(3)) {
            case 0 -> coefficients(at, noise);
            case 1 -> carried(at, shared, noise);
            default -> moves.redrawn(at, moves.chosen(shared, noise), noise);
          };
    }
    return carried(at, shared, noise);
  }

  private double[] carried(double[] theta, List<ScaleMoves.Shared> shared, Noise noise) {
    return moves.carried(theta, moves.chosen(shared, noise), noise);
  }

  /** Moves the coefficients given the scales, for π̂. */
  private double[] coefficients(double[] theta, Noise noise) {
    double[] phi = phi(theta);
    ProposalKernel kernel = given(phi);
    double[] from = Arrays.copyOf(theta, known());
    double[] moved = kernel.propose(from, noise);
    double[] to = Arrays.copyOf(moved, theta.length);
    System.arraycopy(phi, 0, to, known(), phi.length);
    double log = kernel.correction(from, moved) - surrogateRatio(theta, to);
    return noise.flip(Math.exp(Math.min(0, log))) ? to : theta;
  }

  /** Returns log π̂(θ)/π̂(θ′). */
  private double surrogateRatio(double[] theta, double[] to) {
    return prior.logDensity(Arrays.copyOf(theta, known()))
        - prior.logDensity(Arrays.copyOf(to, known()))
        + moves.correction(theta, to);
  }

  @Override
  public double correction(double[] theta, double[] proposal) {
    if (theta.length == known()) {
      return given(moves.scales().centre()).correction(theta, proposal);
    }
    double[] phi = phi(theta);
    return Arrays.equals(phi, phi(proposal))
        ? given(phi).correction(Arrays.copyOf(theta, known()), Arrays.copyOf(proposal, known()))
        : surrogateRatio(theta, proposal);
  }

  /** {@inheritDoc} Here the scales are drawn given the coefficients. */
  @Override
  public double[] refreshed(double[] theta, Noise noise) {
    double[] all = theta.clone();
    moves.redrawn(all, noise);
    return all;
  }

  @Override
  public double tuning(double[] theta, double[] proposal, double probability) {
    boolean coefficients = theta.length == known() || Arrays.equals(phi(theta), phi(proposal));
    return coefficients ? probability : Double.NaN;
  }

  @Override
  public double[] start(double[] theta) {
    return moves.start(inner, theta);
  }

  @Override
  public @Nullable Leap leap(double[] theta, Noise noise) {
    return moves.leap(theta, noise);
  }

  @Override
  public ThetaKernel withStepSize(double size) {
    return new ScaledProposal(making, (ProposalKernel) inner.withStepSize(size), prior, moves);
  }
}
