package org.lampyris.samplers.mhss;

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
 * <p>Where the proxies are of order 1, their test and those of the rows pull in opposite
 * directions, and a proposal of a useful length is hardly ever accepted: order 2 is what this test
 * is for.
 *
 * <p>Source: Cornish, Vanetti, Bouchard-Côté, Deligiannidis and Doucet (2019), equation 10 for the
 * acceptance probability and Algorithm 1 for the thinning.
 */
public record FactorisedDecision() implements RowDecision {
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
