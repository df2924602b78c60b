package org.lampyris.bounds.family;

/**
 * Counts that are 0 with probability {@code hu}, and otherwise negative binomial, given that they
 * are not.
 */
public final class HurdleNegativeBinomialFamily extends ZeroFamily {
  public HurdleNegativeBinomialFamily() {
    super("hurdle_negative_binomial", "hu", true, true);
  }
}
