package org.lampyris.bounds.model;

/** Over how far in η a row's log-likelihood changes its shape. */
public interface LengthScale {
  /**
   * Returns a distance from η, within which third derivatives change little; 1 by default, as for
   * log-odds and logarithms of means.
   *
   * @param eta η less the place about which rows are alike, such as the response; 0 gives the least
   *     distance
   * @param tau the further parameters. Not modified.
   */
  default double unit(double eta, double[] tau) {
    return 1;
  }
}
