package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.random.Noise;

/** A Markov kernel on θ that leaves a given log-density invariant. Immutable. */
public interface ThetaKernel extends Serializable {
  /**
   * Result of a step.
   *
   * @param point where the chain is now; its log-density is known
   * @param acceptanceProbability with which the proposal was accepted, in [0, 1]
   * @param divergent true if a trajectory was abandoned because its energy error was too large; not
   *     if it left the support
   * @param tuning what {@link #targetAcceptance} is about, in [0, 1]: a number that falls, on
   *     average, as the step size grows
   */
  record Step(Point point, double acceptanceProbability, boolean divergent, double tuning) {
    /** A step whose kernel is tuned by its acceptance probability. */
    public Step(Point point, double acceptanceProbability, boolean divergent) {
      this(point, acceptanceProbability, divergent, acceptanceProbability);
    }
  }

  /**
   * Makes one step from a point, which is evaluated first if its log-density is not known.
   *
   * <p>A chain may start at a point of density 0, which the step leaves for any point of positive
   * density and never goes back to. A kernel with gradients evaluates points by {@link
   * Point#evaluate}, which takes NaN for a density of 0.
   */
  Step step(LogDensity target, Point point, Noise noise);

  /** Makes one step with the random numbers of a stream. */
  default Step step(LogDensity target, Point point, UniformRandomProvider rng) {
    return step(target, point, Noise.of(rng));
  }

  /**
   * Returns the start of a chain near θ: θ itself, or a point on the set that the kernel never
   * leaves. θ is not modified.
   */
  default double[] start(double[] theta) {
    return theta;
  }

  /** Returns the step size ε. */
  double stepSize();

  /** Returns the largest step size that the kernel is defined for. */
  default double largestStepSize() {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Returns this kernel for a target that is near a normal one, of the covariance that shapes the
   * kernel, which it may make use of.
   *
   * @param near the mode of the normal one. Not modified.
   */
  default ThetaKernel about(double[] near) {
    return this;
  }

  /**
   * Returns the shape of the kernel's moves, if warm-up may replace it according to the spread of
   * the draws.
   */
  default Optional<Preconditioner> shape() {
    return Optional.empty();
  }

  /** Returns this kernel, which has a {@link #shape}, with another one. */
  default ThetaKernel withShape(Preconditioner shape) {
    throw new UnsupportedOperationException("no shape");
  }

  /** Returns this kernel with another step size. */
  ThetaKernel withStepSize(double stepSize);

  /**
   * Returns the mean of {@link Step#tuning} that adaptation should aim for; by default the mean
   * acceptance probability.
   */
  double targetAcceptance();

  /** Refuses a step size that is not in (0, largest]. */
  static void requireStepSize(double stepSize, double largest) {
    if (!(stepSize > 0 && stepSize <= largest) || Double.isInfinite(stepSize)) {
      throw new IllegalArgumentException("step size " + stepSize);
    }
  }
}
