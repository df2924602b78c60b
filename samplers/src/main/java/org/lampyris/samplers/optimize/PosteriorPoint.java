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
 * IndefiniteCurvature}.
 */
final class PosteriorPoint {

  /** Below this squared length of the step, in standard deviations, a point is stationary. */
  private static final double SADDLE = 1e-12;

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

  PosteriorPoint(double[] theta, LikelihoodSum likelihood, Prior prior) {
    int d = theta.length;
    this.prior = prior;
    this.likelihood = likelihood;
    this.theta = theta;
    this.gradient = new double[d];
    this.pinned = new boolean[d];
    this.pressure = new double[d];
    this.value = likelihood.value() + prior.addGradient(theta, gradient);
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
    int[] free = freeIndices();
    double[] curvatures = free(free);
    Optional<Cholesky> factor = Cholesky.scaled(curvatures, free.length);
    this.concave = free.length == 0 || factor.isPresent();
    if (free.length == 0) {
      this.step = new double[d];
      this.decrement = 0;
    } else if (factor.isPresent()) {
      this.step = spread(factor.get().solve(gradient(free)), free);
      this.decrement = Math.sqrt(curvatureAlong(theta, moved(1)));
    } else {
      IndefiniteCurvature indefinite =
          Double.isFinite(value) && Arrays.stream(curvatures).allMatch(Double::isFinite)
              ? new IndefiniteCurvature(curvatures, free.length)
              : null;
      if (indefinite == null || !indefinite.isIndefinite()) {
        this.step = null;
        this.decrement = Double.POSITIVE_INFINITY;
      } else {
        this.step = spread(upwards(indefinite, gradient(free)), free);
        this.decrement = Math.sqrt(Math.max(0, slopeTo(moved(1))));
      }
    }
  }

  /** Returns the step where the log posterior is not concave; off a saddle point, any way. */
  private static double[] upwards(IndefiniteCurvature curvature, double[] gradient) {
    double[] up = curvature.solveAbsolute(gradient);
    double squared = 0;
    for (int i = 0; i < up.length; i++) {
      squared += up[i] * gradient[i];
    }
    return squared < SADDLE ? curvature.ascent() : up;
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

  private int[] freeIndices() {
    return IntStream.range(0, theta.length).filter(j -> !pinned[j]).toArray();
  }

  private double[] free(int[] free) {
    int n = free.length;
    double[] matrix = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        matrix[i * n + j] = precision[free[i] * theta.length + free[j]];
      }
    }
    return matrix;
  }

  private double[] gradient(int[] free) {
    return Arrays.stream(free).mapToDouble(j -> gradient[j]).toArray();
  }

  /** Returns a vector with zeros for the pinned coefficients. */
  private double[] spread(double[] values, int[] free) {
    double[] full = new double[theta.length];
    for (int i = 0; i < free.length; i++) {
      full[free[i]] = values[i];
    }
    return full;
  }

  /**
   * Returns where a share of the Newton step leads, cut at kinks and at the ends of the support.
   */
  double[] moved(double share) {
    double[] moved = theta.clone();
    if (step == null) {
      return moved;
    }
    for (int j = 0; j < moved.length; j++) {
      double kink = prior.kink(j);
      double to = theta[j] + share * step[j];
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

  /** Returns the log-likelihood here. */
  LikelihoodSum likelihood() {
    return likelihood;
  }

  /** Returns the log posterior. */
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
    double sum = 0;
    for (double g : gradient) {
      sum += g * g;
    }
    return Math.sqrt(sum);
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
    int at = 0;
    double largest = -1;
    for (int j = 0; j < d; j++) {
      double size = Math.abs(theta[j]) * Math.sqrt(Math.max(0, other.precision[j * d + j]));
      if (size > largest) {
        largest = size;
        at = j;
      }
    }
    return at;
  }

  /**
   * Returns Σ̂, the inverse of −∇² log posterior with every coefficient free: with the prior's own
   * curvature if that is positive definite, else without where it curves upwards, else with
   * 1/(prior variance) for the curvature of priors with a kink, which have none beside it.
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
    double[] kinked = confined.clone();
    for (int j = 0; j < d; j++) {
      exact[j * d + j] -= Math.max(0, curvature[j]);
      // A Laplace density of scale s has the kink 1/s and the variance 2s².
      kinked[j * d + j] += 0.5 * prior.kinkSize(j) * prior.kinkSize(j);
    }
    return Cholesky.scaled(exact, d)
        .or(() -> Cholesky.scaled(confined, d))
        .or(() -> Cholesky.scaled(kinked, d))
        .map(Cholesky::inverse);
  }
}
