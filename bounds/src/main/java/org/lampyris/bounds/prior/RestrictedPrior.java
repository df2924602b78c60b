package org.lampyris.bounds.prior;

/**
 * A prior confined to an interval of one element of θ: the given density there, not renormalised,
 * and zero elsewhere.
 */
public final class RestrictedPrior implements Prior {
  private final Prior prior;
  private final int index;
  private final double lower;
  private final double upper;

  /**
   * Confines a prior.
   *
   * @param prior the prior
   * @param index which element of θ
   * @param lower the least value that it may take
   * @param upper the greatest value that it may take
   */
  public RestrictedPrior(Prior prior, int index, double lower, double upper) {
    if (index < 0 || index >= prior.dimension() || !(lower < upper)) {
      throw new IllegalArgumentException(
          "element " + index + " of " + prior.dimension() + " in [" + lower + ", " + upper + "]");
    }
    this.prior = prior;
    this.index = index;
    this.lower = lower;
    this.upper = upper;
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  private boolean holds(double[] theta) {
    return theta[index] >= lower && theta[index] <= upper;
  }

  @Override
  public double logDensity(double[] theta) {
    return holds(theta) ? prior.logDensity(theta) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double value = prior.addGradient(theta, gradient);
    return holds(theta) ? value : Double.NEGATIVE_INFINITY;
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    prior.addCurvature(theta, diagonal);
  }

  @Override
  public double lower(int j) {
    return j == index ? Math.max(lower, prior.lower(j)) : prior.lower(j);
  }

  @Override
  public double upper(int j) {
    return j == index ? Math.min(upper, prior.upper(j)) : prior.upper(j);
  }

  @Override
  public double kink(int j) {
    return prior.kink(j);
  }

  @Override
  public double kinkSize(int j) {
    return prior.kinkSize(j);
  }
}
