package org.lampyris.samplers.mode;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Prior;

/**
 * The log posterior at one θ, and the Newton step from there.
 *
 * <p>A coefficient at a kink or an end of its prior is pinned if its slope is too small to leave
 * it. The step is Newton's on the others, and is cut where it would cross a kink or leave the
 * support. So the mode may lie on a kink (Laplace priors) or at an end (uniform ones). Source:
 * two-metric projection, Bertsekas (1982), with the rule at kinks from Andrew and Gao (2007).
 */
abstract class PosteriorPoint {
  final Prior prior;
  final double[] theta;
  final double[] gradient;
  final boolean[] pinned;
  final double[] pressure;

  /** The diagonal of the prior's ∇² log p(θ). */
  final double[] curvature;

  private final double value;

  /**
   * Adds the prior to a log-likelihood.
   *
   * @param slope ∇ Σ_n ℓ_n(θ). Not modified.
   */
  PosteriorPoint(double[] theta, double logLikelihood, double[] slope, Prior prior) {
    int d = theta.length;
    this.prior = prior;
    this.theta = theta;
    this.gradient = new double[d];
    this.pinned = new boolean[d];
    this.pressure = new double[d];
    prior.addGradient(theta, gradient);
    this.value = logLikelihood + prior.smoothLogDensity(theta);
    this.curvature = new double[d];
    prior.addCurvature(theta, curvature);
    for (int j = 0; j < d; j++) {
      gradient[j] += slope[j];
      pin(j);
    }
  }

  /** Replaces the gradient at a kink by the one-sided one that leads upwards, or pins θ_j. */
  private void pin(int j) {
    if (theta[j] == prior.kink(j)) {
      double held = prior.kinkSize(j);
      pinned[j] = Math.abs(gradient[j]) <= held;
      gradient[j] -= Math.signum(gradient[j]) * held;
    }
    if ((theta[j] <= prior.lower(j) && gradient[j] < 0)
        || (theta[j] >= prior.upper(j) && gradient[j] > 0)) {
      pinned[j] = true;
      pressure[j] = gradient[j];
    }
    if (pinned[j]) {
      gradient[j] = 0;
    }
  }

  /** Returns the end of the step, cut at kinks and at the ends of the support. */
  double[] moved() {
    double[] step = step();
    return step == null ? theta.clone() : moved(step);
  }

  /**
   * Returns the end of a step of limited {@linkplain #length length}, cut as {@link #moved()} is.
   *
   * @param radius a length below that of the whole step
   */
  double[] within(double radius) {
    double[] end = moved();
    double share = radius / length(end);
    Arrays.setAll(end, j -> share * (end[j] - theta[j]));
    return moved(end);
  }

  /** Returns |D(end − θ)|, D the square roots of the diagonal of |∇² log posterior| here. */
  abstract double length(double[] end);

  final double[] moved(double[] step) {
    double[] moved = theta.clone();
    for (int j = 0; j < moved.length; j++) {
      double kink = prior.kink(j);
      double to = pinned[j] ? theta[j] : theta[j] + step[j];
      double side = theta[j] == kink ? Math.signum(gradient[j]) : Math.signum(theta[j] - kink);
      if (!Double.isNaN(kink) && side * (to - kink) < 0) {
        to = kink;
      }
      moved[j] = Math.max(prior.lower(j), Math.min(prior.upper(j), to));
    }
    return moved;
  }

  double[] theta() {
    return theta;
  }

  /** Returns the likelihood with its Hessian, if it was computed. */
  @Nullable LikelihoodSum likelihood() {
    return null;
  }

  double value() {
    return value;
  }

  /** Returns by how much the log posterior grows to first order on the way to {@code end}. */
  double slopeTo(double[] end) {
    double slope = 0;
    for (int j = 0; j < theta.length; j++) {
      slope += gradient[j] * (end[j] - theta[j]);
    }
    return slope;
  }

  double gradientNorm() {
    return Math.sqrt(Arrays.stream(gradient).reduce(0, (sum, g) -> sum + g * g));
  }

  /** Returns Newton's step, or its replacement if M is indefinite; null if there is none. */
  abstract double @Nullable [] step();

  /** Returns vᵀMv for v = end − start and M = −∇² log posterior here. */
  abstract double curvatureAlong(double[] start, double[] end);

  /**
   * Returns the Newton decrement √(gᵀM⁻¹g), M = −∇² log posterior: the length √(vᵀMv) of the whole
   * step v after cutting, in posterior sds, for any direction. If M is indefinite, the metric uses
   * its absolute values. Source: Boyd and Vandenberghe (2004), section 9.5.1.
   */
  abstract double decrement();

  /** Returns the decrement, or +∞ if computing it would cost passes. */
  double knownDecrement() {
    return decrement();
  }

  /** Returns the coefficients along which −∇² log posterior is singular, if it is. */
  abstract int[] flat();

  /** Returns true if −∇² log posterior is positive definite, which a mode requires. */
  abstract boolean isConcave();

  /** Returns M_jj. */
  abstract double precision(int j);

  /**
   * Returns N(θ̂, Σ̂) at this mode, Σ̂ the inverse of −∇² log posterior with every coefficient
   * free. It includes the prior's own curvature if the result is positive definite, otherwise only
   * its downward part, otherwise the priors' own precisions.
   *
   * <p>The cut at the ends of the support is taken into account. If the gradient g presses the mode
   * against an end, the posterior falls off as e^−|g|x there, and g²/4 is added to the precision.
   * This is a standard deviation twice the exponential's, so hardly anything lies farther than a
   * few of them. If the support has a width w, 3/w² is added: no two of its points are then farther
   * than √3 standard deviations apart. Far from both, neither changes Σ̂.
   *
   * @param point what θ here is about, where that is not what the approximation is to be of
   */
  abstract Optional<LaplaceApproximation> laplace(@Nullable InterceptShift point);

  /** Returns the precision added to θ_j at the ends of the support: see {@link #laplace}. */
  final double confinement(int j) {
    double width = prior.upper(j) - prior.lower(j);
    return 0.25 * pressure[j] * pressure[j] + 3 / width / width;
  }

  /** Returns false if −∇² log posterior is singular, or not finite: there is no step. */
  final boolean hasStep() {
    return step() != null;
  }

  /** Returns true if the prior alone ensures a mode. */
  final boolean hasStrictlyConcavePrior() {
    return Arrays.stream(curvature).allMatch(c -> c < 0);
  }

  /** Returns the index of the coefficient with the largest |θ_j|·√(M_jj of {@code other}). */
  final int largestCoefficient(PosteriorPoint other) {
    int largest = 0;
    double size = -1;
    for (int j = 0; j < theta.length; j++) {
      double own = Math.abs(theta[j]) * Math.sqrt(Math.max(0, other.precision(j)));
      if (own > size) {
        largest = j;
        size = own;
      }
    }
    return largest;
  }
}
