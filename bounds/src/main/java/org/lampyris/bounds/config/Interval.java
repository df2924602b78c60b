package org.lampyris.bounds.config;

/** The numbers that a key takes; never NaN or infinite. */
public record Interval(double low, boolean lowIn, double high, boolean highIn) {
  public static final Interval POSITIVE = above(0);
  public static final Interval NON_NEGATIVE =
      new Interval(0, true, Double.POSITIVE_INFINITY, false);
  public static final Interval OPEN_UNIT = new Interval(0, false, 1, false);
  public static final Interval PROBABILITY = new Interval(0, false, 1, true);

  /** Returns all numbers above {@code low}. */
  public static Interval above(double low) {
    return new Interval(low, false, Double.POSITIVE_INFINITY, false);
  }

  public boolean contains(double value) {
    return (value > low || (lowIn && value == low)) && (value < high || (highIn && value == high));
  }

  @Override
  public String toString() {
    if (high == Double.POSITIVE_INFINITY) {
      return "a number " + (lowIn ? "of at least " : "above ") + ConfigText.of(low);
    }
    return "a number in %s%s, %s%s"
        .formatted(lowIn ? "[" : "(", ConfigText.of(low), ConfigText.of(high), highIn ? "]" : ")");
  }
}
