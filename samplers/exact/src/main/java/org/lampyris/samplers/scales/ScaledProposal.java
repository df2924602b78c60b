package org.lampyris.samplers.scales;

import java.util.Arrays;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.run.RunInputs;

/**
 * {@link ScaledKernel} for algorithms that decide on proposals by a few rows: a proposal moves the
 * coefficients given the scales, or {@linkplain ScaleMoves#allCarried all scales} with the
 * standardised coefficients held fixed, each with probability ½. Scales given coefficients are
 * drawn {@linkplain #refreshed before}.
 *
 * @param making makes the kernel that proposes coefficients, for a normal approximation
 * @param inner that kernel, with the step size that is used
 * @param prior of the coefficients that the rows know, scales left out
 * @param moves the moves of scales
 */
record ScaledProposal(
    RunInputs.Making making, ProposalKernel inner, ProductPrior prior, ScaleMoves moves)
    implements ProposalKernel {
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
    return moves.allCarried(theta, noise);
  }

  @Override
  public double correction(double[] theta, double[] proposal) {
    if (theta.length == known()) {
      return given(moves.scales().centre()).correction(theta, proposal);
    }
    double[] phi = phi(theta);
    return Arrays.equals(phi, phi(proposal))
        ? given(phi).correction(Arrays.copyOf(theta, known()), Arrays.copyOf(proposal, known()))
        : moves.correction(theta, proposal);
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
  public double stepSize() {
    return inner.stepSize();
  }

  @Override
  public double largestStepSize() {
    return inner.largestStepSize();
  }

  @Override
  public ThetaKernel withStepSize(double size) {
    return new ScaledProposal(making, (ProposalKernel) inner.withStepSize(size), prior, moves);
  }

  @Override
  public double targetAcceptance() {
    return inner.targetAcceptance();
  }
}
