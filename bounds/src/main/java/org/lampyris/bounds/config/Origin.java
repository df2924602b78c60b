package org.lampyris.bounds.config;

/**
 * Position of a key or a value in its source, for messages.
 *
 * @param source the file, or the command line option
 * @param line the line, from 1; 0 where lines make no sense
 * @param column the column, from 1
 */
public record Origin(String source, int line, int column) {
  /** Returns the origin of an option on the command line. */
  public static Origin option(String text) {
    return new Origin(text, 0, 0);
  }

  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line + ":" + column;
  }
}
