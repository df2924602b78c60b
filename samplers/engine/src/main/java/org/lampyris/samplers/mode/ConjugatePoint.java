package org.lampyris.samplers.mode;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Prior;

/**
 * Point whose Newton step is solved by conjugate gradients, as far as this is worthwhile: every
 * product with the Hessian is a pass over the data, and only the diagonal is kept, as their
 * preconditioner. Source: Nocedal and Wright (2006), algorithm 7.1, line search Newton–CG.
 *
 * <p>Each iteration reduces the squared distance from the exact step, in posterior standard
 * deviations, by gain_i = α_i·r_iᵀz_i. The sum of the last {@value #DELAY} therefore estimates the
 * distance before them (Hestenes and Stiefel 1952; Strakoš and Tichý 2002). The iterations end when
 * that is a small share of the step, or of the requested accuracy: the search ends by the same
 * Newton decrement as with a Hessian. If the Hessian is indefinite along a direction, the step is
 * the one found before it. The step is made when it is asked for.
 */
final class ConjugatePoint extends PosteriorPoint {
  private static final int DELAY = 4;

  /** Largest error of a step, as a share of its length. */
  private static final double SHARE = 0.1;

  /** Largest error of a step, as a share of the accuracy. */
  private static final double ACCURACY_SHARE = 0.1;

  /** Number of iterations after which the step is taken as it is, without ending the search. */
  private static final int MOST_ITERATIONS = 500;

  /** Share of θ below which a move by the gradient and the diagonal alone is noise. */
  private static final double GRADIENT_NOISE = 1e-6;

  /** A curvature of this share of the diagonal's is noise. */
  private static final double NOISE = 1e-12;

  /** A smaller share of a direction is rounding. */
  private static final double NEGLIGIBLE = 1e-2;

  private final Surface.Wide table;
  private final double accuracy;

  /** −∇² of the log posterior, without the prior's upward curvature. */
  private final double[] diagonal;

  private double @Nullable [] step;
  private double decrement;
  private boolean concave;
  private double[] flattest = new double[0];

  ConjugatePoint(
      double[] theta,
      Surface.Wide table,
      WideObjective.DiagonalSum likelihood,
      Prior prior,
      double accuracy) {
    super(theta, likelihood.value(), likelihood.gradient(), prior);
    this.table = table;
    this.accuracy = accuracy;
    this.diagonal = new double[theta.length];
    Arrays.setAll(diagonal, j -> -likelihood.diagonal()[j] + downwards(j));
  }

  @Override
  double length(double[] end) {
    double squared = 0;
    for (int j = 0; j < end.length; j++) {
      squared += Math.abs(diagonal[j]) * (end[j] - theta[j]) * (end[j] - theta[j]);
    }
    return Math.sqrt(squared);
  }

  private double downwards(int j) {
    return -Math.min(0, curvature[j]);
  }

  /** Returns Mv, with pinned coefficients held fixed. */
  private double[] product(double[] v) {
    double[] product = table.objective().products(theta, 1, v);
    for (int j = 0; j < product.length; j++) {
      product[j] = -product[j] + downwards(j) * v[j];
    }
    return product;
  }

  @Override
  double[] step() {
    double[] known = step;
    if (known != null) {
      return known;
    }
    double[] found = held();
    step = found;
    double[] end = moved();
    boolean cut = IntStream.range(0, end.length).anyMatch(j -> end[j] != theta[j] + found[j]);
    if (cut && concave) {
      decrement = Math.sqrt(Math.max(0, curvatureAlong(theta, end)));
    }
    return found;
  }

  /** Returns the step, with coefficients pinned that would leave a kink against their own slope. */
  private double[] held() {
    double[] found = solve();
    boolean any = false;
    for (int j = 0; j < found.length; j++) {
      if (theta[j] == prior.kink(j) && found[j] * gradient[j] < 0) {
        pinned[j] = true;
        gradient[j] = 0;
        any = true;
      }
    }
    return any ? held() : found;
  }

  /** Returns M⁻¹g, nearly, and sets its length. */
  private double[] solve() {
    int d = theta.length;
    double[] x = new double[d];
    double[] rest = gradient.clone();
    double[] scaled = new double[d];
    double[] direction = new double[d];
    double[] gains = new double[MOST_ITERATIONS];
    double squared = precondition(rest, scaled);
    double before = 0;
    double total = 0;
    concave = true;
    double noise = GRADIENT_NOISE * GRADIENT_NOISE * accuracy * accuracy;
    for (int i = 0; i < MOST_ITERATIONS && squared > noise; i++) {
      double turn = i == 0 ? 0 : squared / before;
      double size = 0;
      for (int j = 0; j < d; j++) {
        direction[j] = scaled[j] + turn * direction[j];
        size += Math.abs(diagonal[j]) * (direction[j] * direction[j]);
      }
      double[] product = product(direction);
      double along = dot(direction, product);
      if (!(along > NOISE * size)) {
        concave = false;
        decrement = Math.sqrt(i == 0 ? squared : total);
        return i == 0 ? scaled : x;
      }
      double alpha = squared / along;
      for (int j = 0; j < d; j++) {
        x[j] += alpha * direction[j];
        rest[j] -= pinned[j] ? 0 : alpha * product[j];
      }
      gains[i] = alpha * squared;
      total += gains[i];
      double missing = 0;
      for (int k = Math.max(0, i + 1 - DELAY); k <= i; k++) {
        missing += gains[k];
      }
      decrement = Math.sqrt(total);
      if (i + 1 >= DELAY && missing <= most(total)) {
        return x;
      }
      before = squared;
      squared = precondition(rest, scaled);
    }
    if (squared > noise) {
      // Nobody knows what is missing: this is not where the search ends.
      decrement = Math.max(decrement, 2 * accuracy);
    }
    return x;
  }

  private double most(double total) {
    return Math.max(SHARE * SHARE * total, ACCURACY_SHARE * ACCURACY_SHARE * accuracy * accuracy);
  }

  /** Writes D⁻¹r, and returns rᵀD⁻¹r. */
  private double precondition(double[] rest, double[] scaled) {
    double sum = 0;
    for (int j = 0; j < rest.length; j++) {
      double own = Math.abs(diagonal[j]);
      scaled[j] = rest[j] == 0 ? 0 : rest[j] / (own > 0 ? own : 1);
      sum += scaled[j] * rest[j];
    }
    return sum;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += a[j] * b[j];
    }
    return sum;
  }

  @Override
  double curvatureAlong(double[] start, double[] end) {
    double[] v = new double[start.length];
    Arrays.setAll(v, j -> end[j] - start[j]);
    return dot(v, product(v));
  }

  @Override
  double decrement() {
    step();
    return decrement;
  }

  @Override
  double knownDecrement() {
    return step == null ? Double.POSITIVE_INFINITY : decrement;
  }

  /** {@inheritDoc} Here along all directions of the step. */
  @Override
  boolean isConcave() {
    step();
    return concave;
  }

  @Override
  int[] flat() {
    double largest = Arrays.stream(flattest).map(Math::abs).max().orElse(0);
    return IntStream.range(0, flattest.length)
        .filter(j -> Math.abs(flattest[j]) > NEGLIGIBLE * largest)
        .toArray();
  }

  @Override
  double precision(int j) {
    return diagonal[j];
  }

  /**
   * {@inheritDoc} Here a diagonal plus the directions farthest from it, found by {@link
   * BlockLanczos}.
   */
  @Override
  Optional<LaplaceApproximation> laplace(@Nullable InterceptShift point) {
    double[] mode = point == null ? theta : point.toStored(theta);
    double[] likelihood = table.stored().evaluate(mode).diagonal();
    int d = mode.length;
    double[] exact = new double[d];
    double[] confined = new double[d];
    double[] spread = new double[d];
    for (int j = 0; j < d; j++) {
      confined[j] = downwards(j) + confinement(j);
      exact[j] = confined[j] - Math.max(0, curvature[j]);
      spread[j] = confined[j] + prior.precision(j);
    }
    return factor(mode, likelihood, exact, point)
        .or(
            () ->
                Arrays.equals(exact, confined)
                    ? Optional.empty()
                    : factor(mode, likelihood, confined, point))
        .or(
            () ->
                Arrays.equals(confined, spread)
                    ? Optional.empty()
                    : factor(mode, likelihood, spread, point))
        .map(factor -> new LaplaceApproximation(mode, factor));
  }

  /**
   * Returns the factor of a covariance.
   *
   * @param mode θ̂
   * @param likelihood the diagonal of the log-likelihood's Hessian there
   * @param added what is added to the precision of the elements of γ, or of θ
   */
  private Optional<LowRankFactor> factor(
      double[] mode, double[] likelihood, double[] added, @Nullable InterceptShift point) {
    int d = mode.length;
    double[] precision = added.clone();
    if (point != null) {
      point.diagonalToStored(precision);
    }
    for (int j = 0; j < d; j++) {
      precision[j] -= likelihood[j];
    }
    BlockLanczos lanczos =
        BlockLanczos.of(
            precision,
            (count, vectors) -> {
              double[] products = table.stored().products(mode, count, vectors);
              double[] own = new double[d];
              for (int k = 0; k < count; k++) {
                for (int j = 0; j < d; j++) {
                  own[j] = vectors[j * count + k];
                }
                double[] prior = point == null ? own : point.toPoint(own);
                for (int j = 0; j < d; j++) {
                  prior[j] *= added[j];
                }
                if (point != null) {
                  point.gradientToStored(prior);
                }
                for (int j = 0; j < d; j++) {
                  products[j * count + k] = prior[j] - products[j * count + k];
                }
              }
              return products;
            });
    flattest = lanczos.flattest();
    return lanczos.factor();
  }
}
