package org.lampyris.dataprep.prepare;

/** Thrown by a task that meets text where a number is due; the driver then looks for its line. */
final class NotANumberException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String column;
  private final String text;

  NotANumberException(String column, String text) {
    super("'" + text + "' in column '" + column + "' is not a number");
    this.column = column;
    this.text = text;
  }

  String column() {
    return column;
  }

  String text() {
    return text;
  }
}
