package org.lampyris.dataprep.input;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the text of a cell means, and how a value is written as the name of a level. */
public final class CellText {
  private static final double EXACT_INTEGERS = 1L << 53;

  private CellText() {}

  /** Returns true for an empty cell and for R's NA. */
  static boolean isMissing(String cell) {
    String text = cell.strip();
    return text.isEmpty() || text.equals("NA");
  }

  /**
   * Returns the number that a cell holds: decimal, with or without an exponent, or "nan", "inf",
   * "infinity" in any case. Returns null for anything else; Java's own suffixes and hexadecimal
   * numbers are not numbers in a table.
   */
  public static @Nullable Double number(String cell) {
    String text = cell.strip();
    if (text.isEmpty()) {
      return null;
    }
    char last = text.charAt(text.length() - 1);
    if ((last < '0' || last > '9') && last != '.') {
      return special(text);
    }
    try {
      return text.indexOf('x') >= 0 || text.indexOf('X') >= 0 ? null : Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns the number that a value is; NaN for what is none. */
  public static double asNumber(Object value) {
    if (value instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static @Nullable Double special(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> null;
    };
  }

  /** Returns the name of the level that a value stands for; numbers without needless digits. */
  public static String level(Object value) {
    if (value instanceof Double || value instanceof Float) {
      double x = ((Number) value).doubleValue();
      return x == Math.rint(x) && Math.abs(x) < EXACT_INTEGERS
          ? Long.toString((long) x)
          : value.toString();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }
    return value.toString();
  }

  /** Orders levels: by number if both are numbers, else by text; numbers come first. */
  public static int compareLevels(String a, String b) {
    Double x = number(a);
    Double y = number(b);
    if (x != null && y != null) {
      int byNumber = Double.compare(x, y);
      return byNumber != 0 ? byNumber : a.compareTo(b);
    }
    if (x != null || y != null) {
      return x != null ? -1 : 1;
    }
    return a.compareTo(b);
  }
}
