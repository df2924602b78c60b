package org.lampyris.samplers.kernel;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.lampyris.samplers.density.LogDensity;

/**
 * Random-walk Metropolis: θ' = θ + ε·Lz, z ~ N(0, I), accepted with probability min(1, π(θ')/π(θ)).
 *
 * <p>One evaluation of the target a step, asked for together with the current point's where that is
 * not known. Target acceptance 0.234. Source: Roberts, Gelman and Gilks (1997); Maclaurin and Adams
 * (2014), Algorithm 1, lines 7 to 13.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 */
public record RandomWalk(Preconditioner preconditioner, double stepSize) implements ThetaKernel {

  /** Asymptotically optimal mean acceptance probability in many dimensions. */
  public static final double OPTIMAL_ACCEPTANCE = 0.234;

  /** Checks the step size. */
  public RandomWalk {
    if (!(stepSize > 0)) {
      throw new IllegalArgumentException("step size " + stepSize);
    }
  }

  /** Returns the step size that is optimal on a normal target of covariance LLᵀ: 2.38/√d. */
  public static double optimalStepSize(int dimension) {
    return 2.38 / Math.sqrt(dimension);
  }

  @Override
  public Step step(LogDensity target, Point point, UniformRandomProvider rng) {
    double[] proposal = propose(point.theta(), rng);
    double current = point.logDensity();
    double proposed;
    if (point.isEvaluated()) {
      proposed = target.value(proposal);
    } else {
      double[] values = new double[2];
      target.values(new double[][] {point.theta(), proposal}, values);
      current = values[0];
      proposed = values[1];
    }
    double probability = Metropolis.acceptanceProbability(current, proposed);
    boolean accepted = rng.nextDouble() < probability;
    Point next = accepted ? new Point(proposal, proposed) : new Point(point.theta(), current);
    return new Step(next, probability, false);
  }

  private double[] propose(double[] theta, UniformRandomProvider rng) {
    SharedStateContinuousSampler normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] z = new double[theta.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = normal.sample();
    }
    double[] proposal = theta.clone();
    preconditioner.addTo(z, stepSize, proposal);
    return proposal;
  }

  @Override
  public RandomWalk withStepSize(double size) {
    return new RandomWalk(preconditioner, size);
  }

  @Override
  public double targetAcceptance() {
    return OPTIMAL_ACCEPTANCE;
  }
}
