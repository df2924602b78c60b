package org.lampyris.bounds.prior;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Independent priors of the coefficients: log p(θ) = Σ_j log p_j(γ_j), where γ is θ, or θ with the
 * intercept taken as η at another point of the columns ({@link #about}).
 */
public final class ProductPrior implements Prior {
  private final UnivariatePrior[] factors;
  private final @Nullable InterceptShift shift;
  private final @Nullable PriorTerm tilt;
  private final @Nullable MonotonicPrior monotonic;

  private ProductPrior(
      UnivariatePrior[] factors,
      @Nullable InterceptShift shift,
      @Nullable PriorTerm tilt,
      @Nullable MonotonicPrior monotonic) {
    this.shift = shift;
    this.tilt = tilt;
    this.monotonic = monotonic;
    if (factors.length == 0) {
      throw new IllegalArgumentException("no coefficient");
    }
    this.factors = factors;
  }

  /** Returns the product of one prior for each coefficient, in order. */
  public static ProductPrior of(List<? extends UnivariatePrior> factors) {
    return new ProductPrior(factors.toArray(UnivariatePrior[]::new), null, null, null);
  }

  /** Returns the product of the same prior for every coefficient. */
  public static ProductPrior shared(UnivariatePrior factor, int dimension) {
    return of(Collections.nCopies(dimension, factor));
  }

  /** Returns the product of parsed priors, one for each coefficient: see {@link PriorParser}. */
  public static ProductPrior parse(List<String> texts) {
    return of(texts.stream().map(PriorParser::parse).toList());
  }

  /**
   * Returns these priors with the intercepts' applied to η at a point of the columns; null for the
   * point where all stored columns are 0. Elements of θ are then not independent, and {@link
   * #addCurvature} gives the diagonal of a Hessian that has more.
   */
  public ProductPrior about(@Nullable InterceptShift point) {
    return new ProductPrior(factors, point, tilt, monotonic);
  }

  /** Returns these priors, each to a power, not normalised. */
  public ProductPrior tempered(double power) {
    UnivariatePrior[] tempered =
        Arrays.stream(factors)
            .map(factor -> new TemperedPrior(factor, power))
            .toArray(UnivariatePrior[]::new);
    return new ProductPrior(tempered, shift, tilt, monotonic);
  }

  /**
   * Returns these priors times a term of several elements of θ, whatever they are about. As with
   * {@link #about}, {@link #addCurvature} then gives a diagonal only; no mode is to be sought of
   * it.
   */
  public ProductPrior times(PriorTerm factor) {
    return new ProductPrior(factors, shift, factor, monotonic);
  }

  /**
   * Returns these priors with that of monotonic effects in place of the factors that it governs. As
   * with {@link #times}, no mode is to be sought of it.
   */
  public ProductPrior with(MonotonicPrior effects) {
    UnivariatePrior[] rest = factors.clone();
    for (int j = 0; j < rest.length; j++) {
      rest[j] = effects.governs(j) ? new UnivariatePrior.Flat() : rest[j];
    }
    return new ProductPrior(rest, shift, tilt, effects);
  }

  /** Returns the prior of monotonic effects; null if there are none. */
  public @Nullable MonotonicPrior monotonic() {
    return monotonic;
  }

  /** Returns the term of several elements of θ; null if there is none. */
  public @Nullable PriorTerm term() {
    return tilt;
  }

  /** Returns the point that the priors of intercepts are about; null for 0. */
  public @Nullable InterceptShift point() {
    return shift;
  }

  private double[] gamma(double[] theta) {
    return shift == null ? theta : shift.toPoint(theta);
  }

  /** Returns the priors of the coefficients, the elements of γ, in order. */
  public List<UnivariatePrior> factors() {
    return List.of(factors);
  }

  /**
   * Returns that the prior of a coefficient is improper, and the remedy; empty if all are proper.
   * Elements that the {@link #term} {@linkplain PriorTerm#governs governs} are the term's concern.
   *
   * @param names of the first elements of γ
   */
  public Optional<String> improper(List<String> names) {
    return IntStream.range(0, names.size())
        .filter(j -> !factors[j].isNormalised() && !isGoverned(j))
        .mapToObj(
            j ->
                "the prior of %s is improper (%s). Give it a proper one in model.priors"
                    .formatted(names.get(j), factors[j]))
        .findFirst();
  }

  private boolean isGoverned(int j) {
    return (tilt != null && tilt.governs(j)) || (monotonic != null && monotonic.governs(j));
  }

  @Override
  public int dimension() {
    return factors.length;
  }

  @Override
  public int known() {
    return tilt == null ? factors.length : tilt.known(factors.length);
  }

  /** Returns the priors of the elements of θ that the rows know, without a {@link #term}. */
  public ProductPrior ofKnown() {
    return new ProductPrior(Arrays.copyOf(factors, known()), shift, null, monotonic);
  }

  @Override
  public double logDensity(double[] theta) {
    return sum(gamma(theta)) + tilt(theta);
  }

  private double tilt(double[] theta) {
    return (tilt == null ? 0 : tilt.value(theta))
        + (monotonic == null ? 0 : monotonic.value(theta));
  }

  /** Returns Σ log p_j(γ_j) over some of the coefficients, if the prior involves only these. */
  public double logDensityOf(double[] theta, int[] which) {
    double[] gamma = gamma(theta);
    double sum = 0;
    for (int j : which) {
      sum += factors[j].logDensity(gamma[j]);
    }
    return sum;
  }

  private double sum(double[] gamma) {
    double sum = 0;
    for (int j = 0; j < factors.length; j++) {
      sum += factors[j].logDensity(gamma[j]);
    }
    return sum;
  }

  @Override
  public double smoothLogDensity(double[] theta) {
    double[] gamma = gamma(theta);
    double sum = 0;
    for (int j = 0; j < factors.length; j++) {
      sum += factors[j].smoothLogDensity(gamma[j]);
    }
    return sum + tilt(theta);
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double[] gamma = gamma(theta);
    double[] own = new double[factors.length];
    for (int j = 0; j < own.length; j++) {
      own[j] = factors[j].derivative(gamma[j]);
    }
    if (shift != null) {
      shift.gradientToStored(own);
    }
    for (int j = 0; j < factors.length; j++) {
      gradient[j] += own[j];
    }
    return sum(gamma)
        + (tilt == null ? 0 : tilt.addGradient(theta, gradient))
        + (monotonic == null ? 0 : monotonic.addGradient(theta, gradient));
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    double[] gamma = gamma(theta);
    double[] own = new double[factors.length];
    Arrays.setAll(own, j -> factors[j].secondDerivative(gamma[j]));
    if (shift != null) {
      shift.diagonalToStored(own);
    }
    for (int j = 0; j < factors.length; j++) {
      diagonal[j] += own[j];
    }
    if (tilt != null) {
      tilt.addCurvature(theta, diagonal);
    }
    if (monotonic != null) {
      monotonic.addCurvature(theta, diagonal);
    }
  }

  /**
   * Returns −∇² Σ log p_j over the normal priors, row-major d × d: the part of the curvature that
   * is the same at every θ. Cost O(d²), and O(d²) more for each prior of an intercept about another
   * point.
   */
  public double[] normalPrecision() {
    int d = factors.length;
    double[] precision = new double[d * d];
    for (int j = 0; j < d; j++) {
      if (factors[j] instanceof UnivariatePrior.Normal normal) {
        double[] along = new double[d];
        along[j] = 1;
        if (shift != null) {
          shift.gradientToStored(along);
        }
        double own = -normal.secondDerivative(0);
        for (int i = 0; i < d; i++) {
          for (int k = 0; along[i] != 0 && k < d; k++) {
            precision[i * d + k] += own * along[i] * along[k];
          }
        }
      }
    }
    return precision;
  }

  /** {@inheritDoc} An end or a kink of the prior of γ_j is one of θ_j, unless that is shifted. */
  @Override
  public UnivariatePrior alone(int j) {
    return shift == null || !shift.isIntercept(j) ? factors[j] : Prior.super.alone(j);
  }
}
