package org.lampyris.bounds.prior;

/** A prior confined to an interval of one element of θ. */
public final class RestrictedPrior extends ConfinedPrior {
  private final int index;
  private final double lower;
  private final double upper;

  /** Confines a prior to lower ≤ θ_index ≤ upper. */
  public RestrictedPrior(Prior prior, int index, double lower, double upper) {
    super(prior);
    if (index < 0 || index >= prior.dimension() || !(lower < upper)) {
      throw new IllegalArgumentException(
          "element " + index + " of " + prior.dimension() + " in [" + lower + ", " + upper + "]");
    }
    this.index = index;
    this.lower = lower;
    this.upper = upper;
  }

  @Override
  boolean holds(double[] theta) {
    return theta[index] >= lower && theta[index] <= upper;
  }

  @Override
  public double lower(int j) {
    return j == index ? Math.max(lower, super.lower(j)) : super.lower(j);
  }

  @Override
  public double upper(int j) {
    return j == index ? Math.min(upper, super.upper(j)) : super.upper(j);
  }
}
