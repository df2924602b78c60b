package org.lampyris.bounds.prior;

import java.io.Serializable;

/**
 * The mean of some numbers and their standard deviation, with divisor N − 1 and without weights.
 */
public record Moments(double mean, double sd) implements Serializable {
  /** Moments assumed for numbers without a scale. */
  public static final Moments STANDARD = new Moments(0, 1);
}
