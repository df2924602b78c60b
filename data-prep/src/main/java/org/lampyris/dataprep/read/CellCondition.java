package org.lampyris.dataprep.read;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.CensoredTime;

/**
 * Condition of a cell, for messages that point at its row.
 *
 * @param kind what to look for
 * @param text the cell's text, for {@link Kind#TEXT}, or the other column, for {@link Kind#ABOVE};
 *     null for the others
 * @param third the third column of a condition on three; null for the others
 */
public record CellCondition(
    String column, Kind kind, @Nullable String text, @Nullable String third) {
  private static final String NO_END = Double.toString(CensoredTime.MOST);

  /** Kind of condition. */
  public enum Kind {
    /** No value. */
    MISSING,
    /** Text instead of a number. */
    NOT_A_NUMBER,
    /** Text instead of a date. */
    NOT_A_DATE,
    /** An infinite number. */
    INFINITE,
    /** A number that is not positive. */
    NOT_POSITIVE,
    /** A number below 0. */
    NEGATIVE,
    /** A number that is not between 0 and 1. */
    NOT_A_SHARE,
    /** A number that is neither 0, 1 nor 2. */
    NOT_AN_EVENT,
    /** A number that is neither 0, 1, 2 nor 3. */
    NOT_AN_EVENT_OR_INTERVAL,
    /** A number that is not whole. */
    FRACTION,
    /** A number above another column's. */
    ABOVE,
    /** A number not below another column's finite one, in a row whose third column is 3. */
    NO_INTERVAL,
    /** A certain text. */
    TEXT
  }

  public static CellCondition of(String column, Kind kind) {
    return new CellCondition(column, kind, null, null);
  }

  public static CellCondition ofText(String column, String text) {
    return new CellCondition(column, Kind.TEXT, text, null);
  }

  /** Returns the condition that a column's number exceeds another column's. */
  public static CellCondition above(String column, String other) {
    return new CellCondition(column, Kind.ABOVE, other, null);
  }

  /** Returns the condition that an interval between two columns, of code 3, has no width. */
  public static CellCondition noInterval(String column, String other, String event) {
    return new CellCondition(column, Kind.NO_INTERVAL, other, event);
  }

  private static boolean isCode(double number, int most) {
    return number >= 0 && number <= most && number == Math.rint(number);
  }

  /** Returns whether the condition involves other cells of the row. */
  boolean isOfSeveral() {
    return kind == Kind.ABOVE || kind == Kind.NO_INTERVAL;
  }

  /** Returns whether the cells of a row meet a condition that involves several. */
  boolean matches(String cell, String other, String third) {
    if (kind == Kind.ABOVE) {
      return isAbove(cell, other);
    }
    Double event = CellText.number(third);
    return event != null && event == 3 && !(isAbove(other, cell) && !isAbove(other, NO_END));
  }

  /**
   * Returns a place with the number found there, which the extremes of a column do not give, and
   * with the other column's.
   */
  String at(String where, @Nullable String cell, @Nullable String other) {
    return switch (kind) {
      case MISSING, NOT_A_NUMBER, NOT_A_DATE, TEXT -> where;
      case ABOVE, NO_INTERVAL ->
          "%s beside %s in %s"
              .formatted(cell, other == null || other.isBlank() ? "no value" : other, where);
      default -> cell + " in " + where;
    };
  }

  /** Returns whether a cell of a text file meets the condition, if that involves no other cell. */
  boolean matches(String cell) {
    if (kind == Kind.TEXT) {
      return cell.equals(text) || CellText.key(cell).equals(text) || sameNumber(cell);
    }
    if (CellText.isMissing(cell)) {
      return kind == Kind.MISSING;
    }
    Double number = CellText.number(cell);
    return switch (kind) {
      case NOT_A_NUMBER -> number == null;
      case NOT_A_DATE -> CellText.days(cell) == null;
      case INFINITE -> number != null && number.isInfinite();
      case NOT_POSITIVE -> number != null && number <= 0;
      case NEGATIVE -> number != null && number < 0;
      case NOT_A_SHARE -> number != null && (number <= 0 || number >= 1);
      case NOT_AN_EVENT -> number != null && !isCode(number, 2);
      case NOT_AN_EVENT_OR_INTERVAL -> number != null && !isCode(number, 3);
      case FRACTION -> number != null && number != Math.rint(number);
      default -> false;
    };
  }

  /** Returns whether a cell of a text file has a number above another one. */
  static boolean isAbove(String cell, String other) {
    Double number = CellText.number(cell);
    Double limit = CellText.number(other);
    return number != null && limit != null && number > limit;
  }

  private boolean sameNumber(String cell) {
    Double number = CellText.number(cell);
    return number != null && CellText.level(number).equals(text);
  }
}
