package org.lampyris.samplers.mode;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Prior;

/**
 * A point whose Hessian is at hand, and Newton's step is solved for by Cholesky's decomposition.
 *
 * <p>If −∇² log posterior is not positive definite, the step is computed by {@link
 * IndefiniteCurvature}. If it is singular, as with collinear columns under priors without curvature
 * (Laplace, uniform), the priors' own precisions are added to it.
 */
final class NewtonPoint extends PosteriorPoint {
  /** A smaller share of a direction is rounding. */
  private static final double NEGLIGIBLE = 1e-4;

  private final LikelihoodSum likelihood;
  private final double[] precision;
  private final double @Nullable [] step;
  private final double decrement;
  private final boolean concave;
  private final double @Nullable [] flat;
  private @Nullable IndefiniteCurvature spectrum;

  NewtonPoint(double[] theta, LikelihoodSum likelihood, Prior prior) {
    super(theta, likelihood.value(), likelihood.gradient(), prior);
    int d = theta.length;
    this.likelihood = likelihood;
    this.precision = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        precision[i * d + j] = -likelihood.hessian(i, j);
      }
      // A heavy-tailed prior curves upwards far out, where it must not undo the data's curvature.
      precision[i * d + i] -= Math.min(0, curvature[i]);
    }
    Optional<Cholesky> factor = Cholesky.scaled(free(), d);
    IndefiniteCurvature indefinite = factor.isPresent() ? null : spectrum();
    if (indefinite != null && !indefinite.isIndefinite()) {
      for (int j = 0; j < d; j++) {
        precision[j * d + j] -= Math.max(0, curvature[j]);
      }
      factor = Cholesky.scaled(free(), d);
      indefinite = factor.isPresent() ? null : spectrum();
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
      this.decrement = Math.sqrt(curvatureAlong(theta, moved()));
    } else if (indefinite != null && indefinite.isIndefinite()) {
      this.spectrum = indefinite;
      this.step = indefinite.upwards(gradient);
      this.decrement = Math.sqrt(Math.max(0, slopeTo(moved())));
    } else {
      this.step = null;
      this.decrement = Double.POSITIVE_INFINITY;
    }
  }

  /** Returns the eigenvalues of −∇² log posterior, if it is finite. */
  private @Nullable IndefiniteCurvature spectrum() {
    double[] free = free();
    return Double.isFinite(value()) && Arrays.stream(free).allMatch(Double::isFinite)
        ? new IndefiniteCurvature(free, theta.length)
        : null;
  }

  /**
   * Returns Newton's step, with coefficients pinned that would leave a kink against their own
   * slope: cutting it would keep a step of the others that assumed their move.
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

  @Override
  double @Nullable [] step() {
    return step;
  }

  /** {@inheritDoc} Its direction {@linkplain IndefiniteCurvature#upwards bends} with its length. */
  @Override
  double[] within(double radius) {
    if (spectrum == null) {
      spectrum = spectrum();
    }
    double[] end = spectrum == null ? theta : moved(spectrum.upwards(gradient, radius));
    // A step off a saddle point does not follow the gradient.
    return length(end) > 0.5 * radius ? end : super.within(radius);
  }

  @Override
  double length(double[] end) {
    double[] scale = IndefiniteCurvature.scale(free(), theta.length);
    double squared = 0;
    for (int j = 0; j < end.length; j++) {
      squared += scale[j] * scale[j] * (end[j] - theta[j]) * (end[j] - theta[j]);
    }
    return Math.sqrt(squared);
  }

  @Override
  LikelihoodSum likelihood() {
    return likelihood;
  }

  @Override
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

  @Override
  double decrement() {
    return decrement;
  }

  @Override
  int[] flat() {
    if (flat == null) {
      return new int[0];
    }
    double largest = Arrays.stream(flat).map(Math::abs).max().orElse(0);
    return IntStream.range(0, flat.length)
        .filter(j -> Math.abs(flat[j]) > NEGLIGIBLE * largest)
        .toArray();
  }

  @Override
  boolean isConcave() {
    return concave;
  }

  @Override
  double precision(int j) {
    return precision[j * theta.length + j];
  }

  /** {@inheritDoc} Also empty if the covariance would not be definite. */
  @Override
  Optional<LaplaceApproximation> laplace(@Nullable InterceptShift point) {
    try {
      return covariance(point);
    } catch (IllegalArgumentException e) {
      // The curvature is so close to singular that its inverse is not definite.
      return Optional.empty();
    }
  }

  private Optional<LaplaceApproximation> covariance(@Nullable InterceptShift point) {
    int d = theta.length;
    double[] confined = precision.clone();
    for (int j = 0; j < d; j++) {
      confined[j * d + j] += confinement(j);
    }
    double[] exact = confined.clone();
    double[] spread = confined.clone();
    for (int j = 0; j < d; j++) {
      exact[j * d + j] -= Math.max(0, curvature[j]);
      spread[j * d + j] += prior.precision(j);
    }
    return inverted(exact, point)
        .or(() -> inverted(confined, point))
        .or(() -> inverted(spread, point));
  }

  /** Returns N(θ̂, P⁻¹), which has P as well if that has an arrow; P may be modified. */
  private Optional<LaplaceApproximation> inverted(double[] p, @Nullable InterceptShift point) {
    int d = theta.length;
    return Cholesky.scaled(p, d)
        .map(
            factor -> {
              double[] covariance = factor.inverse();
              if (point != null) {
                covariance = point.covarianceToStored(covariance, d);
                point.hessianToStored(p, d);
              }
              ArrowMatrix arrow = new ArrowMatrix(p, d);
              return new LaplaceApproximation(
                  point == null ? theta : point.toStored(theta),
                  covariance,
                  arrow.hasArrow() ? arrow : null);
            });
  }
}
