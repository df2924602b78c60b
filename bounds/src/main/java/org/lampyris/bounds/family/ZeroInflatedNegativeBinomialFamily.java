package org.lampyris.bounds.family;

/** Counts that are 0 with probability {@code zi}, and otherwise negative binomial. */
public final class ZeroInflatedNegativeBinomialFamily extends ZeroFamily {
  public ZeroInflatedNegativeBinomialFamily() {
    super("zero_inflated_negative_binomial", "zi", false, true);
  }
}
