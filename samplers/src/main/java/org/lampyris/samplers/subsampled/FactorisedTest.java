package org.lampyris.samplers.subsampled;

/**
 * Scalable Metropolis–Hastings: the proposal has to pass the test of the proxies and a test of
 * every row, α(θ, θ′) = min(1, proxies' ratio) · Π_n min(1, e^{δ_n}).
 *
 * <p>Detailed balance holds factor by factor: min(1, a)/min(1, 1/a) = a, and the product of all the
 * a is the posterior's ratio.
 *
 * <p>The tests of the rows are passed with probability exp(−Σ_n max(0, −δ_n)): the probability that
 * no point of a Poisson process of the rates max(0, −δ_n) ≤ c_n·M falls. Those points are had by
 * thinning: a point at u is one of them if u &lt; max(0, −r_n). The first one rejects the proposal,
 * and nothing is looked at after it.
 *
 * <p>Source: Cornish, Vanetti, Bouchard-Côté, Deligiannidis and Doucet (2019), sections 2 and 3,
 * with Poisson thinning (their Algorithm 1's process).
 */
public record FactorisedTest() implements RowTest {
  private static final long serialVersionUID = 1L;

  @Override
  public boolean proxiesFirst() {
    return true;
  }

  @Override
  public Factor begin() {
    return new Factor() {
      private boolean rejected;

      @Override
      public boolean point(double relative, double u) {
        rejected |= u < -relative;
        return !rejected;
      }

      @Override
      public double log() {
        return rejected ? Double.NEGATIVE_INFINITY : 0;
      }
    };
  }
}
