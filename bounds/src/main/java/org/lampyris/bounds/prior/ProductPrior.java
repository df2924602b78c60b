package org.lampyris.bounds.prior;

import java.util.Collections;
import java.util.List;
import org.lampyris.bounds.scale.CoefficientScale;

/** Independent priors of the coefficients: log p(θ) = Σ_j log p_j(θ_j). */
public final class ProductPrior implements Prior {
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

  /**
   * Returns the prior of the coefficients of standardised columns if this is the prior of those on
   * the input's scale. With β_j(input) = β_j/s_j, β_j is s_j times a coefficient on the input's
   * scale, and its prior is scaled by s_j.
   *
   * <p>The intercept's prior is left as it is: β₀ of the standardised columns is η at the columns'
   * centres m_j (at their mean, where columns are centred), and that is what its prior is about,
   * rather than about η where all columns are 0, which may lie far from the data. Where no column
   * is centred the two are one.
   *
   * @param predictors how many linear predictors there are, whose coefficients come first in θ, one
   *     predictor after the other; what follows (a log scale) is left as it is
   */
  public ProductPrior onInputScale(CoefficientScale scale, int predictors) {
    int columns = scale.dimension();
    if (predictors * columns > factors.length) {
      throw new IllegalArgumentException(
          predictors + " times " + columns + " columns for " + factors.length + " priors");
    }
    UnivariatePrior[] standardized = factors.clone();
    for (int j = 0; j < predictors * columns; j++) {
      // The intercept's scale is 1.
      standardized[j] = factors[j].scaled(scale.scale(j % columns));
    }
    return new ProductPrior(standardized);
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
    return factors[j].lower();
  }

  @Override
  public double upper(int j) {
    return factors[j].upper();
  }

  @Override
  public double kink(int j) {
    return factors[j].kink();
  }

  @Override
  public double kinkSize(int j) {
    return factors[j].kinkSize();
  }
}
