package org.lampyris.bounds.family;

/**
 * Counts that are 0 with probability {@code hu}, and otherwise Poisson, given that they are not.
 */
public final class HurdlePoissonFamily extends ZeroFamily {
  public HurdlePoissonFamily() {
    super("hurdle_poisson", "hu", true, false);
  }
}
