package org.lampyris.bounds.family;

/** Counts that are 0 with probability {@code zi}, and otherwise Poisson. */
public final class ZeroInflatedPoissonFamily extends ZeroFamily {
  public ZeroInflatedPoissonFamily() {
    super("zero_inflated_poisson", "zi", false, false);
  }
}
