package org.lampyris.samplers.optimize;

/**
 * A subsample's log-likelihood f plus the quadratic in δ = θ − θ₀ that makes its value, gradient
 * and Hessian at θ₀ those of the whole table: from θ₀ on, only the third derivatives are the
 * subsample's.
 *
 * <p>Its mode is a better step than Newton's, which takes the third derivatives for 0, and costs no
 * pass over the table. Source: Jordan, Lee and Yang (2019), section 2, who correct the gradient;
 * here the Hessian is at hand as well.
 */
final class CorrectedSubsample implements Objective {

  private final Objective subsample;
  private final double[] start;
  private final LikelihoodSum correction;

  /**
   * Corrects the subsample.
   *
   * @param subsample f
   * @param start θ₀; not copied
   * @param table the whole table's sum at θ₀
   */
  CorrectedSubsample(Objective subsample, double[] start, LikelihoodSum table) {
    this.subsample = subsample;
    this.start = start;
    this.correction = table.plus(-1, subsample.evaluate(start));
  }

  @Override
  public int dimension() {
    return subsample.dimension();
  }

  @Override
  public LikelihoodSum evaluate(double[] theta) {
    int d = theta.length;
    double[] packed = correction.packed().clone();
    for (int i = 0; i < d; i++) {
      double product = 0;
      for (int j = 0; j < d; j++) {
        product += correction.hessian(i, j) * (theta[j] - start[j]);
      }
      packed[0] += (correction.gradient(i) + 0.5 * product) * (theta[i] - start[i]);
      packed[1 + i] += product;
    }
    return new LikelihoodSum(d, packed).plus(1, subsample.evaluate(theta));
  }
}
