package org.lampyris.driver.progress;

import org.lampyris.bounds.config.Text;

/** Format of time spans. */
public final class Span {
  private Span() {}

  /** Returns "3.1 s" below ten seconds, "42 s" below two minutes, "12:34" and "1:02:03" above. */
  public static String of(double seconds) {
    if (seconds < 9.95) {
      return Text.of("%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    if (whole < 120) {
      return whole + " s";
    }
    long hours = whole / 3600;
    long minutes = whole % 3600 / 60;
    return hours > 0
        ? Text.of("%d:%02d:%02d", hours, minutes, whole % 60)
        : Text.of("%d:%02d", minutes, whole % 60);
  }
}
