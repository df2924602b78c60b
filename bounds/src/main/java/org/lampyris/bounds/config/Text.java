package org.lampyris.bounds.config;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** Formatting of texts with numbers, the same in every locale. */
public final class Text {
  private Text() {}

  /**
   * Returns a text with its control characters, but for tabs and line ends, as their codes. Such
   * characters in the name of a file or a column are commands to a terminal.
   */
  public static String visible(String text) {
    StringBuilder shown = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\n' && c != '\t') {
        shown = shown == null ? new StringBuilder(text.substring(0, i)) : shown;
        shown.append(of("\\u%04x", (int) c));
      } else if (shown != null) {
        shown.append(c);
      }
    }
    return shown == null ? text : shown.toString();
  }

  /** Returns a number with four digits, or more before the point, and no zeros at its end. */
  public static String brief(double number) {
    double size = Math.abs(number);
    if (size == 0 || !Double.isFinite(number)) {
      return size == 0 ? "0" : Double.toString(number);
    }
    if (size < 1e-4 || size >= 1e9) {
      return of("%.3e", number);
    }
    int digits = Math.max(4, 1 + (int) Math.floor(Math.log10(size)));
    BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(digits));
    return rounded.stripTrailingZeros().toPlainString();
  }

  /** Returns a text with one full stop at its end. */
  public static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  /** Returns the first items of a list, and how many more there are: "a, b and 3 more". */
  public static String few(List<String> items, int most) {
    return items.size() <= most
        ? String.join(", ", items)
        : String.join(", ", items.subList(0, most)) + " and " + (items.size() - most) + " more";
  }

  /** Formats like {@link String#format}, in the root locale. */
  public static String of(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
