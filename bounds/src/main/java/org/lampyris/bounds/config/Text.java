package org.lampyris.bounds.config;

import java.util.Locale;

/** Texts with numbers in them, written alike wherever the program runs. */
public final class Text {
  private Text() {}

  /** Returns what {@link String#format} does, in no country's way. */
  public static String of(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
