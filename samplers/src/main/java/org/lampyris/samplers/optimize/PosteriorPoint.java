package org.lampyris.samplers.optimize;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.prior.Prior;

/**
 * The log posterior at one θ, and the Newton step from there.
 *
 * <p>Where the prior has a kink or an end, a coefficient that sits on it and is pushed no further
 * than the kink or the end can hold is pinned: the step is Newton's on the others, and it is cut
 * where it would cross a kink or leave the support. So the mode may lie on a kink (Laplace priors)
 * or at an end (uniform ones). Source: two-metric projection, Bertsekas (1982); the rule at kinks
 * is that of Andrew and Gao (2007).
 *
 * <p>Where −∇² log posterior is not positive definite, the step is that of {@link
 * IndefiniteCurvature}; where it is singular, as with collinear columns under priors without
 * curvature (Laplace, uniform), the priors' own precisions are added to it.
 */
final class PosteriorPoint {
  /** A smaller share of a direction is rounding. */
  private static final double NEGLIGIBLE = 1e-4;

  private final Prior prior;
  private final LikelihoodSum likelihood;
  private final double[] theta;
  private final double value;
  private final double[] gradient;
  private final boolean[] pinned;
  private final double[] pressure;
  private final double[] precision;
  private final boolean strictlyConcavePrior;
  private final double @Nullable [] step;
  private final double decrement;
  private final boolean concave;
  private final double @Nullable [] flat;

  PosteriorPoint(double[] theta, LikelihoodSum likelihood, Prior prior) {
    int d = theta.length;
    this.prior = prior;
    this.likelihood = likelihood;
    this.theta = theta;
    this.gradient = new double[d];
    this.pinned = new boolean[d];
    this.pressure = new double[d];
    prior.addGradient(theta, gradient);
    this.value = likelihood.value() + prior.smoothLogDensity(theta);
    double[] curvature = new double[d];
    prior.addCurvature(theta, curvature);
    this.strictlyConcavePrior = Arrays.stream(curvature).allMatch(c -> c < 0);
    for (int j = 0; j < d; j++) {
      gradient[j] += likelihood.gradient(j);
      pin(j);
    }
    this.precision = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        precision[i * d + j] = -likelihood.hessian(i, j);
      }
      // A heavy-tailed prior curves upwards far out, where it must not undo the data's curvature.
      precision[i * d + i] -= Math.min(0, curvature[i]);
    }
    Optional<Cholesky> factor = Cholesky.scaled(free(), d);
    IndefiniteCurvature indefinite = factor.isPresent() ? null : indefinite();
    if (indefinite != null && !indefinite.isIndefinite()) {
      for (int j = 0; j < d; j++) {
        precision[j * d + j] -= Math.max(0, curvature[j]);
      }
      factor = Cholesky.scaled(free(), d);
      indefinite = factor.isPresent() ? null : indefinite();
    }
    this.flat = indefinite == null || indefinite.isIndefinite() ? null : indefinite.leastCurved();
    if (flat != null) {
      for (int j = 0; j < d; j++) {
        precision[j * d + j] += prior.precision(j);
      }
      factor = Cholesky.scaled(free(), d);
    }
    this.concave = factor.isPresent();
    if (factor.isPresent()) {
      this.step = held(factor.get());
      this.decrement = Math.sqrt(curvatureAlong(theta, moved(1)));
    } else if (indefinite != null && indefinite.isIndefinite()) {
      this.step = indefinite.upwards(gradient);
      this.decrement = Math.sqrt(Math.max(0, slopeTo(moved(1))));
    } else {
      this.step = null;
      this.decrement = Double.POSITIVE_INFINITY;
    }
  }

  /** Returns the eigenvalues of −∇² log posterior, if it is finite. */
  private @Nullable IndefiniteCurvature indefinite() {
    double[] free = free();
    return Double.isFinite(value) && Arrays.stream(free).allMatch(Double::isFinite)
        ? new IndefiniteCurvature(free, theta.length)
        : null;
  }

  /**
   * Returns Newton's step, with what would leave a kink against its own slope pinned as well: cut,
   * it would leave a step of the others that was made for its going along.
   */
  private double[] held(Cholesky factor) {
    double[] step = factor.solve(gradient);
    boolean any = false;
    for (int j = 0; j < step.length; j++) {
      if (theta[j] == prior.kink(j) && step[j] * gradient[j] < 0) {
        pinned[j] = true;
        gradient[j] = 0;
        any = true;
      }
    }
    return any ? held(Cholesky.scaled(free(), step.length).orElse(factor)) : step;
  }

  /** Returns −∇² log posterior with 1 for the coefficients that are pinned. */
  private double[] free() {
    int d = theta.length;
    double[] free = precision.clone();
    for (int k = 0; k < d * d; k++) {
      if (pinned[k / d] || pinned[k % d]) {
        free[k] = k / d == k % d ? 1 : 0;
      }
    }
    return free;
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

  /** Returns where a share of the step leads, cut at kinks and at the ends of the support. */
  double[] moved(double share) {
    double[] moved = theta.clone();
    if (step == null) {
      return moved;
    }
    for (int j = 0; j < moved.length; j++) {
      double kink = prior.kink(j);
      double to = pinned[j] ? theta[j] : theta[j] + share * step[j];
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

  LikelihoodSum likelihood() {
    return likelihood;
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

  /** Returns vᵀMv for v = end − start and M = −∇² log posterior here. */
  double curvatureAlong(double[] start, double[] end) {
    int d = theta.length;
    double sum = 0;
    for (int i = 0; i < d; i++) {
      double row = 0;
      for (int j = 0; j < d; j++) {
        row += precision[i * d + j] * (end[j] - start[j]);
      }
      sum += row * (end[i] - start[i]);
    }
    return sum;
  }

  double gradientNorm() {
    return Math.sqrt(Arrays.stream(gradient).reduce(0, (sum, g) -> sum + g * g));
  }

  /**
   * Returns the Newton decrement √(gᵀM⁻¹g), M = −∇² log posterior: the length √(vᵀMv) of the whole
   * step v, as it is cut, in posterior sds, whatever its direction. Where M is indefinite, that in
   * the metric of its absolute values. Source: Boyd and Vandenberghe (2004), section 9.5.1.
   */
  double decrement() {
    return decrement;
  }

  /** Returns false where −∇² log posterior is singular, or not finite: there is no step. */
  boolean hasStep() {
    return step != null;
  }

  /** Returns the coefficients along which −∇² log posterior is singular, if it is. */
  int[] flat() {
    if (flat == null) {
      return new int[0];
    }
    double largest = Arrays.stream(flat).map(Math::abs).max().orElse(0);
    return IntStream.range(0, flat.length)
        .filter(j -> Math.abs(flat[j]) > NEGLIGIBLE * largest)
        .toArray();
  }

  /** Returns true where −∇² log posterior is positive definite: only there can a mode be. */
  boolean isConcave() {
    return concave;
  }

  /** Returns true if the prior alone makes sure of a mode. */
  boolean hasStrictlyConcavePrior() {
    return strictlyConcavePrior;
  }

  /** Returns the index of the coefficient with the largest |θ_j|·√(M_jj of {@code other}). */
  int largestCoefficient(PosteriorPoint other) {
    int d = theta.length;
    double[] sizes = new double[d];
    Arrays.setAll(
        sizes, j -> Math.abs(theta[j]) * Math.sqrt(Math.max(0, other.precision[j * d + j])));
    return IntStream.range(0, d).reduce(0, (at, j) -> sizes[j] > sizes[at] ? j : at);
  }

  /**
   * Returns Σ̂, the inverse of −∇² log posterior with every coefficient free: with the prior's own
   * curvature if that is positive definite, else without where it curves upwards, else with the
   * priors' own precisions.
   *
   * <p>What the ends of the support cut off is taken into account. Where the gradient g presses the
   * mode against an end, the posterior falls off as e^−|g|x there, and Σ̂ has g²/4 added to the
   * precision: a standard deviation of two of the exponential's, so that hardly anything lies
   * further than some of them. Where the support has a width w, 3/w² is added: no point of it is
   * then further than √3 standard deviations from another. Far from both, neither changes Σ̂.
   */
  Optional<double[]> covariance() {
    int d = theta.length;
    double[] curvature = new double[d];
    prior.addCurvature(theta, curvature);
    double[] confined = precision.clone();
    for (int j = 0; j < d; j++) {
      double width = prior.upper(j) - prior.lower(j);
      confined[j * d + j] += 0.25 * pressure[j] * pressure[j] + 3 / width / width;
    }
    double[] exact = confined.clone();
    double[] spread = confined.clone();
    for (int j = 0; j < d; j++) {
      exact[j * d + j] -= Math.max(0, curvature[j]);
      spread[j * d + j] += prior.precision(j);
    }
    return Cholesky.scaled(exact, d)
        .or(() -> Cholesky.scaled(confined, d))
        .or(() -> Cholesky.scaled(spread, d))
        .map(Cholesky::inverse);
  }
}
