package org.lampyris.bounds.model;

/** Checks the fixed parameters of a family. */
final class Positive {

  private Positive() {}

  /** Returns the value if it is positive and finite. */
  static double require(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("the " + what + " " + value + " must be above 0");
    }
    return value;
  }
}
