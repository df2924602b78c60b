package org.lampyris.bounds.family;

/**
 * A time t and what is known of its event, as the response and the offset of a row. The codes of
 * events are those of {@code Surv(type = "interval")} in R.
 *
 * <pre>code  the event was    response     offset
 * 0     after t          −t           0
 * 1     at t             t            0
 * 2     before t         2⁷⁰⁰·t       0
 * 3     in (t, u]        2¹⁰⁰⁰·w      −log u,   w = log(u/t)</pre>
 *
 * <p>Accelerated failure times depend on η − log u and w alone, so an interval needs no second
 * response. The four ranges of responses do not overlap, as times are between {@value #LEAST} and
 * {@value #MOST}. Factors are powers of 2, and so exact.
 */
public final class CensoredTime {
  /** The code of a time until which there was no event. */
  public static final int AFTER = 0;

  /** The code of the time of an event. */
  public static final int AT = 1;

  /** The code of a time before which the event was. */
  public static final int BEFORE = 2;

  /** The code of a time with a second one, between which the event was. */
  public static final int BETWEEN = 3;

  /** The least time. */
  public static final double LEAST = 1e-60;

  /** The largest time. */
  public static final double MOST = 1e60;

  private static final double BEFORE_FACTOR = 0x1p700;
  private static final double BEFORE_FROM = 0x1p499;
  private static final double BETWEEN_FACTOR = 0x1p1000;
  private static final double BETWEEN_FROM = 0x1p930;

  private CensoredTime() {}

  /**
   * Returns the response of times between {@link #LEAST} and {@link #MOST}, t below u; NaN of an
   * unknown code.
   */
  public static double response(int code, double t, double u) {
    return switch (code) {
      case AFTER -> -t;
      case AT -> t;
      case BEFORE -> BEFORE_FACTOR * t;
      case BETWEEN -> BETWEEN_FACTOR * Math.log1p((u - t) / t);
      default -> Double.NaN;
    };
  }

  /** Returns the offset. */
  public static double offset(int code, double u) {
    return code == BETWEEN ? -Math.log(u) : 0;
  }

  /** Returns the code of a response. */
  public static int code(double response) {
    return response < 0
        ? AFTER
        : response < BEFORE_FROM ? AT : response < BETWEEN_FROM ? BEFORE : BETWEEN;
  }

  /** Returns t of a response; of an interval √(tu). */
  public static double time(double response, double offset) {
    return switch (code(response)) {
      case AFTER, AT -> Math.abs(response);
      case BEFORE -> response / BEFORE_FACTOR;
      default -> Math.exp(-offset - 0.5 * width(response));
    };
  }

  /** Returns w of an interval's response. */
  static double width(double response) {
    return response / BETWEEN_FACTOR;
  }
}
