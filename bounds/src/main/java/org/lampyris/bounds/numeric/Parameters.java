package org.lampyris.bounds.numeric;

/** Checks the fixed parameters of densities. */
public final class Parameters {
  private Parameters() {}

  /**
   * Returns the value if it is finite.
   *
   * @throws IllegalArgumentException if it is not; the message names the parameter
   */
  public static double requireFinite(String what, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("the " + what + " " + value + " must be a finite number");
    }
    return value;
  }

  /**
   * Returns the value if it is positive and finite.
   *
   * @throws IllegalArgumentException if it is not; the message names the parameter
   */
  public static double requirePositive(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("the " + what + " " + value + " must be above 0");
    }
    return value;
  }
}
