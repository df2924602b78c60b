package org.lampyris.bounds.prior;

import java.util.Collections;
import java.util.List;

/** Independent priors of the coefficients: log p(θ) = Σ_j log p_j(θ_j). */
public final class ProductPrior implements Prior {
  private static final long serialVersionUID = 1L;

  private final UnivariatePrior[] factors;

  private ProductPrior(UnivariatePrior[] factors) {
    if (factors.length == 0) {
      throw new IllegalArgumentException("no coefficient");
    }
    this.factors = factors;
  }

  /** Returns the product of one prior for each coefficient, in order. */
  public static ProductPrior of(List<? extends UnivariatePrior> factors) {
    return new ProductPrior(factors.toArray(UnivariatePrior[]::new));
  }

  /** Returns the product of the same prior for every coefficient. */
  public static ProductPrior shared(UnivariatePrior factor, int dimension) {
    return of(Collections.nCopies(dimension, factor));
  }

  /** Returns the product of parsed priors, one for each coefficient: see {@link PriorParser}. */
  public static ProductPrior parse(List<String> texts) {
    return of(texts.stream().map(PriorParser::parse).toList());
  }

  /** Returns the priors of the coefficients, in order. */
  public List<UnivariatePrior> factors() {
    return List.of(factors);
  }

  @Override
  public int dimension() {
    return factors.length;
  }

  @Override
  public double logDensity(double[] theta) {
    double sum = 0;
    for (int j = 0; j < factors.length; j++) {
      sum += factors[j].logDensity(theta[j]);
    }
    return sum;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    for (int j = 0; j < factors.length; j++) {
      gradient[j] += factors[j].derivative(theta[j]);
    }
    return logDensity(theta);
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    for (int j = 0; j < factors.length; j++) {
      diagonal[j] += factors[j].secondDerivative(theta[j]);
    }
  }

  @Override
  public double lower(int j) {
    return factors[j] instanceof UnivariatePrior.Uniform u ? u.lower() : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double upper(int j) {
    return factors[j] instanceof UnivariatePrior.Uniform u ? u.upper() : Double.POSITIVE_INFINITY;
  }

  @Override
  public double kink(int j) {
    return factors[j] instanceof UnivariatePrior.Laplace l ? l.location() : Double.NaN;
  }

  @Override
  public double kinkSize(int j) {
    return factors[j] instanceof UnivariatePrior.Laplace l ? 1 / l.scale() : 0;
  }
}
